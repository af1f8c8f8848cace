// A claim looks around once (what is due, suspect, late, paused), then takes (take.ts). Every look-up goes through a partial
// index, so the cost depends on the jobs taken, not on those that wait, are scheduled or done.

import { largestGroup } from "../../../job/crash.ts";
import type { ClaimedJob } from "../../../job/lease.ts";
import { unpackTrace } from "../../../lib/trace-parent.ts";
import { HAS_STEPS } from "../../codes.ts";
import { claimFromEachInTurn } from "../../plans/claim-shares.ts";
import type { Claimed, ClaimRequest } from "../../store.ts";
import type { Window } from "../../window.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Runner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import { failUnstarted } from "../control/revoke.ts";
import type { Core, Held } from "../core.ts";
import { NAMES_VERSION, type StageRow } from "../register/names.ts";
import { openWindows, writeWindow } from "../submit/window.ts";
import type { Bundle } from "./bundles.ts";
import { liftDue } from "./claim-due.ts";
import { lockClaims, NOT_BUNDLED, runningOf } from "./pick.ts";
import { type TakenRow, takeOnce, takeRounds } from "./take.ts";

// Each part has the order of its index: before the first ANALYZE the planner would rather read the whole table (7 ms at 150,000 jobs).
/** All a claim must know before it takes anything, in one look. */
const LOOK = `SELECT ${NOW} AS now, kind.paused,
    EXISTS (SELECT 1 FROM millrace.lane WHERE lane.stage = stage.id AND lane.active) AS lanes,
    (SELECT count(*)::int FROM (SELECT 1 FROM millrace.job WHERE standing = 2 AND job.stage = stage.id
      ORDER BY priority, run_at LIMIT 1000) AS s) AS suspects,
    CASE WHEN EXISTS (SELECT 1 FROM millrace.job WHERE standing = 2 AND job.stage = stage.id) THEN
      (SELECT max(crashes) FROM millrace.job WHERE standing = 2 AND job.stage = stage.id) END AS most_crashes,
    CASE WHEN EXISTS (SELECT 1 FROM millrace.job WHERE standing = 2 AND job.stage = stage.id) THEN
      (SELECT max(died_at) FROM millrace.instance) END AS last_death,
    (SELECT run_at FROM millrace.job WHERE standing = 0 ORDER BY run_at LIMIT 1) AS next_due,
    coalesce((SELECT expires_at FROM millrace.job WHERE expires_at IS NOT NULL AND standing < 4 ORDER BY expires_at LIMIT 1) <= ${NOW}, false)
      AS unstarted,
    $3::int > 0 AND (SELECT count(*) FROM (SELECT 1 FROM millrace.job WHERE standing = 1 AND job.stage = ANY($4::int[]) AND ${NOT_BUNDLED}
      LIMIT $3) AS n) >= $3::int AS next_full,
    $3::int > 0 AND (SELECT count(*) FROM (SELECT 1 FROM millrace.job WHERE standing = 1 AND job.stage = ANY($5::int[]) AND ${NOT_BUNDLED}
      LIMIT $3) AS n) >= $3::int AS full,
    ${NAMES_VERSION} AS version
  FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind WHERE stage.id = $2`;

interface Look {
  now: number;
  paused: boolean;
  lanes: boolean;
  suspects: number;
  /** Of the suspect that has most. */
  most_crashes: number | null;
  last_death: number | null;
  next_due: number | null;
  unstarted: boolean;
  next_full: boolean;
  /** The stage before this one waits for room here. */
  full: boolean;
  version: string;
}

const WITH_WORK = `SELECT asked.stage AS id FROM unnest($1::int[]) AS asked (stage)
  WHERE EXISTS (SELECT 1 FROM millrace.lane WHERE lane.stage = asked.stage AND lane.active)
    OR EXISTS (SELECT 1 FROM millrace.job WHERE standing = 2 AND job.stage = asked.stage)`;
