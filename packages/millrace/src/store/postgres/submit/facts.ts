// What a group of submissions must look at before it is decided: keys used before, live unique keys, the limits' room.
// Read in a few statements for all of them, under their locks, and kept up to date in memory while they are decided.

import type { StoredJob } from "../../decide/join.ts";
import type { KeyOwner } from "../../decide/refusals.ts";
import { type Acceptance, isDue, type KnownAnswer, type SubmissionFacts } from "../../decide/submission.ts";
import type { FirstAnswer } from "../../rows/first-answer.ts";
import type { StoreLimits } from "../../store.ts";
import type { NewJob, Submission } from "../../verbs/submission.ts";
import type { RateWindow } from "../../window.ts";
import { liftDue } from "../claim/claim-due.ts";
import { NOT_BUNDLED, runningOf } from "../claim/pick.ts";
import { numbers, texts } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";
import { lockShared } from "../sharing/share.ts";
import type { Entry } from "./insert.ts";
import { openWindows, purgeWindows } from "./window.ts";

const FIND_IDEMPOTENT = `SELECT asked.tenant, asked.key, fingerprint, jobs, created_at
  FROM unnest($1::int[], $2::text[]) AS asked (tenant, key), LATERAL (SELECT fingerprint, jobs, created_at FROM millrace.idempotency
    WHERE idempotency.tenant = asked.tenant AND idempotency.key = asked.key LIMIT 1) AS found`;
const FIND_UNIQUE = `SELECT asked.kind, asked.tenant, asked.key, job.id, job.stage, job.standing
  FROM unnest($1::int[], $2::int[], $3::text[]) AS asked (kind, tenant, key), LATERAL (SELECT job FROM millrace.unique_key
    WHERE unique_key.kind = asked.kind AND unique_key.tenant = asked.tenant AND unique_key.key = asked.key LIMIT 1) AS found,
  LATERAL (SELECT id, stage, standing FROM millrace.job WHERE job.id = found.job LIMIT 1) AS job`;
