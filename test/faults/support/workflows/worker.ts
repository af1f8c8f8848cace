// A process that works on workflows until it is killed. Its argument: { store, folder, by }.

import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Millrace, postgres, sqlite } from "../../../../packages/millrace/src/index.ts";
import { workflowKinds } from "./kinds.ts";

export interface WorkerPlan {
  /** The address of a database, or the path of a file. */
  store: string;
  folder: string;
  by: string;
}

export function storeAt(store: string): ReturnType<typeof sqlite> | ReturnType<typeof postgres> {
  return store.startsWith("postgres") ? postgres(store) : sqlite(store);
}

export const SETTINGS = { leaseMs: 1_000, retryBaseMs: 5, retryMaxMs: 20, shutdownGraceMs: 0, log: false } as const;

if (process.argv[2] !== undefined && import.meta.main) {
  const { store, folder, by } = JSON.parse(process.argv[2]) as WorkerPlan;
  // One write(2) per line to an append-only file survives SIGKILL.
  const file = openSync(join(folder, `${by}.effects`), "a");
  const { order, part } = workflowKinds((effect) =>
    writeSync(file, `${JSON.stringify({ ...effect, at: Date.now(), by })}\n`),
  );
  const millrace = await Millrace.open({ store: storeAt(store), kinds: [order, part], processors: 8, ...SETTINGS });
  process.on("SIGTERM", () => void millrace.stop({ hurry: true }).then(() => process.exit(0)));
  process.send?.({ ready: true });
}
