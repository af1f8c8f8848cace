import { kindWorker, MOST_COUNTED, type WorkerFacts } from "../../circumstances.ts";
import { READY, RUNNING, SUSPECT } from "../../codes.ts";
import type { Circumstances } from "../../verbs/circumstances.ts";
import { RateWindow, type WindowEntry } from "../../window.ts";
import { NOT_BUNDLED, runningOf } from "../claim/pick.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { SNAPSHOT } from "../connection/connections.ts";
import type { Core } from "../core.ts";
import { keyOf } from "../keys/circumstances.ts";
import { runningLimits } from "../keys/room.ts";
import { NAMES_VERSION, type StageRow } from "../register/names.ts";
import { NAMED, type NamedRow, toJobs } from "./row.ts";

const FIND = `${NAMED} WHERE job.id = $1::bigint`;
// A bundle holds jobs whose rows still say that they are ready.
const STAGE = `SELECT ${NOW} AS at, kind.paused, coalesce(plan.needs, 0) AS needs, deployment.label AS pinned_to,
    ${runningOf("$3::int")}::int AS tenant_running, ${NAMES_VERSION} AS version,
    (SELECT instance.name FROM millrace.bundle JOIN millrace.instance ON instance.id = bundle.holder
      WHERE $4::bigint = ANY(bundle.jobs) LIMIT 1) AS claimed_by,
    coalesce((SELECT expires_at > ${NOW} FROM millrace.instance WHERE id = $5::bigint), false) AS holder_lives
  FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind LEFT JOIN millrace.plan ON plan.id = stage.plan
    LEFT JOIN millrace.deployment ON deployment.id = stage.pin WHERE stage.id = $2`;
const WORKERS = `SELECT instance.name AS process, deployment.label AS deployment, serves, policy, level, draining,
    ((SELECT count(*) FROM millrace.job JOIN millrace.stage ON stage.id = job.stage
      WHERE standing = ${RUNNING} AND holder = instance.id AND stage.kind = worker.kind AND stage.name = ANY($3::text[]))
    + (SELECT count(*) FROM millrace.bundle, unnest(bundle.jobs) AS named (id), LATERAL (SELECT stage FROM millrace.job
      WHERE job.id = named.id LIMIT 1) AS job JOIN millrace.stage ON stage.id = job.stage
      WHERE bundle.holder = instance.id AND stage.kind = worker.kind AND stage.name = ANY($3::text[])))::int AS running
  FROM millrace.worker JOIN millrace.instance ON instance.id = worker.instance
    JOIN millrace.deployment ON deployment.id = worker.deployment
  WHERE worker.kind = $2 AND instance.expires_at > ${NOW} ORDER BY instance.id`;
const READY_BEFORE = `SELECT count(*)::int AS count FROM (SELECT 1 FROM millrace.job WHERE standing = ${READY} AND stage = $1
  AND tenant = $2 AND (priority, run_at, id) < ($3::int, $4::bigint, $5::bigint) AND ${NOT_BUNDLED} LIMIT ${MOST_COUNTED}) AS counted`;
const SUSPECTS_BEFORE = `SELECT count(*)::int AS count FROM (SELECT 1 FROM millrace.job WHERE standing = ${SUSPECT} AND stage = $1
  AND (-crashes, priority, run_at, id) < (-$2::int, $3::int, $4::bigint, $5::bigint) LIMIT ${MOST_COUNTED}) AS counted`;
const READY_JOBS = `SELECT count(*)::int AS count FROM (SELECT 1 FROM millrace.job WHERE standing = ${READY} AND stage = ANY($1::int[])
  AND ${NOT_BUNDLED} LIMIT ${MOST_COUNTED}) AS counted`;
const STARTS = `SELECT at, count FROM millrace.window_entry WHERE what = 'start' AND owner = $1
  AND at > $2::bigint AND at <= $3::bigint ORDER BY at`;

