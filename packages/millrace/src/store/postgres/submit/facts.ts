// What a group of submissions must look at before it is decided: keys used before, live unique keys, the limits' room.
// Read in a few statements for all of them, under their locks, and kept up to date in memory while they are decided.

import { READY, SUSPECT } from "../../codes.ts";
import { lastWins, type NewFollower, type StoredJob } from "../../decide/join.ts";
import type { KeyOwner } from "../../decide/refusals.ts";
import { type Acceptance, isDue, type KnownAnswer, type SubmissionFacts } from "../../decide/submission.ts";
import { flagsOf } from "../../keys/codes.ts";
import type { FirstAnswer } from "../../rows/first-answer.ts";
import type { NewJob, Submission } from "../../verbs/submission.ts";
import type { RateWindow } from "../../window.ts";
import { liftDue } from "../claim/claim-due.ts";
import { NOT_BUNDLED, runningOf } from "../claim/pick.ts";
import { numbers, texts } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedKey } from "../followers/unclaimed.ts";
import type { StageRow } from "../register/names.ts";
import { lockShared } from "../sharing/share.ts";
import type { Entry } from "./insert.ts";
import { limitsOf } from "./limits-of.ts";
import { findThrottled } from "./throttle.ts";
import { openWindows, purgeWindows, type WindowLimit } from "./window.ts";

const FIND_IDEMPOTENT = `SELECT asked.tenant, asked.key, fingerprint, jobs, created_at
  FROM unnest($1::int[], $2::text[]) AS asked (tenant, key), LATERAL (SELECT fingerprint, jobs, created_at FROM millrace.idempotency
    WHERE idempotency.tenant = asked.tenant AND idempotency.key = asked.key LIMIT 1) AS found`;
const FIND_UNIQUE = `SELECT asked.kind, asked.tenant, asked.key, job.id, job.stage, job.standing
  FROM unnest($1::int[], $2::int[], $3::text[]) AS asked (kind, tenant, key), LATERAL (SELECT job FROM millrace.unique_key
    WHERE unique_key.kind = asked.kind AND unique_key.tenant = asked.tenant AND unique_key.key = asked.key LIMIT 1) AS found,
  LATERAL (SELECT id, stage, standing FROM millrace.job WHERE job.id = found.job LIMIT 1) AS job`;
const FIND_UNPLACED = `SELECT asked.kind, asked.tenant, asked.key, job.id, job.stage, job.standing
  FROM unnest($1::int[], $2::int[], $3::text[]) AS asked (kind, tenant, key)
    JOIN millrace.follower_caller AS unplaced
      ON unplaced.kind = asked.kind AND unplaced.tenant = asked.tenant AND unplaced.key = asked.key
    JOIN millrace.job ON job.id = unplaced.job`;
const RUNNING_NOW = `SELECT tenant, ${runningOf("asked.tenant")}::int AS running FROM unnest($1::int[]) AS asked (tenant)`;
// Counts no further than the bound.
const WAITING_OF_TENANT = `SELECT asked.stage, (SELECT count(*)::int FROM (SELECT 1 FROM millrace.job
    WHERE standing = ${READY} AND job.stage = asked.stage AND job.tenant = $3::int AND ${NOT_BUNDLED} LIMIT $2::bigint) AS ready)
  + (SELECT count(*)::int FROM millrace.job WHERE standing = ${SUSPECT} AND job.stage = asked.stage AND job.tenant = $3::int) AS waiting
  FROM unnest($1::int[]) AS asked (stage)`;
const WAITING = `SELECT asked.stage, (SELECT count(*)::int FROM (SELECT 1 FROM millrace.job
    WHERE standing = ${READY} AND job.stage = asked.stage AND ${NOT_BUNDLED} LIMIT $2::bigint) AS ready)
  + (SELECT count(*)::int FROM millrace.job WHERE standing = ${SUSPECT} AND job.stage = asked.stage) AS waiting
  FROM unnest($1::int[]) AS asked (stage)`;

