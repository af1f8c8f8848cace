// A claim takes the lanes with the lowest turn, then the first jobs of each by (priority, run_at, key). SKIP LOCKED does
// what BEGIN IMMEDIATE does in SQLite: of several who claim at once each gets others, and nobody waits. Every look-up goes
// through a partial index, so the cost depends on the jobs taken, not on those that wait, are scheduled or done.

import type { ClaimedJob } from "../../job/lease.ts";
import { unpackTrace } from "../../lib/trace-parent.ts";
import { HAS_STEPS } from "../codes.ts";
import type { Claimed, ClaimRequest } from "../store.ts";
import { numbers } from "./arrays.ts";
import { liftDue } from "./claim-due.ts";
import { NOW } from "./clock.ts";
import type { Runner } from "./connection.ts";
import type { Core } from "./core.ts";
import { lock } from "./locks.ts";
import type { StageRow } from "./names.ts";
import { failUnstarted } from "./revoke.ts";
import type { JobRow } from "./row.ts";
import { openWindows, type Window, writeWindow } from "./window.ts";

/** All a claim must know before it takes anything, in one look. */
const LOOK = `SELECT ${NOW} AS now, kind.paused,
    EXISTS (SELECT 1 FROM millrace.lane WHERE lane.stage = stage.id AND lane.active) AS lanes,
    (SELECT count(*)::int FROM (SELECT 1 FROM millrace.job WHERE standing = 2 AND job.stage = stage.id LIMIT 1000) AS s) AS suspects,
    (SELECT run_at FROM millrace.job WHERE standing = 0 ORDER BY run_at LIMIT 1) AS next_due,
    EXISTS (SELECT 1 FROM millrace.job WHERE expires_at IS NOT NULL AND expires_at <= ${NOW} AND standing < 4) AS unstarted,
    $3::int > 0 AND stage.next IS NOT NULL AND
      (SELECT count(*) FROM (SELECT 1 FROM millrace.job WHERE standing = 1 AND job.stage = stage.next LIMIT $3) AS n) >= $3::int AS next_full,
    $3::int > 0 AND EXISTS (SELECT 1 FROM millrace.stage AS before WHERE before.next = stage.id) AND
      (SELECT count(*) FROM (SELECT 1 FROM millrace.job WHERE standing = 1 AND job.stage = stage.id LIMIT $3) AS n) >= $3::int AS full
  FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind WHERE stage.id = $2`;

interface Look {
  now: number;
  paused: boolean;
  lanes: boolean;
  suspects: number;
  next_due: number | null;
  unstarted: boolean;
  next_full: boolean;
  /** The stage before this one waits for room here. */
  full: boolean;
}

const RETURNED = `job.id, job.stage, job.tenant, tenant.name AS tenant_name, job.standing, job.priority, job.run_at, job.token,
  job.failures, job.crashes, job.flags, job.created_at, job.started_at AS now, job.timeout_ms, job.payload, job.output, job.failure,
  job.tags, job.trace`;
// A claim need not wait for the disk: if the server dies alone and forgets it, the job is ready again. Its token must not come
// again, though, so it is no smaller than the moment: whoever holds the forgotten one finds it outdated.
const TAKEN = `standing = 4, token = greatest(job.token + 1, ${NOW}), holder = $2, attempt = job.failures + job.crashes + 1,
  started_at = ${NOW}, updated_at = ${NOW}, expires_at = NULL, progress = NULL`;