/** Whose places a bounded claim may take. */
const CANDIDATES = `(SELECT DISTINCT tenant FROM millrace.job WHERE standing = 2 AND stage = $1)
  UNION (SELECT tenant FROM millrace.lane, LATERAL (SELECT 1 FROM millrace.job WHERE standing = 1 AND job.stage = $1
      AND job.tenant = lane.tenant ORDER BY priority, run_at, id LIMIT 1) AS any_job WHERE stage = $1 AND active
    AND ${runningOf("lane.tenant")} < $2::int
    ORDER BY turn LIMIT $3)`;
const THE_MOMENT = `SELECT ${NOW} AS now`;

/** Scheduled and suspect jobs wait for no longer than this while a stage is busy. */
const LOOK_AGAIN_MS = 50;

export async function claim(core: Core, request: ClaimRequest): Promise<Claimed> {
  if (request.slots.length === 0) return { jobs: [] };
  if (core.instances.needsRenewal) await core.instances.renew();
  await core.names.knowKinds([request.kind]);
  const { kind, stage, renamedFrom = [] } = request;
  const { version } = core.names;
  const served = await withWork(core, core.names.served(kind, [stage, ...renamedFrom]));
  const claimed = await claimFromEachInTurn(served, request, (row, part) => claimFrom(core, row, part));
  // A plan of another process may have brought a row that this claim did not know.
  if (claimed.jobs.length === 0 && core.names.version !== version) return claim(core, request);
  return claimed;
}

/** Rows of old plans stay for ever: only those with jobs take turns. One is left to look for what becomes due. */
async function withWork(core: Core, served: readonly StageRow[]): Promise<readonly StageRow[]> {
  if (served.length <= 1) return served;
  const rows = await core.connections.write.run<{ id: number }>(WITH_WORK, [numbers(served.map(({ id }) => id))]);
  const waiting = new Set(rows.map(({ id }) => id));
  const found = served.filter(({ id }) => waiting.has(id));
  return found.length > 0 ? found : served.slice(-1);
}

async function claimFrom(core: Core, stage: StageRow, request: ClaimRequest): Promise<Claimed> {
  const startedAt = core.clock.monotonic();
  const answer = async (rows: TakenRow[]) => {
    const jobs = rows.map((row) => hold(core, stage, request, row, startedAt));
    await keepBundles(core, stage, rows);
    return jobs;
  };
  const quick = await takeAtOnce(core, stage, request);
  const jobs = await answer(quick?.rows ?? []);
  if (quick?.enough) return { jobs, ...(quick.nextAt !== undefined && { nextAt: quick.nextAt }) };
  try {
    const { rows, ...more } = await lookAndTake(core, stage, { ...request, slots: request.slots.slice(jobs.length) });
    return { jobs: [...jobs, ...(await answer(rows))], ...more };
  } catch (error) {
    if (jobs.length === 0) throw error;
    return { jobs };
  }
}

/** All that a claim may have to do first, and what it then finds. */
async function lookAndTake(core: Core, stage: StageRow, request: ClaimRequest): Promise<Found> {
  const look = await lookAround(core, stage);
  const nextAt = look.next_due === null ? {} : { nextAt: look.next_due };
  if (look.paused || look.next_full) return { rows: [] };
  const waiting = { suspectsWait: true, lastDeathAt: look.last_death ?? 0 } as const;
  const suspects = suspectsFor(core, stage, request, look);
  if (!look.lanes && suspects === 0) {
    return { rows: [], ...nextAt, ...(look.suspects > 0 && waiting) };
  }
  const { rows, window, againMs, suspectCount } = await take(core, stage, { ...request, suspects }, look);
  if (rows.length < request.slots.length) core.looks.delete(stage.id); // there is no plenty
  if (look.full && rows.length > 0) {
    core.voice.say("work");
    core.events.wake();
  }
  const suspectsWait = look.suspects > suspectCount;
  const paced = window && (rows.length === 0 ? window.room <= 0 : rows.length === window.before);
  const again = againMs > 0 && rows.length < request.slots.length;
  return {
    rows,
    ...(paced ? { nextAt: window.freeAt } : again ? earlier(core.clock.now() + againMs, nextAt.nextAt) : nextAt),
    ...(suspectsWait && !(paced && rows.length === 0) && waiting),
  };
}

