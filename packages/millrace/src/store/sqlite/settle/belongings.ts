// What a processor writes beside its job: progress, log lines, steps, artifacts. Every write presents its lease, and a stale token
// changes nothing.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import { AppError } from "../../../lib/app-error.ts";
import { HAS_ARTIFACTS, HAS_LOGS, HAS_STEPS, RUNNING } from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { Artifact, ConfirmAnswer, Note, Step } from "../../verbs/attempts.ts";
import type { TakeAnswer } from "../../verbs/limiters.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { closeLimiter, takeFromLimiter } from "./limiter.ts";

const ADD_FLAG = "UPDATE job SET flags = flags | ? WHERE id = ?";
const SET_PROGRESS = "UPDATE job SET progress = ?, updated_at = ? WHERE id = ?";
const ADD_LOG = "INSERT INTO log (job, at, level, message, data) VALUES (?, ?, ?, ?, ?)";
const COUNT_LOGS = "SELECT count(*) AS count FROM log WHERE job = ?";
const STEPS = "SELECT name, value, saved_at AS savedAt FROM step WHERE job = ? AND stage = ?";
const ADD_STEP = `INSERT INTO step (job, stage, name, value, saved_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (job, stage, name) DO UPDATE SET value = step.value WHERE step.value = excluded.value`;
const PUT_ARTIFACT = `INSERT OR REPLACE INTO artifacts.artifact (job, name, content_type, bytes) VALUES (?, ?, ?, ?)`;

const LOST = "lease-lost" as const;
const MOST_LOG_LINES = 1_000;

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
  const room = MOST_LOG_LINES - count;
  if (room <= 0) return;
  for (const line of logs.slice(0, room)) {
    core.statement(ADD_LOG).run(row.id, line.at, line.level, line.message, line.data ?? null);
  }
  if (logs.length >= room) {
    const message = `This job has written ${MOST_LOG_LINES} log lines; the rest is not kept.`;
    core.statement(ADD_LOG).run(row.id, core.clock.now(), "warn", message, null);
  }
  addFlag(core, row, HAS_LOGS);
}

export function storedSteps(core: Core, lease: Lease): Step[] | typeof LOST {
  const row = heldRow(core, lease);
  if (!row) return LOST;
  const stage = core.names.stage(row.stage).name;
  const steps = core.statement(STEPS).all(row.id, row.stage) as unknown as Omit<Step, "stage">[];
  return steps.map((step) => ({ stage, name: step.name, value: step.value, savedAt: step.savedAt }));
}

export function saveStep(core: Core, lease: Lease, name: string, value: string): WriteAnswer {
  const row = heldRow(core, lease);
  if (!row) return LOST;
  const { changes } = core.statement(ADD_STEP).run(row.id, row.stage, name, value, core.clock.now());
  if (Number(changes) === 0) throw new AppError("step-name-reused", `The step "${name}" was saved before.`);
  addFlag(core, row, HAS_STEPS);
  return "written";
}

export function take(core: Core, lease: Lease, limiter: string, cost: number): TakeAnswer {
  return heldRow(core, lease) ? takeFromLimiter(core, limiter, cost) : LOST;
}

export function blockLimiter(core: Core, lease: Lease, limiter: string, forMs: number): WriteAnswer {
  if (!heldRow(core, lease)) return LOST;
  closeLimiter(core, limiter, forMs);
  return "written";
}

export function keepArtifact(core: Core, lease: Lease, artifact: Artifact): WriteAnswer {
  const row = heldRow(core, lease);
  if (!row) return LOST;
  core.statement(PUT_ARTIFACT).run(row.id, artifact.name, artifact.contentType, artifact.bytes);
  addFlag(core, row, HAS_ARTIFACTS);
  return "written";
}

/** The row a lease still holds, whoever presents it. */
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
