import type { OpenOptions, Queue } from "./contender.ts";

export type Who =
  | "millrace full"
  | "millrace normal"
  | "plainjob"
  | "plainjob full"
  | "bunqueue"
  | "bunqueue durable"
  | "millrace postgres"
  | "millrace postgres normal"
  | "millrace postgres keep none"
  | "graphile-worker"
  | "pg-boss"
  | "dbos"
  | "bullmq"
  | "bullmq durable";

export const OURS: Who[] = ["millrace full", "millrace normal"];
/** Both peers run on Bun here: plainjob on bun:sqlite, bunqueue runs nowhere else. */
export const PEERS: Who[] = process.versions["bun"]
  ? ["plainjob", "plainjob full", "bunqueue", "bunqueue durable"]
  : [];

/** Loaded only when it runs, so that ours can be measured without the peers installed. */
export async function open(who: Who, dir: string, options: OpenOptions = {}): Promise<Queue> {
  switch (who) {
    case "millrace full":
    case "millrace normal": {
      const { openMillrace } = await import("./millrace.ts");
      return openMillrace(dir, who === "millrace full" ? "full" : "normal", options);
    }
    case "plainjob":
    case "plainjob full": {
      const { openPlainjob } = await import("./plainjob.ts");
      return openPlainjob(dir, who === "plainjob full" ? "full" : "normal", options);
    }
    case "bunqueue":
    case "bunqueue durable": {
      const { openBunqueue } = await import("./bunqueue.ts");
      return openBunqueue(dir, who === "bunqueue durable", options);
    }
    case "millrace postgres":
    case "millrace postgres normal":
    case "millrace postgres keep none":
    case "graphile-worker":
    case "pg-boss": {
      const { openOnPostgres } = await import("./postgres.ts");
      return openOnPostgres(who, dir, options);
    }
    case "dbos":
      throw new Error("DBOS runs workflows: see measures/workflows");
    case "bullmq":
    case "bullmq durable": {
      const { openBullMq } = await import("./bullmq.ts");
      return openBullMq(dir, options);
    }
  }
}

export function all(...names: Who[]): Who[] {
  return names.filter((name) => OURS.includes(name) || PEERS.includes(name));
}