/** How many it may take. After a death that the process does not know of, its group must start small again. */
function suspectsFor(core: Core, stage: StageRow, { suspects, group }: ClaimRequest, look: Look): number {
  if (look.suspects === 0) return 0;
  if (!group) return suspects;
  if (group.lastDeathAt !== undefined && group.lastDeathAt !== (look.last_death ?? 0)) return 0;
  const largest = largestGroup({ crashes: look.most_crashes ?? 0 }, core.names.stageRules(stage));
  return Math.max(0, Math.min(suspects, largest - group.running));
}

function earlier(at: number, other = Number.POSITIVE_INFINITY): { nextAt: number } {
  return { nextAt: Math.ceil(Math.min(at, other)) };
}

/** When a stage was last looked at, and when what was seen will change. */
type Seen = { at: number; nextAt?: number };
type Found = Omit<Claimed, "jobs"> & { rows: TakenRow[] };

/**
 * While there is plenty to do, one statement: nothing was due, suspect or late a moment ago, and nothing bounds the claim. If
 * it does not fill every free processor, the whole look follows, for the rest of them.
 */
async function takeAtOnce(core: Core, stage: StageRow, request: ClaimRequest) {
  const seen = core.looks.get(stage.id);
  if (!seen || !mayTakeAtOnce(core, stage, request, seen)) return undefined;
  const taken = await takeOnce(core, stage, request);
  if (!taken.enough) core.looks.delete(stage.id);
  return { ...taken, nextAt: seen.nextAt };
}

function mayTakeAtOnce(core: Core, stage: StageRow, request: ClaimRequest, seen: Seen): boolean {
  if (core.clock.given !== null) return false; // a clock that stands still would make a moment last for ever
  const { queueMax, maxConcurrentPerTenant } = core.options.limits;
  if (core.clock.monotonic() - seen.at > LOOK_AGAIN_MS || request.pace || maxConcurrentPerTenant > 0) return false;
  if (queueMax > 0 && (stage.next !== undefined || stage.position > 0)) return false;
  return seen.nextAt === undefined || seen.nextAt > core.clock.now();
}

