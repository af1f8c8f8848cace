// THE MODEL: what the contract says, in memory and as plainly as can be. It knows nothing of SQL, indexes or counters.

import type { Outcome } from "../../../job/lifecycle.ts";
import type { JobSpec } from "../rig.ts";

export const MODEL = {
  leaseMs: 15_000,
  attempts: 2,
  crashes: 2,
  baseMs: 1_000,
  hourMs: 3_600_000,
  weekMs: 7 * 24 * 3_600_000,
};

export interface ModelJob {
  id: string;
  order: number;
  tenant: string;
  stage: number;
  state: "pending" | "running" | "held" | "completed" | "failed" | "rejected" | "cancelled";
  priority: number;
  runAt: number;
  maxAttempts?: number | undefined;
  expiresAt?: number | undefined;
  uniqueKey?: string | undefined;
  attempt: number;
  failures: number;
  failuresTotal: number;
  crashes: number;
  result?: string | undefined;
  failure?: string | undefined;
  finishedAt?: number | undefined;
  retriedAs?: string;
  steps: string[];
  history: string[];
  /** For each lone death in this stage, the jobs that ran beside it. */
  loneDeaths: string[][];
  lease?: ModelLease | undefined;
}

export interface ModelLease {
  job: ModelJob;
  holder: number;
  deadlineAt: number;
  savedStep?: boolean;
}

const STAGES = ["fetch", "form"];
const FRESH_STAGE = { attempt: 0, failures: 0, crashes: 0, failure: undefined };
const FINISHED = new Set(["completed", "failed", "rejected", "cancelled"]);

export class Model {
  now: number;
  paused = false;
  jobs: ModelJob[] = [];
  readonly #cap: number;
  readonly #renewedAt = [0, 0];
  readonly #draining = [false, false];
  readonly #keys = new Map<string, { body: string; id: string; at: number }>();
  #order = 0;

  constructor(now: number, cap: number) {
    this.now = now;
    this.#cap = cap;
  }

  find = (id: string): ModelJob | undefined => this.jobs.find((job) => job.id === id);
  alive(holder: number): void {
    this.#renewedAt[holder] = this.now;
  }

  drain(holder: number): void {
    this.#draining[holder] = true;
  }

  /** What the answer must be; "accepted" asks for the id the store gave. */
  answerTo(spec: JobSpec, key?: { key: string; fingerprint: string }): { type: string; code?: string; id?: string } {
    const known = key && this.#keys.get(`${spec.tenant}/${key.key}`);
    if (known && this.now - known.at < 24 * MODEL.hourMs) {
      return known.body === key.fingerprint
        ? { type: "replayed", id: known.id }
        : { type: "refused", code: "idempotency-conflict", id: known.id };
    }
    const other = spec.uniqueKey && this.#owner(spec.tenant as string, spec.uniqueKey);
    if (!other) return { type: "accepted" };
    const code =
      other.state === "running" ? "already-processing" : other.stage === 0 ? "already-queued" : "in-other-stage";
    return { type: "refused", code, id: other.id };
  }