const RUNNING_NOW = `SELECT tenant, ${runningOf("asked.tenant")}::int AS running FROM unnest($1::int[]) AS asked (tenant)`;
// No more than need be counted: past the bound it makes no difference by how much.
const WAITING = `SELECT asked.stage, (SELECT count(*)::int FROM (SELECT 1 FROM millrace.job
    WHERE standing = 1 AND job.stage = asked.stage AND ${NOT_BUNDLED} LIMIT $2::bigint) AS ready)
  + (SELECT count(*)::int FROM millrace.job WHERE standing = 2 AND job.stage = asked.stage) AS waiting
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
}

/** Jobs with flags start in the twin of the plan. */
function startName(kind: string, flags = 0): string {
  return flags === 0 ? kind : `${kind} twin`;
}

/** The facts of all submissions that are decided together. */
export class GroupFacts {
  readonly #core: Core;
  readonly #now: number;
  readonly #known = new Map<string, KnownAnswer>();
  readonly #unique = new Map<string, LiveJob>();
  #windows = new Map<number, RateWindow>();
  readonly #running = new Map<number, number>();
  readonly #waiting = new Map<number, number>();
  #shared = new Set<string>();
  /** The first stage of each kind and of its twin, as it was when the locks were taken. */
  readonly #starts: ReadonlyMap<string, StageRow | undefined>;

  private constructor(core: Core, jobs: readonly NewJob[], now: number) {
    this.#core = core;
    this.#now = now;
    const starts = new Map(jobs.map(({ kind, flags }) => [startName(kind, flags), { kind, flags }]));
    this.#starts = new Map([...starts].map(([name, { kind, flags }]) => [name, core.names.firstStage(kind, flags)]));
  }

  static async load(
    core: Core,
    tx: StatementRunner,
    asked: { submission: Submission; tenant: number }[],
    { entries, now, isCallers = false }: FactsRequest,
  ): Promise<GroupFacts> {
    const jobs = asked.flatMap(({ submission }) => submission.jobs);
    const facts = new GroupFacts(core, jobs, now);
    await facts.#loadKeys(tx, asked, entries);
    const shares = entries.flatMap(({ job }) => (job.completed ? [job.completed.share] : []));
    if (shares.length > 0) facts.#shared = await lockShared(tx, shares);
    const { limits } = core.options;
    const tenants = [...new Set(asked.map(({ tenant }) => tenant))];
    if (limits.maxNewJobsPerMinute > 0) {
      const limit = { what: "submit" as const, count: limits.maxNewJobsPerMinute, perMs: 60_000 };
      if (!isCallers) await purgeWindows(tx, limit, tenants, now);
      facts.#windows = await openWindows(tx, limit, tenants, now);
    }
    if (limits.maxConcurrentPerTenant > 0) {
      for (const row of await tx.run<{ tenant: number; running: number }>(RUNNING_NOW, [numbers(tenants)]))
        facts.#running.set(row.tenant, row.running);
    }
    if (limits.queueMax > 0 && entries.length > 0) {
      // A due job takes room also while nobody claims.
      if (!isCallers) await liftDue(core, tx, now);
      await facts.#loadQueues(tx, entries);
    }
    return facts;
  }

  async #loadQueues(tx: StatementRunner, entries: Entry[]): Promise<void> {
    const { names, options } = this.#core;
    // Jobs of all plans wait in one queue.
    const stages = new Set(entries.flatMap(({ stage }) => names.sharing(stage)));
    const values = [numbers(stages), options.limits.queueMax];
    for (const row of await tx.run<{ stage: number; waiting: number }>(WAITING, values))
      this.#addWaiting(names.stage(row.stage), row.waiting);
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
    await this.#core.names.knowStages(rows.map(({ stage }) => stage));
    for (const { kind, tenant, key, ...job } of rows) this.#unique.set(uniqueName(kind, tenant, key), job);
  }

  /** The facts of one submission of the group. `endingJob`: the key of a job that the same commit ends. */
  of(tenant: number, endingJob?: number): SubmissionFacts<LiveJob> {
    const core = this.#core;
    const limits: StoreLimits = core.options.limits;
    return {
      now: this.#now,
      limits,
      // A server with a full disk refuses the write itself.
      isDiskFull: false,
      idempotentSince: core.ages.before(limits.idempotencyMs),
      firstAnswer: (key) => this.#known.get(`${tenant} ${key}`),
      firstStage: (kind, flags) => this.#starts.get(startName(kind, flags)),
      isShared: (key) => this.#shared.has(key),
      liveJob: (kind, key) => this.#unique.get(uniqueName(kind, tenant, key)),
      isEnding: ({ id }) => id !== undefined && id === endingJob,
      ownerOf: (live) => keyOwner(core, live),
      newJobs: () => this.#windows.get(tenant) as RateWindow,
      running: () => this.#running.get(tenant) ?? 0,
      waiting: ({ queue }) => this.#waiting.get(queue) ?? 0,
    };
  }

  /** The submission is accepted: those decided after it find its keys used and its room taken. */
  accept(submission: Submission, accepted: Acceptance<LiveJob>, tenant: number, first: FirstAnswer): void {
    const { idempotency } = submission;
    if (idempotency)
      this.#known.set(`${tenant} ${idempotency.key}`, { fingerprint: idempotency.fingerprint, first, at: this.#now });
    for (const { stored, index } of storedOf(accepted)) {
      const { job, stage } = stored;
      if (job.uniqueKey !== undefined) {
        const live = { made: { first, index }, stage: stage.id, standing: 0 };
        this.#unique.set(uniqueName(stage.kind, tenant, job.uniqueKey), live);
      }
      if (isDue(job, this.#now)) this.#addWaiting(stage, 1);
    }
    this.#windows.get(tenant)?.take(accepted.added.length);
  }

  #addWaiting({ queue }: StageRow, count: number): void {
    this.#waiting.set(queue, (this.#waiting.get(queue) ?? 0) + count);
  }
}

/** The jobs to store, each with its index in the submission. */
export function storedOf({
  added,
  sources,
}: Pick<Acceptance<LiveJob>, "added" | "sources">): { stored: StoredJob; index: number }[] {
  if (sources === undefined) return added.map((stored, index) => ({ stored, index }));
  return sources.flatMap((source, index) => (source.from === "new" ? [{ stored: source.stored, index }] : []));
}
