import { packTrace } from "../../../lib/trace-parent.ts";
import { COMPLETED, HAS_LARGE_OUTPUT, HAS_LARGE_PAYLOAD, HAS_SHARES } from "../../codes.ts";
import type { NewJob } from "../../store.ts";
import type { Core } from "../core.ts";
import { IN_ROW_CHARS, putOutputBody, putPayloadBody } from "../read/row.ts";
import type { StageRow } from "../register/names.ts";
import { nameShare } from "../sharing/share.ts";

const INSERT = `INSERT INTO job (id, stage, tenant, standing, priority, run_at, flags, created_at, updated_at, finished_at,
  max_attempts, tags, trace, payload, output) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?6, ?6, ?6, ?8, ?9, ?10, ?11, ?12)`;

/** A job whose result is known: no attempt was ever made. Its key. */
export function insertCompleted(core: Core, job: NewJob, stage: StageRow, tenant: number, now: number): number {
  const { output, share } = job.completed as NonNullable<NewJob["completed"]>;
  const key = core.meta.nextJobKey();
  const isLong = (text: string) => text.length > IN_ROW_CHARS;
  const last = core.names.stagesOf(stage).at(-1) ?? stage;
  core
    .statement(INSERT)
    .run(
      key,
      last.id,
      tenant,
      COMPLETED,
      job.priority ?? 0,
      now,
      HAS_SHARES | (isLong(job.payload) ? HAS_LARGE_PAYLOAD : 0) | (isLong(output) ? HAS_LARGE_OUTPUT : 0),
      job.maxAttempts ?? null,
      job.tags?.length ? JSON.stringify(job.tags) : null,
      packTrace(job),
      isLong(job.payload) ? null : job.payload,
      isLong(output) ? null : output,
    );
  if (isLong(job.payload)) putPayloadBody(core, key, job.payload);
  if (isLong(output)) putOutputBody(core, key, output);
  nameShare(core, key, share);
  core.counts.enter(last.id, tenant, COMPLETED);
  return key;
}