/** A live job with a unique key: one with a row, or one that is accepted in this very transaction and gets its key with it. */
export type LiveJob = { stage: number; standing: number } & (
  | { id: number }
  | { id?: never; made: { first: FirstAnswer; index: number } }
);

export function uniqueName(kind: number, tenant: number, key: string): string {
  return `${kind} ${tenant} ${key}`;
}

export function keyOwner(
  core: Core,
  { id, standing, stage }: { id?: number; standing: number; stage: number },
): KeyOwner {
  return { standing, stage: core.names.stage(stage), ...(id !== undefined && { jobId: core.ids.encode(id) }) };
}

interface FactsRequest {
  entries: Entry[];
  now: number;
  /** The transaction is the caller's: nothing may be written in it yet. */
  isCallers?: boolean;
  /** What stands under the keys whose jobs may be changed. */
  locked?: ReadonlyMap<string, LockedKey>;
}

/** Jobs with flags start in the twin of the plan. */
function startName(kind: string, flags = 0): string {
  return flags === 0 ? kind : `${kind} twin`;
}

/** Followers of transactions of callers that have no place yet. In such a transaction the next one stands behind them. */
function unplacedOf(entries: readonly Entry[]): [string, string[]] {
  return [
    FIND_UNPLACED,
    [
      numbers(entries.map(({ stage }) => stage.kind)),
      numbers(entries.map(({ tenant }) => tenant)),
      texts(entries.map(({ job }) => job.uniqueKey)),
    ],
  ];
}

/** The facts of all submissions that are decided together. */
export class GroupFacts {
  readonly #core: Core;
  readonly #now: number;
  readonly #known = new Map<string, KnownAnswer>();
  readonly #unique = new Map<string, LiveJob>();
  readonly #followers = new Map<string, LiveJob>();
  readonly #unclaimed = new Map<string, LiveJob>();
  /** The live job of each throttle key, stored or accepted in this transaction. */
  readonly #throttled = new Map<string, LiveJob>();
  readonly #isCallers: boolean;
  readonly #windows = new Map<number, RateWindow>();
  readonly #running = new Map<number, number>();
  readonly #waiting = new Map<number, number>();
  /** The jobs of tenants with a limit of their own, by queue and tenant. */
  readonly #waitingOf = new Map<string, number>();
  #shared = new Set<string>();
  /** The first stage of each kind and of its twin, as it was when the locks were taken. */
  readonly #starts: ReadonlyMap<string, StageRow | undefined>;

  private constructor(core: Core, jobs: readonly NewJob[], { now, isCallers = false, locked }: FactsRequest) {
    this.#core = core;
    this.#now = now;
    this.#isCallers = isCallers;
    for (const [name, { follower, unclaimed }] of locked ?? []) {
      if (follower) this.#followers.set(name, follower);
      if (unclaimed) this.#unclaimed.set(name, unclaimed);
    }
    const starts = new Map(
      jobs.map((job) => [startName(job.kind, flagsOf(job)), { kind: job.kind, flags: flagsOf(job) }]),
    );
    this.#starts = new Map([...starts].map(([name, { kind, flags }]) => [name, core.names.firstStage(kind, flags)]));
  }

  static async load(
    core: Core,
    tx: StatementRunner,
    asked: { submission: Submission; tenant: number }[],
    request: FactsRequest,
  ): Promise<GroupFacts> {
    const { entries, now, isCallers = false } = request;
    const jobs = asked.flatMap(({ submission }) => submission.jobs);
    const facts = new GroupFacts(core, jobs, request);
    await facts.#loadKeys(tx, asked, entries);
    for (const { kind, tenant, key, job } of await findThrottled(tx, entries, now))
      facts.#throttled.set(uniqueName(kind, tenant, key), { id: job, stage: 0, standing: 0 });
    const shares = entries.flatMap(({ job }) => (job.completed ? [job.completed.share] : []));
    if (shares.length > 0) facts.#shared = await lockShared(tx, shares);
    const tenants = [...new Set(asked.map(({ tenant }) => tenant))];
    await facts.#loadWindows(tx, tenants, { purges: !isCallers });
    const capped = tenants.filter((tenant) => limitsOf(core, tenant).concurrency > 0);
    if (capped.length > 0) {
      for (const row of await tx.run<{ tenant: number; running: number }>(RUNNING_NOW, [numbers(capped)]))
        facts.#running.set(row.tenant, row.running);
    }
    const bounded = entries.filter(({ tenant }) => limitsOf(core, tenant).queueMax > 0);
    if (bounded.length > 0) {
      // A due job takes room in the queue even if no process claims it.
      if (!isCallers) await liftDue(core, tx, now);
      await facts.#loadQueues(tx, bounded);
    }
    return facts;
  }