// $3 stage, $4 slots, $5 the tenants whose places are locked (NULL: no bound on places), $6 the bound.
// The planner must not join with the whole backlog, whatever it thinks of the parts (48 ms at 40,000 jobs): the look for any job has
// an order and a LIMIT of its own where EXISTS would do, and the rows to take are named as an array.
// With more tenants than room one job each, with fewer an equal share; what is left over goes to the next round.
const TAKE = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
  lanes AS MATERIALIZED (SELECT lane.tenant, lane.turn, $6::int - CASE WHEN $5::int[] IS NULL THEN 0 ELSE
      (SELECT count(*) FROM millrace.job WHERE standing = 4 AND job.tenant = lane.tenant) END AS places
    FROM settings, millrace.lane, LATERAL (SELECT 1 FROM millrace.job WHERE standing = 1 AND job.stage = $3 AND job.tenant = lane.tenant
      ORDER BY priority, run_at, id LIMIT 1) AS any_job WHERE lane.stage = $3 AND lane.active AND ($5::int[] IS NULL OR lane.tenant = ANY($5::int[]))
      AND NOT (SELECT kind.paused FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind WHERE stage.id = $3)
    ORDER BY lane.turn, lane.tenant LIMIT cardinality($4::int[])),
  serving AS MATERIALIZED (SELECT * FROM lanes WHERE $5::int[] IS NULL OR places > 0),
  share AS MATERIALIZED (SELECT greatest(1, cardinality($4::int[]) / greatest(1, count(*))) AS most FROM serving),
  picked AS MATERIALIZED (SELECT job.id, row_number() OVER (ORDER BY serving.turn, serving.tenant, job.priority, job.run_at, job.id) AS n
    FROM serving, share, LATERAL (SELECT id, priority, run_at FROM millrace.job WHERE standing = 1 AND job.stage = $3
      AND job.tenant = serving.tenant ORDER BY priority, run_at, id
      LIMIT CASE WHEN $5::int[] IS NULL THEN share.most ELSE least(share.most, serving.places) END FOR UPDATE SKIP LOCKED) AS job),
  turns AS (UPDATE millrace.lane SET turn = nextval('millrace.turn') FROM
    (SELECT lane.stage, lane.tenant FROM millrace.lane JOIN serving ON serving.tenant = lane.tenant WHERE lane.stage = $3
      ORDER BY serving.turn, lane.tenant FOR NO KEY UPDATE OF lane SKIP LOCKED) AS served
    WHERE lane.stage = served.stage AND lane.tenant = served.tenant AND (lane.turn = 0 OR
      (SELECT count(*) FROM (SELECT 1 FROM millrace.lane WHERE lane.stage = $3 AND lane.active LIMIT 2) AS two) > 1)),
  taken AS (UPDATE millrace.job SET ${TAKEN}, slot = ($4::int[])[picked.n] FROM picked, millrace.tenant
    WHERE job.id = ANY(ARRAY(SELECT id FROM picked)) AND job.id = picked.id AND tenant.id = job.tenant RETURNING ${RETURNED}, picked.n, job.slot)
  SELECT taken.*, (SELECT count(*)::int FROM serving) AS lanes FROM (SELECT 1) AS one LEFT JOIN taken ON true ORDER BY taken.n`;

const TAKE_SUSPECTS = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
  picked AS MATERIALIZED (SELECT job.id, row_number() OVER (ORDER BY job.priority, job.run_at, job.id) AS n FROM
    (SELECT job.id, priority, run_at FROM millrace.job, settings WHERE standing = 2 AND job.stage = $3 AND ($5::int[] IS NULL OR
      (job.tenant = ANY($5::int[]) AND (SELECT count(*) FROM millrace.job AS other WHERE other.standing = 4 AND other.tenant = job.tenant) < $6::int))
      ORDER BY priority, run_at, job.id LIMIT cardinality($4::int[]) FOR UPDATE OF job SKIP LOCKED) AS job),
  taken AS (UPDATE millrace.job SET ${TAKEN}, slot = ($4::int[])[picked.n] FROM picked, millrace.tenant
    WHERE job.id = ANY(ARRAY(SELECT id FROM picked)) AND job.id = picked.id AND tenant.id = job.tenant RETURNING ${RETURNED}, picked.n, job.slot)
  SELECT * FROM taken ORDER BY n`;

/** Whose places a bounded claim may take. */
const CANDIDATES = `(SELECT DISTINCT tenant FROM millrace.job WHERE standing = 2 AND stage = $1)
  UNION (SELECT tenant FROM millrace.lane, LATERAL (SELECT 1 FROM millrace.job WHERE standing = 1 AND job.stage = $1
      AND job.tenant = lane.tenant ORDER BY priority, run_at, id LIMIT 1) AS any_job WHERE stage = $1 AND active
    AND (SELECT count(*) FROM millrace.job WHERE standing = 4 AND job.tenant = lane.tenant) < $2::int
    ORDER BY turn, tenant LIMIT $3)`;
const THE_MOMENT = `SELECT ${NOW} AS now`;

/** Scheduled and suspect jobs wait for no longer than this while a stage is busy. */
const LOOK_AGAIN_MS = 50;

type ClaimRow = Pick<
  JobRow,
  | "id"
  | "stage"
  | "tenant"
  | "standing"
  | "priority"
  | "run_at"
  | "token"
  | "failures"
  | "crashes"
  | "flags"
  | "created_at"
  | "timeout_ms"
  | "payload"
  | "output"
  | "failure"
  | "tags"
  | "trace"
> & { tenant_name: string; slot: number; now: number };

