// What every test of the contract stands on: a fresh store with time and chance by hand, kinds to work with, and the
// check that ends each test: the counters are true and nothing lies about that belongs to no job.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Failure } from "../../job/failure.ts";
import type { Job, Standing } from "../../job/job.ts";
import type { KindPlan } from "../../job/kind/plan.ts";
import type { ClaimedJob, Lease } from "../../job/lease.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import { ManualClock } from "../../lib/clock.ts";
import type { Store, StoreEvents, StoreLimits } from "../store.ts";
import type { ClaimRequest, SettleAnswer } from "../verbs/attempts.ts";
import type { NewJob, SubmitAnswer } from "../verbs/submission.ts";
import { wrongCounts } from "./wrong-counts.ts";

/** How one instance (one process's view of the data) is to be opened. */
export interface InstanceOptions {
  clock: ManualClock;
  random: () => number;
  leaseMs: number;
  limits: Partial<StoreLimits>;
  events: StoreEvents;
}

/** The data of one test: as many instances on it as it likes. */
export interface TestData {
  open(options: InstanceOptions): Promise<Store>;
  /** Where a backup may go; opening it is opening a copy of the data. */
  backup(): { path: string; open(options: InstanceOptions): Promise<Store> };
  /** As a newer engine would: the kind's plans ask for more than this one can do. */
  raiseNeeds(kind: string): Promise<void>;
  /** As version 0.1.0 did at every registration: all stages of the kind go on as in this order. */
  rewriteLinks(kind: string, stages: string[]): Promise<void>;
  /** As processes of an older release, which do not say which plans they registered. */
  forgetRegisteredPlans(): Promise<void>;
  /** As if a process of an older release had ended all dead letters. With a cause: one of another version of the patterns. */
  forgetCauses(cause?: string): Promise<void>;
  /** The stage names of each stored plan of a kind. */
  plans(kind: string): Promise<string[][]>;
  /** What is out of true inside the store, in words: counters that lie, rows that belong to nothing. */
  inspect(): Promise<string[]>;
  remove(): Promise<void>;
}

export type OpenData = () => Promise<TestData>;

export interface RigOptions {
  plans?: KindPlan[];
  limits?: Partial<StoreLimits>;
  leaseMs?: number;
}

export type JobSpec = Partial<NewJob> & { tenant?: string };

export const LEASE_MS = 15_000;
export const HOUR_MS = 3_600_000;
/** A kind of one stage, and one of three. */
export const MAIL = planOf("mail", ["running"]);
export const REPORT = planOf("report", ["fetch", "form", "judge"]);

export function planOf(name: string, stages: string[], more: Partial<KindPlan> = {}): KindPlan {
  const each = { maxAttempts: 3, maxCrashes: 3, retry: { baseMs: 1_000, maxMs: 300_000 } };
  return {
    name,
    stages: stages.map((stage) => ({ name: stage, ...each })),
    retention: { finishedMs: HOUR_MS, deadLetterMs: 7 * 24 * HOUR_MS },
    ...more,
  };
}

/** A sentence the store keeps, on a rig of its own. */
export function promise(
  open: OpenData,
  sentence: string,
  body: (rig: Rig) => Promise<void>,
  options: RigOptions = {},
): void {
  test(sentence, async () => {
    const rig = await Rig.open(open, options);
    try {
      await body(rig);
      await rig.checkSound();
    } finally {
      await rig.close();
    }
  });
}

export class Rig {
  readonly clock = new ManualClock();
  readonly data: TestData;
  /** The leases the first instance was told it has lost, as `jobId.token reason`. */
  readonly lost: string[] = [];
  /** What chance says: the jitter of retries, 0 to 1. */
  chance = 0.5;
  store!: Store;
  readonly #options: RigOptions;
  readonly #opened: Store[] = [];

  private constructor(data: TestData, options: RigOptions) {
    this.data = data;
    this.#options = options;
  }

  static async open(open: OpenData, options: RigOptions): Promise<Rig> {
    const rig = new Rig(await open(), options);
    rig.store = await rig.another({
      events: {
        lost: (leases) => rig.lost.push(...leases.map(({ jobId, token, reason }) => `${jobId}.${token} ${reason}`)),
      },
    });
    await rig.store.register(options.plans ?? [MAIL, REPORT]);
    return rig;
  }

  get leaseMs(): number {
    return this.#options.leaseMs ?? LEASE_MS;
  }

  /** One more process on the same data. */
  async another(
    more: Partial<Omit<InstanceOptions, "events">> & { events?: Partial<StoreEvents> } = {},
  ): Promise<Store> {
    const store = await this.data.open(this.instanceOptions(more));
    this.#opened.push(store);
    return store;
  }

  /** One more process, which works on the plan under a label. */
  async worker(plan: KindPlan, deployment?: string): Promise<Store> {
    const store = await this.another();
    await store.register([plan], deployment === undefined ? {} : { deployment });
    return store;
  }

  instanceOptions(
    more: Partial<Omit<InstanceOptions, "events">> & { events?: Partial<StoreEvents> } = {},
  ): InstanceOptions {
    return {
      clock: this.clock,
      random: () => this.chance,
      leaseMs: this.leaseMs,
      limits: this.#options.limits ?? {},
      ...more,
      events: { ...NO_EVENTS, ...more.events },
    };
  }