  /** Reads tenants with the same rate together. */
  async #loadWindows(tx: StatementRunner, tenants: readonly number[], { purges }: { purges: boolean }): Promise<void> {
    const alike = new Map<string, { limit: WindowLimit; tenants: number[] }>();
    for (const tenant of tenants) {
      const { rate } = limitsOf(this.#core, tenant);
      if (!rate) continue;
      const name = `${rate.count} ${rate.perMs}`;
      const known = alike.get(name) ?? { limit: { what: "submit", ...rate }, tenants: [] };
      known.tenants.push(tenant);
      alike.set(name, known);
    }
    for (const { limit, tenants: owners } of alike.values()) {
      if (purges) await purgeWindows(tx, limit, owners, this.#now);
      for (const [owner, window] of await openWindows(tx, limit, owners, this.#now)) this.#windows.set(owner, window);
    }
  }

  async #loadQueues(tx: StatementRunner, entries: readonly Entry[]): Promise<void> {
    const { names, options } = this.#core;
    // Jobs of all plans wait in one queue.
    const stagesOf = (some: readonly Entry[]) => numbers(new Set(some.flatMap(({ stage }) => names.sharing(stage))));
    const shared = entries.filter(({ tenant }) => limitsOf(this.#core, tenant).own.queueMax === undefined);
    if (shared.length > 0) {
      const values = [stagesOf(shared), options.limits.queueMax];
      for (const row of await tx.run<{ stage: number; waiting: number }>(WAITING, values))
        this.#addWaiting(names.stage(row.stage), row.waiting);
    }
    const own = Map.groupBy(
      entries.filter((entry) => !shared.includes(entry)),
      ({ tenant }) => tenant,
    );
    for (const [tenant, some] of own) {
      const values = [stagesOf(some), limitsOf(this.#core, tenant).queueMax, tenant];
      for (const row of await tx.run<{ stage: number; waiting: number }>(WAITING_OF_TENANT, values))
        this.#addWaitingOf(tenant, names.stage(row.stage), row.waiting);
    }
  }

  async #loadKeys(
    tx: StatementRunner,
    asked: { submission: Submission; tenant: number }[],
    entries: Entry[],
  ): Promise<void> {
    const keyed = asked.filter(({ submission }) => submission.idempotency !== undefined);
    if (keyed.length > 0) {
      const rows = await tx.run<{ tenant: number; key: string; fingerprint: string; jobs: string; created_at: number }>(
        FIND_IDEMPOTENT,
        [numbers(keyed.map(({ tenant }) => tenant)), texts(keyed.map(({ submission }) => submission.idempotency?.key))],
      );
      for (const { tenant, key, fingerprint, jobs, created_at } of rows)
        this.#known.set(`${tenant} ${key}`, { fingerprint, first: JSON.parse(jobs), at: created_at });
    }
    const unique = entries.filter(({ job }) => job.uniqueKey !== undefined);
    if (unique.length === 0) return;
    const rows = await tx.run<LiveJob & { kind: number; tenant: number; key: string }>(FIND_UNIQUE, [
      numbers(unique.map(({ stage }) => stage.kind)),
      numbers(unique.map(({ tenant }) => tenant)),
      texts(unique.map(({ job }) => job.uniqueKey)),
    ]);
    const last = this.#isCallers ? unique.filter(({ job }) => lastWins(job)) : [];
    if (last.length > 0) rows.push(...(await tx.run<(typeof rows)[0]>(...unplacedOf(last))));
    await this.#core.names.knowStages(rows.map(({ stage }) => stage));
    for (const { kind, tenant, key, ...job } of rows) this.#unique.set(uniqueName(kind, tenant, key), job);
  }

  /** The facts of one submission of the group. `endingJob`: the key of a job that the same commit ends. */
  of(tenant: number, endingJob?: number): SubmissionFacts<LiveJob> {
    const core = this.#core;
    const limits = limitsOf(core, tenant);
    return {
      now: this.#now,
      limits,
      // A server with a full disk refuses the write itself.
      isDiskFull: false,
      idempotentSince: core.ages.before(core.options.limits.idempotencyMs),
      firstAnswer: (key) => this.#known.get(`${tenant} ${key}`),
      firstStage: (kind, flags) => this.#starts.get(startName(kind, flags)),
      isShared: (key) => this.#shared.has(key),
      liveJob: (kind, key) => this.#unique.get(uniqueName(kind, tenant, key)),
      isCallers: this.#isCallers,
      follower: (kind, key) => this.#followers.get(uniqueName(kind, tenant, key)),
      unclaimed: (kind, key) => this.#unclaimed.get(uniqueName(kind, tenant, key)),
      throttled: (kind, key) => this.#throttled.get(uniqueName(kind, tenant, key)),
      isEnding: ({ id }) => id !== undefined && id === endingJob,
      ownerOf: (live) => keyOwner(core, live),
      newJobs: () => this.#windows.get(tenant) as RateWindow,
      running: () => this.#running.get(tenant) ?? 0,
      isOrdered: (stage) => core.names.isOrdered(stage),
      waiting: ({ queue }) =>
        (limits.own.queueMax === undefined ? this.#waiting.get(queue) : this.#waitingOf.get(`${tenant} ${queue}`)) ?? 0,
    };
  }

  /** The submission is accepted: those decided after it find its keys used and its room taken. */
  accept(submission: Submission, accepted: Acceptance<LiveJob>, tenant: number, first: FirstAnswer): void {
    const { idempotency } = submission;
    if (idempotency)
      this.#known.set(`${tenant} ${idempotency.key}`, { fingerprint: idempotency.fingerprint, first, at: this.#now });
    for (const { stored, index, follows } of storedOf(accepted)) {
      const { job, stage } = stored;
      const live = { made: { first, index }, stage: stage.id, standing: 0 };
      const key = follows?.uniqueKey ?? job.uniqueKey;
      if (key !== undefined) {
        const name = uniqueName(stage.kind, tenant, key);
        (follows ? this.#followers : this.#unique).set(name, live);
        this.#unclaimed.set(name, live);
      }
      if (job.throttle) this.#throttled.set(uniqueName(stage.kind, tenant, job.throttle.key), live);
      if (!isDue(job, this.#now)) continue;
      this.#addWaiting(stage, 1);
      this.#addWaitingOf(tenant, stage, 1);
    }
    this.#windows.get(tenant)?.take(accepted.added.length);
  }

  #addWaitingOf(tenant: number, { queue }: StageRow, count: number): void {
    const name = `${tenant} ${queue}`;
    this.#waitingOf.set(name, (this.#waitingOf.get(name) ?? 0) + count);
  }

  #addWaiting({ queue }: StageRow, count: number): void {
    this.#waiting.set(queue, (this.#waiting.get(queue) ?? 0) + count);
  }
}

interface StoredAt {
  stored: StoredJob;
  index: number;
  follows?: NewFollower;
}

/** The jobs to store, each with its index in the submission. */
export function storedOf({ added, sources }: Pick<Acceptance<LiveJob>, "added" | "sources">): StoredAt[] {
  if (sources === undefined) return added.map((stored, index) => ({ stored, index }));
  return sources.flatMap((source, index) =>
    source.from === "new" ? [{ stored: source.stored, index, ...(source.follows && { follows: source.follows }) }] : [],
  );
}