export async function claim(core: Core, request: ClaimRequest): Promise<Claimed> {
  await core.names.knowKinds([request.kind]);
  const stage = core.names.findStage(request.kind, request.stage);
  if (!stage || request.slots.length === 0) return { jobs: [] };
  if (core.instances.needsRenewal) await core.instances.renew();
  const startedAt = core.clock.monotonic();
  const quick = await takeAtOnce(core, stage, request);
  if (quick) {
    for (const row of quick.rows) hold(core, request, row, startedAt);
    return { jobs: quick.rows.map((row) => claimedJob(core, row)), ...quick.nextAt };
  }
  const look = await lookAround(core, stage);
  const nextAt = look.next_due === null ? {} : { nextAt: look.next_due };
  if (look.paused || look.next_full) return { jobs: [] };
  if (!look.lanes && (look.suspects === 0 || request.suspects === 0)) {
    return { jobs: [], ...nextAt, ...(look.suspects > 0 && { suspectsWait: true }) };
  }
  const { rows, window } = await take(core, stage, request, look);
  for (const row of rows) hold(core, request, row, startedAt);
  if (look.full && rows.length > 0) {
    core.voice.say("work");
    core.events.wake();
  }
  const suspectsWait = look.suspects > rows.filter(({ crashes }) => crashes > 0).length;
  const paced = window && (rows.length === 0 ? window.room <= 0 : rows.length === window.before);
  return {
    jobs: rows.map((row) => claimedJob(core, row)),
    ...(paced ? { nextAt: window.freeAt } : nextAt),
    ...(suspectsWait && !(paced && rows.length === 0) && { suspectsWait: true }),
  };
}

/**
 * While there is plenty to do, one statement: nothing was due, suspect or late a moment ago, and nothing bounds the claim. It
 * must fill every free processor; else the whole look follows, for the rest of them.
 */
async function takeAtOnce(core: Core, stage: StageRow, request: ClaimRequest) {
  if (core.clock.given !== null) return undefined; // a clock that stands still would make a moment last for ever
  const seen = core.looks.get(stage.id);
  const { queueMax, maxConcurrentPerTenant } = core.options.limits;
  if (!seen || core.clock.monotonic() - seen.at > LOOK_AGAIN_MS || request.pace || maxConcurrentPerTenant > 0)
    return undefined;
  if (queueMax > 0 && core.names.allStages().some((each) => each.next === stage.id || stage.next !== undefined))
    return undefined;
  const { nextAt } = seen;
  if (nextAt !== undefined && nextAt <= core.clock.now()) return undefined;
  const room = request.slots.length;
  const rows = await takeRound(core, core.connections.write, stage, request.slots);
  if (rows.length === room) return { rows, nextAt: nextAt === undefined ? {} : { nextAt } };
  core.looks.delete(stage.id);
  if (rows.length === 0) return undefined;
  return { rows, nextAt: nextAt === undefined ? {} : { nextAt } };
}

/** Jobs that are due become ready, and those that were to start by now fail, before anything is taken. */
async function lookAround(core: Core, stage: StageRow): Promise<Look> {
  const look = async () => {
    const askedAt = performance.now();
    const values = [core.clock.given, stage.id, core.options.limits.queueMax];
    const [row] = await core.connections.write.run<Look>(LOOK, values);
    core.clock.learn((row as Look).now, askedAt);
    remember(core, stage, row as Look);
    return row as Look;
  };
  const first = await look();
  const due = first.next_due !== null && first.next_due <= first.now;
  if (!due && !first.unstarted) return first;
  if (due) await liftDue(core, core.connections.write);
  if (first.unstarted) await failUnstarted(core);
  return look();
}

function remember(core: Core, stage: StageRow, look: Look): void {
  const due = look.next_due !== null && look.next_due <= look.now;
  if (look.paused || look.suspects > 0 || look.unstarted || due || !look.lanes) return void core.looks.delete(stage.id);
  core.looks.set(stage.id, { at: core.clock.monotonic(), ...(look.next_due !== null && { nextAt: look.next_due }) });
}

interface Taken {
  rows: ClaimRow[];
  window?: { before: number; room: number; freeAt: number };
}

async function take(core: Core, stage: StageRow, request: ClaimRequest, look: Look): Promise<Taken> {
  const cap = core.options.limits.maxConcurrentPerTenant;
  const { write } = core.connections;
  if (!request.pace && cap === 0) {
    return { rows: await takeRounds(core, write, { stage, request, look, room: request.slots.length }) };
  }
  return write.transact(async (tx): Promise<Taken> => {
    const { pace } = request;
    const window = pace && (await openPace(core, tx, stage, pace));
    const before = Math.max(0, window?.room ?? request.slots.length);
    const room = Math.min(request.slots.length, before);
    if (window && room === 0) return { rows: [], window: { before, room: 0, freeAt: window.freeAt(1) } };
    const tenants = cap > 0 ? await lockPlaces(core, tx, stage, cap, room) : undefined;
    const rows = await takeRounds(core, tx, { stage, request, look, room, tenants });
    const first = rows[0];
    if (!window || !pace) return { rows };
    if (first) {
      await writeWindow(tx, { what: "start", ...pace }, stage.id, first.now, rows.length);
      window.take(rows.length);
    }
    // Only a claim that used its room up waits for the pace; any other waits for work.
    return { rows, window: { before: room, room: window.room, freeAt: window.freeAt(1) } };
  });
}

