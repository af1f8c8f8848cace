// A PostgreSQL server of a case's own, fsync on, started for it and gone with it. Contenders find its address in the file `url`.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PostgresServer } from "../../../test/support/postgres-server.ts";
import type { Figures } from "../../harness.ts";

const SETTINGS = { fsync: "on", full_page_writes: "on", shared_buffers: "256MB", max_connections: "200" };

export async function withServer(
  dir: string,
  work: (server: PostgresServer) => Promise<Figures>,
  more: Record<string, string> = {},
): Promise<Figures> {
  const server = await PostgresServer.start({ ...SETTINGS, ...more }, dir);
  writeFileSync(join(dir, "url"), server.url);
  try {
    return await work(server);
  } finally {
    await server.remove();
  }
}

const TICKS_PER_SECOND = 100;

/** What all its processes have used, in seconds; on other systems than Linux unknown. */
export function cpuSeconds({ pid }: PostgresServer): number {
  try {
    const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return all.reduce((sum, each) => sum + ticksOf(each, pid), 0) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** The server's own, with those of its children that have ended; a child's own; of others none. */
function ticksOf(process: string, server: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${process}/stat`, "utf8");
  } catch {
    return 0; // it ended just now
  }
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [parent = 0, user = 0, system = 0, ofEnded = 0, systemOfEnded = 0] = [1, 11, 12, 13, 14].map(
    (at) => fields[at],
  );
  if (Number(process) === server) return user + system + ofEnded + systemOfEnded;
  return parent === server ? user + system : 0;
}
