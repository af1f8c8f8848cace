// The composition root: store + pools + upkeep. One object per process and store.

import { Admin } from "./admin.ts";
import { checkSettings } from "./job/check-settings.ts";
import type { Job } from "./job/job.ts";
import type { Kind } from "./job/kind.ts";
import type { LossReason } from "./job/lease.ts";
import { DEFAULTS, planOf, type Settings } from "./job/settings.ts";
import { type AttemptView, attemptViewOf, type JobView, viewOf } from "./job/view.ts";
import { JobHandle } from "./job-handle.ts";
import { AppError } from "./lib/app-error.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { toJsonText } from "./lib/json-text.ts";
import type { SettledEvent } from "./pool/pool.ts";
import { Pools, type PoolView } from "./pool/pools.ts";
import type {
  ControlAnswer,
  JobFilter,
  KindCounts,
  LogLine,
  ReviveAnswer,
  Step,
  Store,
  StoreFactory,
  StoreLimits,
} from "./store/store.ts";
import { type Change, Changes } from "./submit/changes.ts";
import { type Accepted, Intake, type SubmitRequests } from "./submit/intake.ts";
import { Schedules } from "./submit/schedules.ts";
import { MAX_PAYLOAD_BYTES, prepareJob, type SubmitOptions } from "./submit/submit.ts";
import { Waiters } from "./submit/waiters.ts";
import { type Log, silentLog } from "./telemetry/log.ts";
import { Metrics } from "./telemetry/metrics.ts";
import { type MetricsView, metricsView, type Surroundings } from "./telemetry/metrics-view.ts";
import { Upkeep } from "./upkeep/upkeep.ts";

export interface MillraceOptions extends Partial<Settings> {
  store: StoreFactory;
  // biome-ignore lint/suspicious/noExplicitAny: kinds of any payload and result
  kinds?: readonly Kind<any, any>[];
  /** Shared by all processes: `{ openai: { count: 60, perMs: 60_000 } }`. */
  limiters?: Record<string, { count: number; perMs: number }>;
  /** false: this process submits and looks, others do the work. */
  work?: boolean;
  log?: Log;
  clock?: Clock;
  /** false: nothing happens by itself; the test kit calls `tick` and `drain`. */
  timers?: boolean;
  /** The store can no longer be trusted, or all processors of a pool hang: a server exits here. */
  onFatal?: (error: Error) => void;
}

export interface Health {
  status: "ok" | "error";
  /** Why it is not. */
  problems: string[];
  /** Work that no living process serves. */
  unserved: string[];
}

export class Millrace {
  readonly schedules: Schedules;
  readonly admin: Admin;
  readonly #store: Store;
  readonly #settings: Settings;
  readonly #kinds: Map<string, Kind>;
  readonly #waiters: Waiters;
  readonly #intake: Intake;
  readonly #changes = new Changes();
  readonly #pools: Pools | undefined;
  readonly #upkeep: Upkeep;
  readonly #metrics: Metrics;
  readonly #log: Log;
  #fatal: Error | undefined;
  #stopping: Promise<void> | undefined;
  readonly #hurry = new AbortController();
  readonly #onFatal: ((error: Error) => void) | undefined;

