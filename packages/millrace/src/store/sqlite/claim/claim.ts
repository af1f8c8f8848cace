// SQLite has one writer, so BEGIN IMMEDIATE does what SKIP LOCKED does in PostgreSQL: no two claims run at the same
// time.
//
// A claim takes the lanes with the lowest turn, then the first jobs of each by (priority, run_at, key). Every look-up
// goes through a partial index, so its cost depends on the jobs taken, not on those that wait, are scheduled or done.

import { suspectShare, suspectsToClaim } from "../../../job/crash.ts";
import type { ClaimedJob } from "../../../job/lease.ts";
import { afterDeadlineUnstarted } from "../../../job/lifecycle.ts";
import { ENDS_BATCH } from "../../children/codes.ts";
import { READY, RUNNING, SUSPECT } from "../../codes.ts";
import { listOf } from "../../columns/column.ts";
import { claimFromEach } from "../../plans/claim-shares.ts";
import { CLAIMED_COLUMNS, type ClaimedColumn, claimedJob } from "../../rows/claimed-job.ts";
import { type JobRow, standpoint, startWindowMs } from "../../rows/job-row.ts";
import type { ClaimAnswer, ClaimRequest } from "../../verbs/attempts.ts";
import { isWoken } from "../../waits/codes.ts";
import { endedBatchOf } from "../batches/ended.ts";
import type { Core } from "../core.ts";
import { roomOfKind } from "../keys/room.ts";
import { findRow, payloadOf, resultOf } from "../read/row.ts";
import type { StageRow } from "../register/names.ts";
import { apply } from "../settle/apply.ts";
import { lastDeathAt } from "../settle/deaths.ts";
import { type WindowLimit, windowFreeAt, windowRoom, windowTake } from "../submit/window.ts";
import { liftDue, nextDueAt } from "./claim-due.ts";
import { MAY_START, setStageTurn, WeightedTurns } from "./weighted.ts";

const STAGE = `SELECT stage.ready, stage.suspect, stage.scheduled, stage.turn, kind.paused
  FROM stage JOIN kind ON kind.id = stage.kind WHERE stage.id = ?`;
const QUEUE = "SELECT sum(ready) AS ready FROM stage WHERE kind = ? AND name = ?";
// `blocked` may come from a process with another limit. Without a look at the tenant itself, a claim would loop for
// ever.
const LANES = `SELECT lane.tenant, ${MAY_START} AS may_start FROM lane JOIN tenant ON tenant.id = lane.tenant
  WHERE stage = ?1 AND ready > 0 AND blocked = 0 AND may_start > 0 ORDER BY turn LIMIT ?3`;
/** The columns that a claim reads for every job. */
const COLUMNS = listOf([...CLAIMED_COLUMNS, "stage", "standing"], "job");
const READY_JOBS = `SELECT ${COLUMNS} FROM job WHERE standing = ${READY} AND stage = ? AND tenant = ?
  ORDER BY priority, run_at, id LIMIT ?`;
const SUSPECT_JOBS = `SELECT ${COLUMNS} FROM job JOIN tenant ON tenant.id = job.tenant
  WHERE standing = ${SUSPECT} AND stage = ?1 AND ${MAY_START} > 0
  ORDER BY crashes DESC, priority, run_at, job.id LIMIT 1`;
const MOST_CRASHES = `SELECT max(crashes) AS crashes FROM job WHERE standing = ${SUSPECT} AND stage = ?`;
const CLAIM = `UPDATE job SET standing = ${RUNNING}, token = ?1, holder = ?2, slot = ?3, attempt = failures + crashes + 1, started_at = ?4,
  updated_at = ?4, expires_at = NULL, progress = NULL WHERE id = ?5`;

type ClaimRow = Pick<JobRow, ClaimedColumn | "stage" | "standing">;

interface StageState {
  ready: number;
  suspect: number;
  scheduled: number;
  turn: number;
  paused: number;
}

/** The answer to a claim that would find nothing. Idle pools claim often, and the write lock is expensive. */
export function idleClaim(core: Core, request: ClaimRequest): { answer: ClaimAnswer } | undefined {
  return mayClaim(core, request) ? undefined : { answer: nothingToClaim(core, request) };
}

function mayClaim(core: Core, request: ClaimRequest): boolean {
  if (request.slots.length === 0) return false;
  core.names.refresh();
  return servedBy(core, request).some((stage) => mayClaimFrom(core, stage, request));
}

function servedBy(core: Core, { kind, stage, renamedFrom = NO_NAMES }: ClaimRequest): readonly StageRow[] {
  return core.names.served(kind, [stage, ...renamedFrom]);
}

const NO_NAMES: string[] = [];

