import { HAS_STREAMS } from "../../streams/codes.ts";
import type { Core } from "../core.ts";
import { restartStreams } from "./restart.ts";

const COPY_HEADS = `INSERT INTO stream (job, name, tenant, last, bytes, restart, keep, created_at)
  SELECT ?1, name, tenant, last, bytes, restart, keep, created_at FROM stream WHERE job = ?2`;
const COPY_PARTS = `INSERT INTO stream_part (job, name, number, count, stage, step, data)
  SELECT ?1, name, number, count, stage, step, data FROM stream_part WHERE job = ?2 ORDER BY id`;

/** A revived job takes along what earlier stages and stored steps wrote: they do not run again. */
export function copyStreams(core: Core, from: number, to: { id: number; stage: number }, flags: number): void {
  if (!(flags & HAS_STREAMS)) return;
  core.statement(COPY_HEADS).run(to.id, from);
  core.statement(COPY_PARTS).run(to.id, from);
  restartStreams(core, to);
}
