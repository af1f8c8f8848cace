import { kindWorker, MOST_COUNTED, type WorkerFacts } from "../../circumstances.ts";
import { READY, RUNNING, SUSPECT } from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { Circumstances } from "../../verbs/circumstances.ts";
import { RateWindow, type WindowEntry } from "../../window.ts";
import type { Core, ReadView } from "../core.ts";
import { keyOf } from "../keys/circumstances.ts";
import { runningLimits } from "../keys/room.ts";
import type { StageRow } from "../register/names.ts";
import { findRow, toJob } from "./row.ts";

const STAGE = `SELECT kind.paused, coalesce(plan.needs, 0) AS needs, deployment.label AS pinnedTo FROM stage
  JOIN kind ON kind.id = stage.kind LEFT JOIN plan ON plan.id = stage.plan LEFT JOIN deployment ON deployment.id = stage.pin
  WHERE stage.id = ?`;
const TENANT = "SELECT running FROM tenant WHERE id = ?";
const HOLDER = "SELECT expires_at FROM instance WHERE id = ?";
const WORKERS = `SELECT instance.name AS process, deployment.label AS deployment, serves, policy, level, draining,
    (SELECT count(*) FROM job JOIN stage ON stage.id = job.stage WHERE standing = ${RUNNING} AND holder = instance.id
      AND stage.kind = worker.kind AND stage.name IN (SELECT value FROM json_each(?3))) AS running
  FROM worker JOIN instance ON instance.id = worker.instance JOIN deployment ON deployment.id = worker.deployment
  WHERE worker.kind = ?1 AND instance.expires_at > ?2 ORDER BY instance.id`;
const READY_BEFORE = `SELECT count(*) AS count FROM (SELECT 1 FROM job WHERE standing = ${READY} AND stage = ?1 AND tenant = ?2
  AND (priority, run_at, id) < (?3, ?4, ?5) LIMIT ${MOST_COUNTED})`;
const SUSPECTS_BEFORE = `SELECT count(*) AS count FROM (SELECT 1 FROM job WHERE standing = ${SUSPECT} AND stage = ?1
  AND (-crashes, priority, run_at, id) < (-?2, ?3, ?4, ?5) LIMIT ${MOST_COUNTED})`;
const READY_JOBS = "SELECT min(sum(ready), ?3) AS ready FROM stage WHERE kind = ?1 AND name = ?2";
const STARTS = `SELECT at, count FROM window WHERE what = 'start' AND owner = ?1 AND at > ?2 AND at <= ?3 ORDER BY at`;

/**
 * Runs on the writing connection, which knows the limits and the clock. All facts are read in one transaction, so that
 * they belong to the same moment.
 */
export function circumstances(core: Core, jobId: string): Circumstances | undefined {
  core.db.exec("BEGIN");
  try {
    core.names.refresh();
    const row = findRow(core, core.ids.decode(jobId) ?? -1);
    return row && around(core, row);
  } finally {
    core.db.exec("COMMIT");
  }
}

function around(core: Core, row: JobRow): Circumstances {
  const at = core.clock.now();
  const stage = core.names.stage(row.stage);
  const names = core.names.namesOf(stage);
  const { paused, needs, pinnedTo } = core.statement(STAGE).get(stage.id) as {
    paused: number;
    needs: number;
    pinnedTo: string | null;
  };
  const { running } = core.statement(TENANT).get(row.tenant) as { running: number };
  const own = core.names.ownLimits.of(row.tenant)?.concurrency;
  const workers = core.statement(WORKERS).all(stage.kind, at, JSON.stringify(names)) as unknown as WorkerFacts[];
  return {
    at,
    job: toJob(core, row),
    isPaused: paused === 1,
    needs,
    ...(pinnedTo !== null && { pinnedTo }),
    isHolderLate: isHolderLate(core, row, at),
    workers: workers.map((worker) => kindWorker(worker, names, core.options.limits)),
    tenantRunning: running,
    ...(own !== undefined && { ownConcurrency: own }),
    ahead: before(core, row),
    limits: runningLimits(core, stage.kind),
    ...keyOf(core, row, stage.kind),
    ...nextStage(core, stage),
    ...paceOf(core, stage, at),
  };
}

function isHolderLate(core: Core, { standing, holder }: JobRow, at: number): boolean {
  if (standing !== RUNNING) return false;
  const process = core.statement(HOLDER).get(holder) as { expires_at: number } | undefined;
  return process === undefined || process.expires_at <= at;
}

function before(core: Core, { id, stage, tenant, standing, priority, run_at, crashes }: JobRow): number {
  const found =
    standing === SUSPECT
      ? core.statement(SUSPECTS_BEFORE).get(stage, crashes, priority, run_at, id)
      : core.statement(READY_BEFORE).get(stage, tenant, priority, run_at, id);
  return (found as { count: number }).count;
}

function nextStage(core: Core, { next }: StageRow): Pick<Circumstances, "nextStage"> {
  if (next === undefined) return {};
  const { kind, name } = core.names.stage(next);
  const { ready } = core.statement(READY_JOBS).get(kind, name, MOST_COUNTED) as { ready: number };
  return { nextStage: { stage: name, ready } };
}

/** The stage has a pace, and its next job may start only later. */
export function isPaceSpent(view: ReadView, stage: StageRow, at: number): boolean {
  const { pace } = paceOf(view, stage, at);
  return pace !== undefined && pace.freeAt > at;
}

function paceOf(core: ReadView, stage: StageRow, at: number): Pick<Circumstances, "pace"> {
  const { pace, name } = core.names.stageRules(stage);
  if (!pace || !core.names.namesOf(stage).includes(name)) return {};
  const starts = core.statement(STARTS).all(core.names.paceOwner(stage), at - pace.perMs, at);
  return { pace: { ...pace, freeAt: new RateWindow(pace, starts as unknown as WindowEntry[], at).freeAt(1) } };
}