function mayClaimFrom(core: Core, stage: StageRow, request: ClaimRequest): boolean {
  const state = core.statement(STAGE).get(stage.id) as unknown as StageState;
  if (roomOfKind(core, stage.kind) === 0) return false;
  if (state.ready > 0 || (state.suspect > 0 && request.suspects > 0)) return true;
  return state.scheduled > 0 && (nextDueAt(core) ?? Number.POSITIVE_INFINITY) <= core.clock.now();
}

export function claim(core: Core, request: ClaimRequest): ClaimAnswer {
  if (core.instances.needsRenewal) core.instances.renew();
  core.names.refresh();
  const served = servedBy(core, request);
  if (served.length > 1) core.counts.flushQueues();
  // Rows of old plans stay while a job refers to them: only those with jobs take turns.
  const waiting = served.length > 1 ? served.filter((stage) => mayClaimFrom(core, stage, request)) : served;
  if (waiting.length === 0) return nothingToClaim(core, request);
  return claimFromEach(waiting, request, (stage, part) => claimFrom(core, stage, part));
}

function claimFrom(core: Core, stage: StageRow, request: ClaimRequest): ClaimAnswer {
  const now = core.clock.now();
  core.places.settle();
  core.counts.flushQueues();
  let state = core.statement(STAGE).get(stage.id) as unknown as StageState;
  if (state.scheduled > 0 && liftDue(core, now)) {
    core.places.settle();
    core.counts.flush();
    state = core.statement(STAGE).get(stage.id) as unknown as StageState;
  }
  const { queueMax } = core.options.limits;
  // An accepted job is never dropped, so this stage waits while the queue of the next stage is full.
  if (state.paused || (queueMax > 0 && nextReady(core, stage) >= queueMax)) return { jobs: [] };

  const pace: WindowLimit | undefined = request.pace && {
    what: "start",
    owner: stage.paceOwner ?? stage.queue,
    ...request.pace,
  };
  const free = Math.min(request.slots.length, roomOfKind(core, stage.kind));
  if (free === 0) return { jobs: [], ...at(nextDueAt(core)) };
  const room = pace ? Math.min(free, windowRoom(core, pace, now)) : free;
  if (room <= 0) return { jobs: [], nextAt: windowFreeAt(core, pace as WindowLimit, now, 1) };

  const claiming = new ClaimInProgress(core, stage, request, now, room);
  const suspects = state.suspect > 0 ? suspectsFor(core, stage, request) : 0;
  if (suspects > 0) claiming.suspects(Math.min(suspects, state.ready > 0 ? suspectShare(room, request) : room));
  if (state.ready > 0) claiming.lanes(state.turn);
  if (suspects > 0) claiming.suspects(suspects);
  // A job that was woken has started before, and is not counted again.
  if (pace && claiming.startCount > 0) windowTake(core, pace, now, claiming.startCount);
  const nextAt = pace && room === claiming.jobs.length ? windowFreeAt(core, pace, now, 1) : nextDueAt(core);
  const suspectsWait = state.suspect > claiming.suspectCount;
  return { jobs: claiming.jobs, ...(nextAt !== undefined && { nextAt }), ...(suspectsWait && waitingSuspects(core)) };
}

function at(moment: number | undefined): Pick<ClaimAnswer, "nextAt"> {
  return moment === undefined ? {} : { nextAt: moment };
}

function suspectsFor(core: Core, stage: StageRow, request: ClaimRequest): number {
  const { crashes } = core.statement(MOST_CRASHES).get(stage.id) as { crashes: number };
  return suspectsToClaim(
    request,
    { lastDeathAt: lastDeathAt(core), mostCrashes: crashes },
    core.names.stageRules(stage),
  );
}

function waitingSuspects(core: Core): Pick<ClaimAnswer, "suspectsWait" | "lastDeathAt"> {
  return { suspectsWait: true, lastDeathAt: lastDeathAt(core) };
}

/** How many jobs are ready for the stage that the plan names next. */
function nextReady(core: Core, { next }: StageRow): number {
  if (next === undefined) return 0;
  const { kind, name } = core.names.stage(next);
  return (core.statement(QUEUE).get(kind, name) as { ready: number }).ready;
}

/** The answer of a claim that finds no jobs. */
function nothingToClaim(core: Core, request: ClaimRequest): ClaimAnswer {
  const states = servedBy(core, request).map(({ id }) => core.statement(STAGE).get(id) as unknown as StageState);
  const nextAt = nextDueAt(core);
  return {
    jobs: [],
    ...(nextAt !== undefined && { nextAt }),
    ...(states.some(({ suspect }) => suspect > 0) && waitingSuspects(core)),
  };
}