/** Jobs that are due become ready, and those that were to start by now fail, before anything is taken. */
async function lookAround(core: Core, stage: StageRow): Promise<Look> {
  const look = async () => {
    const askedAt = performance.now();
    const { queueMax } = core.options.limits;
    const next = queueMax > 0 && stage.next !== undefined ? core.names.sharing(core.names.stage(stage.next)) : [];
    const own = queueMax > 0 && stage.position > 0 ? core.names.sharing(stage) : [];
    const values = [core.clock.given, stage.id, queueMax, numbers(next), numbers(own)];
    const [row] = await core.connections.write.run<Look>(LOOK, values);
    core.clock.learn((row as Look).now, askedAt);
    await core.names.changedTo((row as Look).version);
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
  rows: TakenRow[];
  suspectCount: number;
  /** What it may have overlooked is looked for in so many milliseconds. */
  againMs: number;
  window?: { before: number; room: number; freeAt: number };
}

async function take(core: Core, stage: StageRow, request: ClaimRequest, look: Look): Promise<Taken> {
  const cap = core.options.limits.maxConcurrentPerTenant;
  const { write } = core.connections;
  if (!request.pace && cap === 0) {
    const againMs = core.clock.given === null ? core.marks.restMs(stage.id) : 0;
    const rounds = { stage, request, lanes: look.lanes, room: request.slots.length, fromMarks: againMs > 0 };
    return { ...(await takeRounds(core, rounds)), againMs };
  }
  return write.transact(async (tx): Promise<Taken> => {
    const { pace } = request;
    const { statement, values } = lockClaims(core, stage, { alone: false });
    await tx.run(statement, values);
    const window = pace && (await openPace(core, tx, stage, pace));
    const before = Math.max(0, window?.room ?? request.slots.length);
    const room = Math.min(request.slots.length, before);
    if (window && room === 0) {
      return { rows: [], suspectCount: 0, againMs: 0, window: { before, room: 0, freeAt: window.freeAt(1) } };
    }
    const tenants = cap > 0 ? await lockPlaces(core, tx, stage, cap, room) : undefined;
    const rounds = { stage, request, lanes: look.lanes, room, tenants, fromMarks: false };
    const { rows, suspectCount } = await takeRounds(core, rounds, tx);
    const first = rows[0];
    if (!window || !pace) return { rows, suspectCount, againMs: 0 };
    if (first) {
      await writeWindow(tx, { what: "start", ...pace }, stage.paceOwner ?? stage.queue, first.now, rows.length);
      window.take(rows.length);
    }
    // Only a claim that used its room up waits for the pace; any other waits for work.
    return { rows, suspectCount, againMs: 0, window: { before: room, room: window.room, freeAt: window.freeAt(1) } };
  });
}

async function openPace(
  core: Core,
  tx: Runner,
  stage: StageRow,
  pace: { count: number; perMs: number },
): Promise<Window> {
  const owner = stage.paceOwner ?? stage.queue;
  await lock(tx, core.connections.target.schema, [`pace ${owner}`]);
  const [moment] = await tx.run<{ now: number }>(THE_MOMENT, [core.clock.given]);
  const windows = await openWindows(tx, { what: "start", ...pace }, [owner], moment?.now as number);
  return windows.get(owner) as Window;
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

/** All are known before any is waited for: a job that is held and in no bundle would be looked for among the rows, and missed. */
async function keepBundles(core: Core, stage: StageRow, rows: TakenRow[]): Promise<void> {
  const opened: Bundle[] = [];
  for (const number of new Set(rows.map(({ bundle }) => bundle))) {
    if (number === undefined) continue;
    const ofIt = rows.filter(({ bundle }) => bundle === number);
    const bundle = core.bundles.keep(
      number,
      stage.id,
      ofIt.map(({ id }) => core.held.get(id) as Held),
    );
    if (ofIt.some(({ needsRow }) => needsRow)) opened.push(bundle);
  }
  // If one cannot be opened now, it is tried again as any that has grown old.
  await Promise.allSettled(opened.map((bundle) => core.bundles.open(bundle)));
}

/** From here on the lease is watched, and whoever asked may have it. */
function hold(core: Core, stage: StageRow, request: ClaimRequest, row: TakenRow, startedAt: number): ClaimedJob {
  const jobId = core.ids.encode(row.id);
  const timeoutMs = row.timeout_ms ?? request.timeoutMs;
  core.held.set(row.id, {
    key: row.id,
    jobId,
    token: row.token,
    slot: row.slot,
    stage: stage.id,
    tenant: row.tenant,
    flags: row.flags,
    startedAt: row.now,
    deadlineAt: timeoutMs === undefined ? Number.POSITIVE_INFINITY : startedAt + timeoutMs,
    retryTimeouts: request.retryTimeouts ?? true,
  });
  const job: ClaimedJob = {
    lease: { jobId, token: row.token, slot: row.slot },
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
    isLast: stage.next === undefined,
  };
  if (row.output !== null) job.input = row.output;
  if (row.trace !== null) Object.assign(job, unpackTrace(row.trace));
  if (row.timeout_ms !== null) job.timeoutMs = row.timeout_ms;
  if (row.failure !== null) job.failure = JSON.parse(row.failure);
  return job;
}