async function openPace(
  core: Core,
  tx: Runner,
  stage: StageRow,
  pace: { count: number; perMs: number },
): Promise<Window> {
  await lock(tx, core.connections.target.schema, [`pace ${stage.id}`]);
  const [moment] = await tx.run<{ now: number }>(THE_MOMENT, [core.clock.given]);
  const windows = await openWindows(tx, { what: "start", ...pace }, [stage.id], moment?.now as number);
  return windows.get(stage.id) as Window;
}

/** Nobody else counts or fills these tenants' places until we have committed. */
async function lockPlaces(core: Core, tx: Runner, stage: StageRow, cap: number, room: number): Promise<number[]> {
  const rows = await tx.run<{ tenant: number }>(CANDIDATES, [stage.id, cap, room * 2]);
  const tenants = rows.map(({ tenant }) => tenant);
  await lock(
    tx,
    core.connections.target.schema,
    tenants.map((tenant) => `places ${tenant}`),
  );
  return tenants;
}

interface Rounds {
  stage: StageRow;
  request: ClaimRequest;
  look: Look;
  room: number;
  tenants?: number[] | undefined;
}

async function takeRounds(
  core: Core,
  db: Runner,
  { stage, request, look, room, tenants }: Rounds,
): Promise<ClaimRow[]> {
  const rows: ClaimRow[] = [];
  const cap = core.options.limits.maxConcurrentPerTenant;
  const bound = tenants === undefined ? null : numbers(tenants);
  const { given } = core.clock;
  const values = (slots: number[]) => [given, core.instances.id, stage.id, numbers(slots), bound, cap];
  const free = () => request.slots.slice(rows.length, room);

  // With a bound on places each suspect is counted before the next is taken.
  const suspects = look.suspects === 0 ? 0 : Math.min(request.suspects, room);
  while (rows.length < suspects) {
    const slots = free().slice(0, bound === null ? suspects - rows.length : 1);
    const taken = await db.run<ClaimRow>(TAKE_SUSPECTS, values(slots));
    if (taken.length === 0) break;
    rows.push(...taken);
  }

  // What a round found and did not get, another claim took at the same moment: one more look, then it is theirs.
  for (let vain = 0; rows.length < room && vain < 2; ) {
    const taken = await db.run<ClaimRow & { id: number | null; lanes: number }>(TAKE, values(free()));
    const lanes = taken[0]?.lanes ?? 0;
    const got = taken.filter(({ id }) => id !== null) as ClaimRow[];
    rows.push(...got);
    if (lanes === 0) break;
    if (got.length === 0) vain++;
  }
  return rows;
}

async function takeRound(core: Core, db: Runner, stage: StageRow, slots: number[]): Promise<ClaimRow[]> {
  const values = [core.clock.given, core.instances.id, stage.id, numbers(slots), null, 0];
  const rows = await db.run<ClaimRow & { id: number | null }>(TAKE, values);
  return rows.filter(({ id }) => id !== null) as ClaimRow[];
}

function hold(core: Core, request: ClaimRequest, row: ClaimRow, startedAt: number): void {
  const timeoutMs = row.timeout_ms ?? request.timeoutMs;
  core.held.set(row.id, {
    key: row.id,
    jobId: core.ids.encode(row.id),
    token: row.token,
    stage: row.stage,
    tenant: row.tenant,
    flags: row.flags,
    deadlineAt: timeoutMs === undefined ? Number.POSITIVE_INFINITY : startedAt + timeoutMs,
    retryTimeouts: request.retryTimeouts ?? true,
  });
}

function claimedJob(core: Core, row: ClaimRow): ClaimedJob {
  return {
    lease: { jobId: core.ids.encode(row.id), token: row.token, slot: row.slot },
    tenant: row.tenant_name,
    payload: row.payload,
    attempt: row.failures + row.crashes + 1,
    priority: row.priority,
    tags: row.tags === null ? [] : JSON.parse(row.tags),
    createdAt: row.created_at,
    runAt: row.run_at,
    claimedAt: row.now,
    crashes: row.crashes,
    hasSteps: (row.flags & HAS_STEPS) !== 0,
    ...(row.output !== null && { input: row.output }),
    ...(row.trace !== null && unpackTrace(row.trace)),
    ...(row.timeout_ms !== null && { timeoutMs: row.timeout_ms }),
    ...(row.failure !== null && { failure: JSON.parse(row.failure) }),
  };
}