  async close(): Promise<void> {
    for (const store of this.#opened) await store.close();
    await this.data.remove();
  }

  // ── verbs in few words ──────────────────────────────────────────────────────────────────────────────────────────

  async offer({ tenant = "default", ...job }: JobSpec = {}, by = this.store): Promise<SubmitAnswer> {
    const [answer] = await by.submit([{ tenant, jobs: [{ kind: "mail", payload: "{}", ...job }] }]);
    assert.ok(answer);
    return answer;
  }

  async submit(job: JobSpec = {}, by = this.store): Promise<string> {
    const answer = await this.offer(job, by);
    assert.equal(answer.type, "accepted", JSON.stringify(answer));
    return (answer as { jobIds: string[] }).jobIds[0] as string;
  }

  async claim(count = 1, more: Partial<ClaimRequest> = {}, by = this.store): Promise<ClaimedJob[]> {
    const slots = Array.from({ length: count }, (_, slot) => slot);
    const stage = more.kind === undefined || more.kind === "mail" ? "running" : "fetch";
    const { jobs } = await by.claim({ kind: "mail", stage, slots, suspects: count, ...more });
    return jobs;
  }

  async claimIds(count = 1, more: Partial<ClaimRequest> = {}, by = this.store): Promise<string[]> {
    return (await this.claim(count, more, by)).map(({ lease }) => lease.jobId);
  }

  async claimOne(more: Partial<ClaimRequest> = {}, by = this.store): Promise<ClaimedJob> {
    const jobs = await this.claim(1, more, by);
    assert.equal(jobs.length, 1, "there was a job to claim");
    return jobs[0] as ClaimedJob;
  }

  /** Submits and claims. */
  async running(job: JobSpec = {}, by = this.store): Promise<ClaimedJob> {
    const jobId = await this.submit(job, by);
    const claimed = await this.claimOne({ suspects: 0, ...(job.kind !== undefined && { kind: job.kind }) }, by);
    assert.equal(claimed.lease.jobId, jobId);
    return claimed;
  }

  settle({ lease }: { lease: Lease }, outcome: Outcome, by = this.store): Promise<SettleAnswer> {
    return by.settle(lease, outcome);
  }

  complete(job: { lease: Lease }, result = "null", by = this.store): Promise<SettleAnswer> {
    return this.settle(job, { type: "completed", result }, by);
  }

  fail(job: { lease: Lease }, failure: Partial<Failure> = {}, by = this.store): Promise<SettleAnswer> {
    return this.settle(job, { type: "failed", failure: failureOf(failure) }, by);
  }

  crash(job: { lease: Lease }, by = this.store): Promise<SettleAnswer> {
    return this.settle(job, { type: "crashed", failure: failureOf({ code: "crashed" }) }, by);
  }

  /** A process takes up to so many jobs and dies: their ids. */
  async die(count: number): Promise<string[]> {
    await this.claim(count, {}, await this.another());
    return this.outlive();
  }

  /** Jobs with two deaths behind them. */
  async suspects(count: number, tenant = "default"): Promise<string[]> {
    const jobIds: string[] = [];
    for (let i = 0; i < count; i++) jobIds.push(await this.submit({ tenant }));
    await this.die(count);
    await this.die(count);
    return jobIds;
  }

  /** Fails it until it is a dead letter. */
  async kill(job: { lease: Lease }): Promise<void> {
    const settled = await this.fail(job, { permanent: true });
    assert.equal(settled.written === "written" && settled.standing, "failed");
  }

  async find(jobId: string, by = this.store): Promise<Job> {
    const [job] = await by.find([jobId]);
    assert.ok(job, `job ${jobId} is there`);
    return job;
  }

  async standing(jobId: string): Promise<Standing> {
    return (await this.find(jobId)).standing;
  }

  /** `stage#attempt outcome`, in order. */
  async history(jobId: string): Promise<string[]> {
    const attempts = await this.store.attempts(jobId);
    return attempts.map(({ stage, attempt, outcome = "runs" }) => `${stage}#${attempt} ${outcome}`);
  }

  /** Time passes until every instance that does not renew is taken for dead, and the first one looks. */
  async outlive(): Promise<string[]> {
    this.clock.advance(this.leaseMs + 1);
    const { expired } = await this.store.beat();
    return expired.map(({ jobId }) => jobId);
  }

  async checkSound(): Promise<void> {
    assert.deepEqual(await wrongCounts(this.store), []);
    assert.deepEqual(await this.data.inspect(), []);
  }
}

export function failureOf(more: Partial<Failure> = {}): Failure {
  return { code: "broken", message: "It broke.", permanent: false, ...more };
}

/** More than a row takes. */
export function large(letter: string): string {
  return JSON.stringify(letter.repeat(5_000));
}

const NO_EVENTS: StoreEvents = {
  wake() {},
  lost() {},
  expired() {},
  fatal(error) {
    throw error;
  },
  trouble(message) {
    throw new Error(message);
  },
};