  accept(id: string, spec: JobSpec, key?: { key: string; fingerprint: string }): void {
    if (key) this.#keys.set(`${spec.tenant}/${key.key}`, { body: key.fingerprint, id, at: this.now });
    const runAt = this.now + (spec.delayMs ?? 0);
    const { priority = 0, maxAttempts, uniqueKey, expiresInMs } = spec;
    const expiresAt = expiresInMs && runAt + expiresInMs;
    this.#add({
      id,
      tenant: spec.tenant as string,
      stage: 0,
      priority,
      runAt,
      maxAttempts,
      uniqueKey,
      expiresAt,
      steps: [],
    });
  }

  #add(job: Pick<ModelJob, "id" | "tenant" | "stage" | "priority" | "runAt" | "steps"> & Partial<ModelJob>): void {
    const none = { attempt: 0, failures: 0, failuresTotal: 0, crashes: 0, history: [], loneDeaths: [] };
    this.jobs.push({ ...none, ...job, state: "pending", order: this.#order++ });
  }

  #owner(tenant: string, uniqueKey: string): ModelJob | undefined {
    return this.jobs.find((job) => job.tenant === tenant && job.uniqueKey === uniqueKey && !FINISHED.has(job.state));
  }

  /** Per tenant, what a claim may take, in order; suspects apart. */
  claimable(stage: number): { suspects: ModelJob[]; ready: Map<string, ModelJob[]>; room(tenant: string): number } {
    const due = this.jobs
      .filter((job) => !this.paused && job.stage === stage && job.state === "pending" && job.runAt <= this.now)
      .sort((a, b) => a.priority - b.priority || a.runAt - b.runAt || a.order - b.order);
    const ready = Map.groupBy(
      due.filter((job) => job.crashes < 2),
      (job) => job.tenant,
    );
    const running = (tenant: string) =>
      this.jobs.filter((job) => job.tenant === tenant && job.state === "running").length;
    const room = (tenant: string) => (this.#cap === 0 ? Number.POSITIVE_INFINITY : this.#cap - running(tenant));
    // Those that have come closest to being dead letters go first.
    const suspects = due.filter((job) => job.crashes >= 2).sort((a, b) => b.crashes - a.crashes);
    return { suspects, ready, room };
  }

  runningSuspects = (holder: number): number =>
    this.jobs.filter((job) => job.lease?.holder === holder && job.crashes >= 2).length;

  /** How many suspects may join those that the process runs: the fewer, the closer one of them is to its end. */
  groupRoom(holder: number, waiting: ModelJob[]): number {
    const most = Math.max(...waiting.map(({ crashes }) => crashes));
    return Math.max(0, 8 ** (2 * MODEL.crashes - 1 - most) - this.runningSuspects(holder));
  }

  take(job: ModelJob, holder: number, timeoutMs: number): ModelLease {
    const attempt = job.failures + job.crashes + 1;
    const lease = { job, holder, deadlineAt: this.now + timeoutMs };
    Object.assign(job, { state: "running", attempt, expiresAt: undefined, lease });
    return lease;
  }

  holds = (lease: ModelLease): boolean => lease.job.lease === lease;

  settle(lease: ModelLease, outcome: Outcome): void {
    const { job } = lease;
    if (outcome.type === "completed") return this.#complete(job, outcome.result);
    if (outcome.type === "failed") return this.#fail(job, outcome.failure, outcome.retryAfterMs);
    if (outcome.type === "crashed") return this.#crashAlone(job, outcome.failure.code);
    this.#end(job, outcome.type);
    if (outcome.type === "held") job.state = "held";
    else if (outcome.type === "deferred" && "delayMs" in outcome) job.runAt = this.now + outcome.delayMs;
  }

  #end(job: ModelJob, outcome: string): void {
    job.history.push(`${STAGES[job.stage]}#${job.attempt} ${outcome}`);
    Object.assign(job, { lease: undefined, state: "pending" });
  }

  #finish(job: ModelJob, state: ModelJob["state"], failure?: string): void {
    Object.assign(job, { state, finishedAt: this.now, failure });
  }

  #complete(job: ModelJob, result: string): void {
    this.#end(job, "completed");
    if (job.stage === 1) this.#finish(job, "completed");
    else Object.assign(job, { stage: 1, runAt: this.now, ...FRESH_STAGE, loneDeaths: [] });
    job.result = result;
  }

  #fail(job: ModelJob, failure: { code: string; permanent: boolean; input?: boolean }, retryAfterMs?: number): void {
    this.#end(job, "failed");
    Object.assign(job, { failures: job.failures + 1, failuresTotal: job.failuresTotal + 1, failure: failure.code });
    const last = failure.permanent || job.failures >= (job.maxAttempts ?? MODEL.attempts);
    if (last) this.#finish(job, failure.input ? "rejected" : "failed", failure.code);
    else job.runAt = this.now + (retryAfterMs ?? 0.5 * MODEL.baseMs * 2 ** (job.failures - 1));
  }

  /** Its own child died: there is nobody else to blame. */
  #crashAlone(job: ModelJob, code: string): void {
    this.#end(job, "crashed");
    job.loneDeaths.push([]);
    Object.assign(job, { crashes: job.crashes + 1, failure: code });
    const proven = job.crashes >= MODEL.crashes && job.loneDeaths.length >= 2;
    if (proven || job.crashes >= 2 * MODEL.crashes) this.#finish(job, "failed", "crashed");
    else if (job.crashes > 1) job.runAt = this.now + 0.5 * MODEL.baseMs * 2 ** (job.crashes - 2);
  }

  /** A process died with all of these in hand. */
  #die(holder: number): ModelJob[] {
    const held = this.jobs.filter((job) => job.lease?.holder === holder);
    const suspects = held.filter((job) => job.crashes >= 2);
    for (const job of held) {
      const excused = this.#draining[holder] || job.lease?.savedStep;
      this.#end(job, "abandoned");
      job.failure = "lease-expired";
      if (excused) continue;
      if (suspects.length === 1 && suspects[0] === job)
        job.loneDeaths.push(held.filter((each) => each !== job).map(({ id }) => id));
      job.crashes++;
    }
    for (const job of held) {
      const proven = job.crashes >= MODEL.crashes && twoWithNobodyInCommon(job.loneDeaths);
      if (proven || job.crashes >= 2 * MODEL.crashes) this.#finish(job, "failed", "crashed");
    }
    return held;
  }

  beat(holder: number): { expired: string[]; overdue: string[] } {
    this.alive(holder);
    const other = 1 - holder;
    const dead = (this.#renewedAt[other] ?? 0) + MODEL.leaseMs <= this.now;
    const lost = dead ? this.#die(other) : [];
    const unstarted = this.jobs.filter((job) => job.state === "pending" && job.expiresAt && job.expiresAt <= this.now);
    for (const job of unstarted) this.#finish(job, "failed", "backpressure");
    const overdue = this.jobs.filter((job) => job.lease?.holder === holder && job.lease.deadlineAt + 1_000 <= this.now);
    for (const job of overdue) this.#fail(job, { code: "timed-out", permanent: false });
    return { expired: [...lost, ...unstarted].map((job) => job.id), overdue: overdue.map((job) => job.id) };
  }

  /** "running" where a lease was ended. */
  cancel(job: ModelJob): "done" | "running" | "conflict" {
    if (FINISHED.has(job.state)) return "conflict";
    const { lease } = job;
    if (lease) this.#end(job, "cancelled");
    this.#finish(job, "cancelled", "cancelled");
    return lease ? "running" : "done";
  }

  /** The id in the way, "conflict", or undefined when a new job is to come. */
  reviveConflict(job: ModelJob): string | undefined {
    if (job.retriedAs) return job.retriedAs;
    if (!FINISHED.has(job.state) || job.state === "completed") return "conflict";
    return job.uniqueKey && this.#owner(job.tenant, job.uniqueKey)?.id;
  }

  revive(job: ModelJob, id: string, fromStart: boolean): void {
    const { tenant, priority, maxAttempts, uniqueKey, result } = job;
    const kept = fromStart ? { stage: 0, steps: [] } : { stage: job.stage, result, steps: [...job.steps] };
    this.#add({ id, tenant, priority, maxAttempts, uniqueKey, runAt: this.now, ...kept });
    Object.assign(job, { retriedAs: id, finishedAt: this.now, state: job.state === "failed" ? "rejected" : job.state });
  }

  release(job: ModelJob): boolean {
    if (job.state !== "held") return false;
    Object.assign(job, { state: "pending", runAt: this.now });
    return true;
  }

  forget(job: ModelJob): boolean {
    if (!FINISHED.has(job.state)) return false;
    this.jobs = this.jobs.filter((each) => each !== job);
    return true;
  }

  prune(): void {
    const old = (job: ModelJob) =>
      (job.finishedAt ?? this.now) <= this.now - (job.state === "failed" ? MODEL.weekMs : MODEL.hourMs);
    this.jobs = this.jobs.filter((job) => !old(job));
  }
}

function twoWithNobodyInCommon(deaths: string[][]): boolean {
  return deaths.some((one, i) => deaths.slice(i + 1).some((other) => !other.some((id) => one.includes(id))));
}
