// Every write of a processor presents its lease. A stale token changes nothing and is told so.

import type { Lease, Written } from "../../../job/lease.ts";
import { afterAttempt, type Outcome } from "../../../job/lifecycle.ts";
import { AppError } from "../../../lib/app-error.ts";
import {
  COMPLETED,
  HAS_ARTIFACTS,
  HAS_LARGE_OUTPUT,
  HAS_LOGS,
  HAS_STEPS,
  HAS_UNIQUE_KEY,
  RUNNING,
} from "../../codes.ts";
import { type JobRow, standpoint } from "../../rows/job-row.ts";
import type { Artifact, Confirmed, Note, Settled, Step, Taken } from "../../store.ts";
import type { Core } from "../core.ts";
import { findRow, IN_ROW_CHARS } from "../read/row.ts";
import { apply } from "./apply.ts";
import { loneDeathsOf } from "./deaths.ts";
import { takeFromLimiter } from "./limiter.ts";

const COMPLETE = `UPDATE job SET standing = 5, output = ?1, failure = NULL, finished_at = ?2, updated_at = ?2
  WHERE id = ?3 AND token = ?4 AND standing = 4`;
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

export function settle(core: Core, lease: Lease, outcome: Outcome): Settled {
  return completeAtOnce(core, lease, outcome) ?? settleByRow(core, lease, outcome);
}

function settleByRow(core: Core, lease: Lease, outcome: Outcome): Settled {
  const row = heldRow(core, lease);
  if (!row) return { written: LOST };
  const now = core.clock.now();
  const plan = core.names.stageRules(core.names.stage(row.stage));
  const job = standpoint(row, outcome.type === "crashed" ? loneDeathsOf(core, row) : []);
  return apply(core, row, afterAttempt(job, outcome, plan, { now, random: core.random }), now);
}

/** The common end, in one guarded statement: a job of ours completes in its last stage, with nothing to clear up. */
function completeAtOnce(core: Core, lease: Lease, outcome: Outcome): Settled | undefined {
  if (outcome.type !== "completed" || outcome.output.length > IN_ROW_CHARS) return undefined;
  const key = core.ids.decode(lease.jobId) ?? -1;
  const held = core.held.get(key);
  if (!held || held.token !== lease.token || held.flags & (HAS_UNIQUE_KEY | HAS_LARGE_OUTPUT)) return undefined;
  const stage = core.names.stage(held.stage);
  if (stage.next !== undefined || core.names.rules(stage.kind).retention.finishedMs === "none") return undefined;
  const { changes } = core.statement(COMPLETE).run(outcome.output, core.clock.now(), key, lease.token);
  if (Number(changes) === 0) return { written: LOST };
  core.counts.move(held.stage, held.tenant, RUNNING, COMPLETED);
  core.leaseEnds(key);
  return COMPLETED_ANSWER;
}

const COMPLETED_ANSWER: Settled = { written: "written", standing: "completed" };

export function confirm(core: Core, lease: Lease): Confirmed {
  const row = heldRow(core, lease);
  if (!row) return LOST;
  if (row.holder === core.instances.id && core.instances.needsRenewal) core.instances.renew();
  return { forMs: core.instances.leftMs(row.holder as number) };
}

export function note(core: Core, lease: Lease, { progress, logs }: Note): Written {
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

export function saveStep(core: Core, lease: Lease, name: string, value: string): Written {
  const row = heldRow(core, lease);
  if (!row) return LOST;
  const { changes } = core.statement(ADD_STEP).run(row.id, row.stage, name, value, core.clock.now());
  if (Number(changes) === 0) throw new AppError("step-name-reused", `The step "${name}" was saved before.`);
  addFlag(core, row, HAS_STEPS);
  return "written";
}

export function take(core: Core, lease: Lease, limiter: string, cost: number): Taken {
  return heldRow(core, lease) ? takeFromLimiter(core, limiter, cost) : LOST;
}

export function keepArtifact(core: Core, lease: Lease, artifact: Artifact): Written {
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