  private constructor(options: MillraceOptions, store: Store, settings: Settings, clock: Clock) {
    this.#store = store;
    this.#settings = settings;
    this.#log = options.log ?? silentLog;
    this.#onFatal = options.onFatal;
    this.#kinds = new Map((options.kinds ?? []).map((kind) => [kind.name, kind]));
    this.#waiters = new Waiters(store);
    this.#metrics = new Metrics(clock);
    this.#intake = new Intake({
      store,
      kinds: this.#kinds,
      maxAttemptsOf: (kind) => kind.stages[0]?.maxAttempts ?? settings.maxAttempts,
      log: this.#log,
      accepted: (jobs) => this.#accepted(jobs),
      refused: (tenant, code) => this.#metrics.refused(tenant, code),
    });
    this.schedules = new Schedules(store, clock, (name) => this.#intake.kind(name));
    if (options.work !== false && this.#kinds.size > 0) {
      this.#pools = new Pools([...this.#kinds.values()], {
        store,
        settings,
        clock,
        log: this.#log,
        metrics: this.#metrics,
        timers: options.timers !== false,
        changes: this.#changes,
        settled: (jobId, forgotten) =>
          forgotten ? this.#waiters.forgotten(lastKnown(forgotten, clock.now())) : this.#waiters.settled(jobId),
        stuck: (pool) => this.#onFatal?.(new AppError("pool-stuck", `All processors of ${pool} hang.`)),
      });
    }
    this.admin = new Admin({ store, kinds: this.#kinds, settings, ownPools: () => this.pools(), log: this.#log });
    this.#upkeep = new Upkeep({
      store,
      clock,
      log: this.#log,
      cleanupIntervalMs: settings.cleanupIntervalMs,
      submitted: (tenants) => {
        for (const tenant of tenants) this.#metrics.submitted(tenant, 1);
        this.#pools?.poke();
      },
    });
  }

  static async open(options: MillraceOptions): Promise<Millrace> {
    const settings: Settings = { ...DEFAULTS, ...definedOnly(options) };
    checkSettings(settings, options, OPTIONS);
    checkLimiters(options.limiters ?? {});
    const { leaseMs, durability } = settings;
    const store = options.store({ leaseMs, durability, limits: limitsOf(settings) });
    const names = (options.kinds ?? []).map((kind) => kind.name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) throw new AppError("kind-invalid", `Two kinds are called "${twice}".`);
    const empty = options.kinds?.find((kind) => kind.stages.length === 0);
    if (empty) throw new AppError("kind-invalid", `The kind "${empty.name}" has no stage.`);
    const millrace = new Millrace(options, store, settings, options.clock ?? systemClock());
    try {
      await millrace.#start(options);
    } catch (error) {
      // Isolated stages have children from the beginning: they must not outlive a failed start.
      await millrace.#pools?.stop({ graceMs: 0 });
      throw error;
    }
    return millrace;
  }

  async #start(options: MillraceOptions): Promise<void> {
    await this.#store.open({
      wake: () => {
        this.#pools?.poke();
        this.#waiters.look();
        this.#changes.tell({ type: "elsewhere" });
      },
      lost: (leases) => {
        for (const { jobId, token, reason } of leases) this.#lose(jobId, token, reason);
      },
      expired: (jobs) => {
        for (const { jobId, standing } of jobs) this.#log.warn("lease expired", { jobId, standing });
        this.#metrics.expired(jobs.length, jobs.filter(({ standing }) => standing === "failed").length);
        this.#pools?.poke();
        this.#waiters.look();
      },
      trouble: (message) => this.#log.error("store in trouble", { error: message }),
      fatal: (error) => this.#fail(error),
    });
    try {
      await this.#store.register([...this.#kinds.values()].map((kind) => planOf(kind, this.#settings)));
      await this.#store.setLimiters(
        Object.entries(options.limiters ?? {}).map(([name, limiter]) => ({ name, ...limiter })),
      );
    } catch (error) {
      await this.#store.close();
      throw error;
    }
    this.#pools?.start();
    if (options.timers === false) return;
    this.#upkeep.start();
    this.#metrics.start();
  }

  // ── submit ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async submit<Input, Result>(
    kind: Kind<Input, Result>,
    payload: Input,
    options: SubmitOptions = {},
  ): Promise<JobHandle<Result>> {
    const [handle] = await this.submitMany(kind, [payload], options);
    return handle as JobHandle<Result>;
  }

  /** All of them in one transaction, or none. */
  async submitMany<Input, Result>(
    kind: Kind<Input, Result>,
    payloads: Input[],
    options: SubmitOptions = {},
  ): Promise<JobHandle<Result>[]> {
    const { idempotencyKey, tenant = "default", ...rest } = options;
    const { jobs, replayed } = await this.#accept({
      tenant,
      requests: payloads.map((payload) => ({ kind: kind.name, payload, options: rest })),
      ...(idempotencyKey !== undefined && { idempotency: { key: idempotencyKey } }),
    });
    return jobs.map(({ id }) => new JobHandle<Result>(this, id, replayed));
  }

  /** Jobs by the names of their kinds, as they come over HTTP: all of them in one transaction, or none. */
  async submitRequests(submission: SubmitRequests): Promise<{ jobs: JobView[]; replayed: boolean }> {
    const { jobs, replayed } = await this.#accept(submission);
    return { jobs: jobs.map(viewOf), replayed };
  }

  #accept(submission: SubmitRequests): Promise<Accepted> {
    if (this.#fatal) throw this.#fatal;
    if (this.#stopping !== undefined)
      throw new AppError("stopping", "This Millrace is stopping; nothing new is accepted.");
    return this.#intake.submit(submission);
  }

  /** A handle to a job submitted earlier, or elsewhere. */
  job<Result = unknown>(id: string): JobHandle<Result> {
    return new JobHandle<Result>(this, id);
  }

  // ── look ────────────────────────────────────────────────────────────────────────────────────────────────────────

  async find(jobId: string): Promise<JobView | undefined> {
    const job = await this.#store.find(jobId);
    return job && viewOf(job);
  }

  /** The finished job. */
  async wait(jobId: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}): Promise<JobView> {
    const late = new AbortController();
    const { timeoutMs, signal } = options;
    if (timeoutMs !== undefined && !(timeoutMs >= 0)) throw new AppError("invalid-request", "timeoutMs is not a time.");
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => late.abort(waitedTooLong(jobId, timeoutMs)), Math.min(timeoutMs, LONGEST_TIMER_MS));
    try {
      const job = await this.#waiters.wait(jobId, signal ? AbortSignal.any([signal, late.signal]) : late.signal);
      if (!job) throw new AppError("job-not-found", "Job not found.");
      return viewOf(job);
    } finally {
      clearTimeout(timer);
    }
  }

  async list(filter: JobFilter = {}): Promise<JobView[]> {
    return (await this.#store.list(filter)).map(viewOf);
  }

  count(filter: JobFilter = {}): Promise<number> {
    return this.#store.count(filter);
  }

  async attempts(jobId: string): Promise<AttemptView[]> {
    return (await this.#store.attempts(jobId)).map(attemptViewOf);
  }

  logs(jobId: string, options: { afterId?: number; limit?: number } = {}): Promise<(LogLine & { id: number })[]> {
    return this.#store.logs(jobId, { limit: 1_000, ...options });
  }

  steps(jobId: string): Promise<Step[]> {
    return this.#store.steps(jobId);
  }

  artifact(jobId: string, name: string) {
    return this.#store.artifact(jobId, name);
  }

  /** Hears of jobs that move in this process, and that something changed in another. Call what it returns to stop. */
  listen(listener: (change: Change) => void): () => void {
    return this.#changes.listen(listener);
  }

  /** A registered kind by its name; throws `kind-unknown`. */
  kindNamed(name: string): Kind {
    return this.#intake.kind(name);
  }

  kinds(): Promise<KindCounts[]> {
    return this.#store.kinds();
  }

  /** The pools of this process, each processor with what it does. */
  pools(): PoolView[] {
    return this.#pools?.views() ?? [];
  }

  async health(): Promise<Health> {
    const problems = [...(this.#pools?.problems() ?? [])];
    if (this.#fatal) problems.push(this.#fatal.message);
    if (this.#stopping !== undefined) problems.push("Shutting down.");
    const ended = this.#fatal !== undefined || this.#stopping !== undefined;
    const unserved = ended ? [] : await this.#unserved();
    return { status: problems.length > 0 ? "error" : "ok", problems, unserved };
  }

  /** Figures of this process, and how many jobs stand where in the whole store. */
  async metrics(): Promise<MetricsView> {
    return metricsView(this.#metrics, await this.#surroundings());
  }

  /** The same as Prometheus text. */
  async prometheus(): Promise<string> {
    // Loaded when first asked for: most programs that embed the engine are never scraped.
    const { prometheusText } = await import("./telemetry/prometheus.ts");
    return prometheusText(this.#metrics, await this.#surroundings());
  }

  async #surroundings(): Promise<Surroundings> {
    const [kinds, size, unserved] = await Promise.all([this.#store.kinds(), this.#store.size(), this.#unserved()]);
    return { kinds, size, unserved, pools: this.pools() };
  }

  /** Stages with work that no living process has a pool for. */
  async #unserved(): Promise<string[]> {
    const instances = await this.#store.instances();
    const served = new Set(this.pools().map((pool) => pool.pool));
    for (const { pools } of instances)
      for (const pool of JSON.parse(pools ?? "[]") as PoolView[]) served.add(pool.pool);
    const kinds = await this.#store.kinds();
    return kinds.flatMap(({ kind, stages }) =>
      stages
        .filter(({ counts }) => counts.ready + counts.suspect + counts.scheduled > 0)
        .map(({ stage }) => `${kind}/${stage}`)
        .filter((name) => !served.has(name)),
    );
  }

  // ── control ─────────────────────────────────────────────────────────────────────────────────────────────────────

  async cancel(jobId: string, reason = "Cancelled by request."): Promise<void> {
    const [answer] = await this.#store.cancel([jobId], shortText(reason));
    if (answer && typeof answer === "object" && "running" in answer) {
      this.#lose(answer.running.jobId, answer.running.token, "cancelled");
    } else must(answer);
    this.#waiters.settled(jobId);
    this.#metrics.cancelled(1);
    this.#log.info("cancelled", { jobId });
    await this.#tellOf(jobId);
  }

  /** Those that were still pending or running. */
  async cancelMany(jobIds: string[], reason = "Cancelled by request."): Promise<string[]> {
    const answers = await this.#store.cancel(jobIds, shortText(reason));
    const cancelled = jobIds.filter((jobId, i) => {
      const answer = answers[i];
      if (typeof answer === "object" && "running" in answer) this.#lose(jobId, answer.running.token, "cancelled");
      return answer === "done" || (typeof answer === "object" && "running" in answer);
    });
    this.#waiters.look();
    this.#metrics.cancelled(cancelled.length);
    this.#log.info("cancelled", { jobs: cancelled.length });
    this.#changes.tell({ type: "elsewhere" });
    return cancelled;
  }

  /** Those that were finished. */
  async forgetMany(jobIds: string[]): Promise<string[]> {
    const answers = await this.#store.forget(jobIds);
    this.#changes.tell({ type: "elsewhere" });
    return jobIds.filter((_, i) => answers[i] === "done");
  }

  /** Puts a held job back in the queue; its processor finds the answer, if one is given, in `ctx.answers()`. */
  async release(jobId: string, options: { answer?: unknown } = {}): Promise<void> {
    const { answer } = options;
    const text = answer === undefined ? undefined : toJsonText(answer, "answer", MAX_PAYLOAD_BYTES);
    must(await this.#store.release(jobId, text));
    this.#pools?.poke();
    await this.#tellOf(jobId);
  }

  /** A new job with a dead letter's (or a cancelled job's) work; it starts at the stage that failed. */
  async revive(
    jobId: string,
    options: { payload?: unknown; from?: "failed-stage" | "start"; delayMs?: number } = {},
  ): Promise<JobHandle> {
    const old = await this.#store.find(jobId);
    if (!old) throw new AppError("job-not-found", "Job not found.");
    const kind = this.#kinds.get(old.kind);
    const edited = options.payload !== undefined;
    const prepared = kind && (await prepareJob(kind, edited ? options.payload : JSON.parse(old.payload), {}));
    const answer = reviveAnswer(
      await this.#store.revive(jobId, {
        from: options.from ?? "failed-stage",
        ...(options.delayMs !== undefined && { delayMs: options.delayMs }),
        ...(edited && { payload: prepared?.payload ?? toJsonText(options.payload, "payload", MAX_PAYLOAD_BYTES) }),
        ...(prepared?.uniqueKey !== undefined && { uniqueKey: prepared.uniqueKey }),
      }),
    );
    this.#metrics.submitted(old.tenant, 1);
    // Told before the pools hear of it, so that nobody reads of the claim first.
    const fresh = edited || options.from === "start";
    this.#changes.submitted({
      type: "job",
      jobId: answer.revived,
      tenant: old.tenant,
      kind: old.kind,
      stage: (fresh ? old.stages[0] : undefined) ?? old.stage,
      standing: (options.delayMs ?? 0) > 0 ? "scheduled" : "ready",
    });
    this.#pools?.poke();
    this.#log.info("revived", { jobId, revivedAs: answer.revived, tenantId: old.tenant });
    return new JobHandle(this, answer.revived);
  }

  /** Deletes a finished job and all that belongs to it. */
  async forget(jobId: string): Promise<void> {
    const [answer] = await this.#store.forget([jobId]);
    must(answer);
    this.#changes.tell({ type: "elsewhere" });
  }

  async pause(kind: string): Promise<void> {
    must(await this.#store.setPaused(kind, true), "kind-unknown", `No kind is called "${kind}".`);
    this.#changes.tell({ type: "elsewhere" });
  }

  async resume(kind: string): Promise<void> {
    must(await this.#store.setPaused(kind, false), "kind-unknown", `No kind is called "${kind}".`);
    this.#pools?.poke();
    this.#changes.tell({ type: "elsewhere" });
  }

  /** Copies the live store consistently to a new file. */
  backup(path: string): Promise<void> {
    return this.#store.backup(path);
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Stops claiming, lets running work finish within the grace, hands the rest back without burning an attempt, closes.
   * Leases stay renewed to the end. A second call with `hurry` cuts the grace short.
   */
  async stop(options: { graceMs?: number; hurry?: boolean } = {}): Promise<void> {
    if (options.hurry) this.#hurry.abort();
    this.#stopping ??= this.#stop(options.graceMs ?? this.#settings.shutdownGraceMs);
    await this.#stopping;
  }

  async #stop(graceMs: number): Promise<void> {
    this.#log.info("drain", { busy: this.#pools?.busyCount ?? 0, graceMs });
    this.#metrics.stop();
    await this.#upkeep.stop();
    await this.#pools?.stop({ graceMs, hurry: this.#hurry.signal });
    this.#waiters.stop(new AppError("stopping", "This Millrace was stopped."));
    await this.#store.close();
  }

  /** One turn of all that timers do. */
  async tick(): Promise<void> {
    await this.#store.beat();
    this.#pools?.tick();
    this.#metrics.tick();
    await this.#upkeep.tick();
  }

  /** Works off all that may run now, and what follows from it. */
  async drain(): Promise<void> {
    while (await this.#pools?.drain()) {
      // What was settled may have made more work: the next stage, a freed limit.
    }
  }

  /** When the next scheduled job may run, if one is known. */
  get nextAt(): number | undefined {
    return this.#pools?.nextAt;
  }

  #lose(jobId: string, token: number, reason: LossReason): void {
    this.#pools?.lose(jobId, token, reason);
    this.#waiters.settled(jobId);
  }

  #fail(error: Error): void {
    if (this.#fatal) return;
    this.#fatal = error;
    this.#log.error("fatal", { error: error.message });
    this.#onFatal?.(error);
  }

  async #tellOf(jobId: string): Promise<void> {
    const job = this.#changes.heard ? await this.#store.find(jobId) : undefined;
    if (job)
      this.#changes.tell({
        type: "job",
        jobId,
        tenant: job.tenant,
        kind: job.kind,
        stage: job.stage,
        standing: job.standing,
      });
  }

  #accepted(jobs: Job[]): void {
    const [first] = jobs;
    if (first) this.#metrics.submitted(first.tenant, jobs.length);
    for (const kind of new Set(jobs.map((job) => job.kind))) this.#pools?.poke(kind);
    if (!this.#changes.heard) return;
    for (const { id, tenant, kind, stage, standing } of jobs) {
      this.#changes.submitted({ type: "job", jobId: id, tenant, kind, stage, standing });
    }
  }
}

/** A job that was deleted as it settled, from what its attempt knew of it. */
function lastKnown({ kind, stage, job, outcome, settled }: SettledEvent, now: number): Job {
  return {
    id: job.lease.jobId,
    kind,
    stage,
    stages: [stage],
    tenant: job.tenant,
    standing: settled.written === "written" ? settled.standing : "cancelled",
    payload: job.payload,
    priority: job.priority,
    tags: job.tags,
    createdAt: job.createdAt,
    updatedAt: now,
    runAt: job.runAt,
    startedAt: job.claimedAt,
    finishedAt: now,
    attempt: job.attempt,
    maxAttempts: job.attempt,
    failures: 0,
    failuresTotal: 0,
    crashes: job.crashes,
    ...(outcome.type === "completed" && { output: outcome.output }),
    ...(outcome.type === "failed" && { failure: outcome.failure }),
    ...(job.traceId !== undefined && { traceId: job.traceId }),
  };
}

/** A sentence for people, not a place to keep data. */
function shortText(text: string): string {
  return String(text).replaceAll("\u0000", "").toWellFormed().slice(0, 500);
}

function limitsOf(settings: Settings): Partial<StoreLimits> {
  const { queueMax, maxNewJobsPerMinute, maxConcurrentPerTenant, tenantOverflow, jobKeepMax, dlqKeepMax } = settings;
  return { queueMax, maxNewJobsPerMinute, maxConcurrentPerTenant, tenantOverflow, jobKeepMax, dlqKeepMax };
}

const OPTIONS = ["store", "kinds", "limiters", "work", "log", "clock", "timers", "onFatal"];

function checkLimiters(limiters: Record<string, { count: number; perMs: number }>): void {
  for (const [name, { count, perMs } = { count: 0, perMs: 0 }] of Object.entries(limiters)) {
    if (Number.isInteger(count) && Number.isInteger(perMs) && count > 0 && perMs > 0) continue;
    throw new AppError("options-invalid", `The limiter "${name}" needs a count and perMs, whole numbers above 0.`);
  }
}

function must(
  answer: ControlAnswer | { running: unknown } | undefined,
  code = "job-not-found",
  message = "Job not found.",
): void {
  if (answer === "not-found") throw new AppError(code, message);
  if (typeof answer === "object" && "conflict" in answer) throw new AppError("conflict", answer.conflict);
}

function reviveAnswer(answer: ReviveAnswer): { revived: string } {
  if (answer === "not-found") throw new AppError("job-not-found", "Job not found.");
  if ("revived" in answer) return answer;
  throw new AppError(answer.code, answer.conflict, { ...(answer.jobId && { details: { jobId: answer.jobId } }) });
}

/** A timer set further ahead fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

function waitedTooLong(jobId: string, ms: number): AppError {
  return new AppError("wait-timeout", `Job ${jobId} was not finished within ${ms} ms.`, {
    hint: "The job goes on; wait again.",
  });
}

function definedOnly<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