class ClaimInProgress {
  readonly jobs: ClaimedJob[] = [];
  suspectCount = 0;
  /** How many of the claimed jobs start. A job that was woken has started before. */
  startCount = 0;
  readonly #core: Core;
  readonly #stage: StageRow;
  readonly #request: ClaimRequest;
  readonly #now: number;
  readonly #startedAt: number;
  #room: number;

  constructor(core: Core, stage: StageRow, request: ClaimRequest, now: number, room: number) {
    this.#core = core;
    this.#stage = stage;
    this.#request = request;
    this.#now = now;
    this.#startedAt = core.clock.monotonic();
    this.#room = room;
  }

  /** Claims suspects, up to `most` in all. The jobs closest to becoming dead letters come first. */
  suspects(most: number): void {
    const core = this.#core;
    const cap = core.options.limits.maxConcurrentPerTenant;
    while (this.suspectCount < most && this.#room > 0) {
      const row = core.statement(SUSPECT_JOBS).get(this.#stage.id, cap) as ClaimRow | undefined;
      if (!row) return;
      if (this.#claimRow(row)) this.suspectCount++;
      core.counts.flush();
    }
  }

  /**
   * Serves the lanes turn by turn. With more tenants than room, each gets one job; with fewer, each gets an equal
   * share, and the rest goes to the next.
   */
  lanes(turn: number): void {
    const core = this.#core;
    const cap = core.options.limits.maxConcurrentPerTenant;
    const { leastWeight } = core.names.ownLimits;
    if (leastWeight !== undefined) return this.#weightedLanes(turn, leastWeight);
    let lastTurn = turn;
    while (this.#room > 0) {
      const lanes = core.statement(LANES).all(this.#stage.id, cap, this.#room) as {
        tenant: number;
        may_start: number;
      }[];
      if (lanes.length === 0) break;
      const share = Math.max(1, Math.floor(this.#room / lanes.length));
      for (const lane of lanes) {
        this.#claimFromLane(lane.tenant, Math.min(share, this.#room, lane.may_start));
        core.counts.served(this.#stage.id, lane.tenant, ++lastTurn);
      }
      // Only another look needs the counts; without room, the commit writes them.
      if (this.#room > 0) core.counts.flush();
    }
    if (lastTurn > turn) setStageTurn(core, this.#stage, lastTurn);
  }

  /** The same where tenants have weights. */
  #weightedLanes(turn: number, leastWeight: number): void {
    const core = this.#core;
    const turns = new WeightedTurns(core, this.#stage, turn);
    while (this.#room > 0) {
      const shares = turns.shares(this.#room, leastWeight);
      if (shares.length === 0) break;
      for (const share of shares) turns.served(share, this.#claimFromLane(share.lane.tenant, share.jobs));
      if (this.#room > 0) core.counts.flush();
    }
    turns.write();
  }

  /** Claims up to `most` jobs of the lane. Returns how many it had. */
  #claimFromLane(tenant: number, most: number): number {
    const rows = this.#core.statement(READY_JOBS).all(this.#stage.id, tenant, most) as unknown as ClaimRow[];
    for (const row of rows) this.#claimRow(row);
    return rows.length;
  }

  #claimRow(row: ClaimRow): boolean {
    const core = this.#core;
    const now = this.#now;
    if (row.expires_at !== null && row.expires_at <= now) {
      const whole = findRow(core, row.id) as JobRow;
      apply(core, whole, afterDeadlineUnstarted(standpoint(whole), startWindowMs(whole)), now);
      return false;
    }
    const slot = this.#request.slots[this.jobs.length] as number;
    const token = row.token + 1;
    core.statement(CLAIM).run(token, core.instances.id, slot, now, row.id);
    core.counts.move(row.stage, row.tenant, row.standing, RUNNING);
    const jobId = core.ids.encode(row.id);
    const timeoutMs = row.timeout_ms ?? this.#request.timeoutMs;
    const job = claimedJob(row, {
      lease: { jobId, token, slot },
      tenant: core.names.tenantName(row.tenant),
      payload: payloadOf(core, row),
      input: resultOf(core, row),
      claimedAt: now,
      isLast: this.#stage.next === undefined,
    });
    if (row.flags & ENDS_BATCH) job.workflow = { ...job.workflow, ...endedBatchOf(core, row.id) };
    this.jobs.push(job);
    this.#room--;
    if (!isWoken(row.run_at)) this.startCount++;
    core.leaseBegins({
      key: row.id,
      jobId,
      token,
      stage: row.stage,
      tenant: row.tenant,
      flags: row.flags,
      deadlineAt: timeoutMs === undefined ? Number.POSITIVE_INFINITY : this.#startedAt + timeoutMs,
      retryTimeouts: this.#request.retryTimeouts ?? true,
    });
    return true;
  }
}
