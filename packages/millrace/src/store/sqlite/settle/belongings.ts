// What a processor writes beside its job: progress, log lines, steps, artifacts. Every write presents its lease, and a stale token
// changes nothing.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import { HAS_ARTIFACTS, HAS_LOGS, RUNNING } from "../../codes.ts";
import { linesToStore } from "../../decide/attempt/log-lines.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { ConfirmAnswer, NewArtifact, Note } from "../../verbs/attempts.ts";
import type { LimiterAnswer } from "../../verbs/limiters.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { closeLimiter, takeFromLimiter } from "./limiter.ts";

const ADD_FLAG = "UPDATE job SET flags = flags | ? WHERE id = ?";
const SET_PROGRESS = "UPDATE job SET progress = ?, updated_at = ? WHERE id = ?";
const ADD_LOG = "INSERT INTO log (job, at, level, message, data) VALUES (?, ?, ?, ?, ?)";
const COUNT_LOGS = "SELECT count(*) AS count FROM log WHERE job = ?";
export const PUT_ARTIFACT = `INSERT OR REPLACE INTO artifacts.artifact (job, name, content_type, bytes) VALUES (?, ?, ?, ?)`;

const LOST = "lease-lost" as const;

export function confirm(core: Core, lease: Lease): ConfirmAnswer {
  const row = heldRow(core, lease);
  if (!row) return LOST;
  if (row.holder === core.instances.id && core.instances.needsRenewal) core.instances.renew();
  return { forMs: core.instances.leftMs(row.holder as number) };
}

/** The lease is long enough: there is nothing to write. */
export function idleConfirm(core: Core, lease: Lease): { answer: ConfirmAnswer } | undefined {
  return core.instances.needsRenewal ? undefined : { answer: confirm(core, lease) };
}

export function renew(core: Core, leases: Lease[]): Lease[] {
  core.instances.renew();
  return leases.filter((lease) => heldRow(core, lease));
}

export function note(core: Core, lease: Lease, { progress, logs }: Note): WriteAnswer {
  const row = heldRow(core, lease);
  if (!row) return LOST;
  if (progress) core.statement(SET_PROGRESS).run(JSON.stringify(progress), core.clock.now(), row.id);
  if (logs?.length) addLogs(core, row, logs);
  return "written";
}

function addLogs(core: Core, row: JobRow, logs: NonNullable<Note["logs"]>): void {
  const { count } = core.statement(COUNT_LOGS).get(row.id) as { count: number };
  const lines = linesToStore(logs, count, core.clock.now());
  if (lines.length === 0) return;
  for (const line of lines) core.statement(ADD_LOG).run(row.id, line.at, line.level, line.message, line.data ?? null);
  addFlag(core, row, HAS_LOGS);
}

export function take(core: Core, lease: Lease, limiter: string, cost: number): LimiterAnswer {
  const row = heldRow(core, lease);
  return row ? takeFromLimiter(core, { name: limiter, cost, tenant: row.tenant }) : LOST;
}

export function blockLimiter(core: Core, lease: Lease, limiter: string, forMs: number): WriteAnswer {
  if (!heldRow(core, lease)) return LOST;
  closeLimiter(core, limiter, forMs);
  return "written";
}

export function keepArtifact(core: Core, lease: Lease, artifact: NewArtifact): WriteAnswer {
  const row = heldRow(core, lease);
  if (!row) return LOST;
  core.statement(PUT_ARTIFACT).run(row.id, artifact.name, artifact.contentType, artifact.bytes);
  addFlag(core, row, HAS_ARTIFACTS);
  return "written";
}

/** The row of the job, if the lease still holds it. */
export function heldRow(core: Core, lease: Lease): JobRow | undefined {
  const row = findRow(core, core.ids.decode(lease.jobId) ?? -1);
  return row && row.standing === RUNNING && row.token === lease.token ? row : undefined;
}

export function addFlag(core: Core, row: JobRow, flag: number): void {
  if (row.flags & flag) return;
  core.statement(ADD_FLAG).run(flag, row.id);
  const held = core.held.get(row.id);
  if (held)
    core.afterCommit(() => {
      held.flags |= flag;
    });
}
