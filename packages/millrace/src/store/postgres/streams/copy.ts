import { HAS_STREAMS } from "../../streams/codes.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { restartStreams } from "./restart.ts";

const COPY_HEADS = `INSERT INTO millrace.stream (job, name, tenant, last, bytes, restart, keep, created_at)
  SELECT $1, name, tenant, last, bytes, restart, keep, created_at FROM millrace.stream WHERE job = $2`;
const COPY_PARTS = `INSERT INTO millrace.stream_part (job, name, number, count, stage, step, data)
  SELECT $1, name, number, count, stage, step, data FROM millrace.stream_part WHERE job = $2 ORDER BY id`;

/** A revived job takes along what earlier stages and stored steps wrote: they do not run again. */
export async function copyStreams(
  core: Core,
  tx: StatementRunner,
  from: number,
  to: { id: number; stage: number },
  flags: number,
): Promise<void> {
  if (!(flags & HAS_STREAMS)) return;
  await tx.run(COPY_HEADS, [to.id, from]);
  await tx.run(COPY_PARTS, [to.id, from]);
  await restartStreams(core, tx, to);
}