interface StageFacts {
  at: number;
  paused: boolean;
  needs: number;
  pinned_to: string | null;
  tenant_running: number;
  version: string;
  claimed_by: string | null;
  holder_lives: boolean;
}

/** All facts come from one snapshot, so a job that moves on meanwhile is seen either before or after its move. */
export async function circumstances(core: Core, jobId: string): Promise<Circumstances | undefined> {
  const key = core.ids.decode(jobId);
  if (key === undefined) return undefined;
  return core.connections.read.transact(
    async (tx) => {
      const [row] = await tx.run<NamedRow>(FIND, [key]);
      return row && around(core, tx, row);
    },
    { begin: SNAPSHOT },
  );
}

async function around(core: Core, tx: StatementRunner, row: NamedRow): Promise<Circumstances> {
  const { given } = core.clock;
  const [facts] = await tx.run<StageFacts>(STAGE, [given, row.stage, row.tenant, row.id, row.holder]);
  const { at, paused, needs, pinned_to, tenant_running, version, claimed_by, holder_lives } = facts as StageFacts;
  await core.names.changedTo(version);
  const [job] = await toJobs(core, [row]);
  const stage = core.names.stage(row.stage);
  const names = core.names.namesOf(stage);
  const own = core.names.ownLimits.of(row.tenant)?.concurrency;
  const workers = await tx.run<WorkerFacts>(WORKERS, [given, stage.kind, texts(names)]);
  return {
    at,
    job: job as Circumstances["job"],
    isPaused: paused,
    needs,
    ...(pinned_to !== null && { pinnedTo: pinned_to }),
    ...(claimed_by !== null && { claimedBy: claimed_by }),
    isHolderLate: row.standing === RUNNING && !holder_lives,
    workers: workers.map((worker) => kindWorker(worker, names, core.options.limits)),
    tenantRunning: tenant_running,
    ...(own !== undefined && { ownConcurrency: own }),
    ahead: await before(tx, row),
    limits: await runningLimits(core, tx, stage.kind),
    ...(row.concurrency_key !== null && (await keyOf(core, tx, row.id))),
    ...(await nextStage(core, tx, stage)),
    ...(await paceOf(core, tx, stage, at)),
  };
}

async function before(tx: StatementRunner, row: NamedRow): Promise<number> {
  const { id, stage, tenant, standing, priority, run_at, crashes } = row;
  const [found] =
    standing === SUSPECT
      ? await tx.run<{ count: number }>(SUSPECTS_BEFORE, [stage, crashes, priority, run_at, id])
      : await tx.run<{ count: number }>(READY_BEFORE, [stage, tenant, priority, run_at, id]);
  return found?.count ?? 0;
}

async function nextStage(
  core: Core,
  tx: StatementRunner,
  { next }: StageRow,
): Promise<Pick<Circumstances, "nextStage">> {
  if (next === undefined) return {};
  const stage = core.names.stage(next);
  const [found] = await tx.run<{ count: number }>(READY_JOBS, [numbers(core.names.sharing(stage))]);
  return { nextStage: { stage: stage.name, ready: found?.count ?? 0 } };
}

/** The stage has a pace, and its next job may start only later. */
export async function isPaceSpent(core: Core, db: StatementRunner, stage: StageRow, at: number): Promise<boolean> {
  const { pace } = await paceOf(core, db, stage, at);
  return pace !== undefined && pace.freeAt > at;
}

async function paceOf(
  core: Core,
  tx: StatementRunner,
  stage: StageRow,
  at: number,
): Promise<Pick<Circumstances, "pace">> {
  const { pace, name } = core.names.stageRules(stage);
  if (!pace || !core.names.namesOf(stage).includes(name)) return {};
  const starts = await tx.run<WindowEntry>(STARTS, [core.names.paceOwner(stage), at - pace.perMs, at]);
  return { pace: { ...pace, freeAt: new RateWindow(pace, starts, at).freeAt(1) } };
}
