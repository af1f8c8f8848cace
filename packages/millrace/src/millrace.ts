// The one object that a user holds. Each method hands its call to the part of the engine that does the work; engine/parts.ts puts the
// parts together, engine/running-engine.ts starts and stops them.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Admin } from "./engine/admin.ts";
import type { ReviveRequest, UpdateRequest } from "./engine/control.ts";
import type { DeploymentView } from "./engine/deployments.ts";
import { BatchHandle } from "./engine/groups/batch-handle.ts";
import { batchNotFound, type JobBatches } from "./engine/groups/batches.ts";
import { FlowBuilder, type FlowOptions } from "./engine/groups/flow-builder.ts";
import { type Health, healthOf, type Readiness, readinessOf } from "./engine/health.ts";
import type { Hook, HookOptions } from "./engine/hooks/hook.ts";
import type { Limits } from "./engine/limits/limits.ts";
import { exportJob } from "./engine/look/export-job.ts";
import type { MillraceOptions } from "./engine/options.ts";
import type { Parts } from "./engine/parts.ts";
import type { JobReaders } from "./engine/readers/readers.ts";
import { Records } from "./engine/records.ts";
import { notOpened, openEngine, type RunningEngine } from "./engine/running-engine.ts";
import type { SharedArtifacts } from "./engine/shared-artifacts.ts";
import type { Change } from "./events/change.ts";
import type { Artifact } from "./job/artifact.ts";
import type { Kind } from "./job/kind/kind.ts";
import type { SubmitOptions } from "./job/options/submit-options.ts";
import type { WaitOptions } from "./job/options/wait-options.ts";
import type { Acceptances } from "./job/receipt.ts";
import type { BatchView } from "./job/report/batch-view.ts";
import type { Explanation } from "./job/report/explanation.ts";
import type { ExportedJob } from "./job/report/exported-job.ts";
import type { JobEventName } from "./job/report/job-event.ts";
import type {
  ApprovalDecision,
  ApprovalView,
  DecisionReceipt,
  LongWaitView,
  PublishOptions,
  PublishReceipt,
  SignalJob,
  SignalOptions,
  SignalReceipt,
  SignalView,
  WaitView,
} from "./job/report/messages.ts";
import type { StreamEvent, StreamOptions, StreamView } from "./job/report/stream-event.ts";
import type { JobTree } from "./job/report/tree.ts";
import { type AttemptView, type JobView, viewOf } from "./job/report/view.ts";
import type { TransactionOf, TransactionSource } from "./job/transaction-source.ts";
import { handlesOf, JobHandle } from "./job-handle.ts";
import type { Jsonified } from "./lib/json/jsonified.ts";
import { needsAwait } from "./lib/needs-await.ts";
import type { PoolView } from "./pool/pool-view.ts";
import type { LogLine, Step } from "./store/verbs/attempts.ts";
import type { JobFilter } from "./store/verbs/job-filter.ts";
import type { ArtifactInfo } from "./store/verbs/jobs.ts";
import type { KindCounts } from "./store/verbs/processes.ts";
import type { FlowRequest } from "./submit/flow-request.ts";
import { type AcceptedJobs, type JobRequest, type SubmitRequests, submissionOf } from "./submit/intake.ts";
import type { Schedules } from "./submit/schedules.ts";
import type { MetricsView } from "./telemetry/figures/metrics-view.ts";
import type { Log } from "./telemetry/log/log.ts";
import { JobsWithin, runWithJobs } from "./transaction/jobs-within.ts";
import type { TransactionHandle } from "./transaction/transaction.ts";

/** Methods that a caller who forgot the `await` of `open()` would call first. */
const USED_TOO_EARLY = ["submit", "submitMany", "job", "find", "wait", "records", "stop"];

/**
 * The engine. One object per process and store: it submits jobs, runs their processors, and answers questions about
 * them.
 *
 * @example
 * ```ts
 * import { defineKind, Millrace, sqlite } from "millrace";
 * import { z } from "zod";
 *
 * const mail = defineKind({
 *   name: "mail",
 *   payload: z.object({ to: z.string() }),
 *   run: async (ctx, { to }) => ({ messageId: await ctx.step("send", () => `sent to ${to}`) }),
 * });
 * const millrace = await Millrace.open({ store: sqlite("./data/jobs.db"), kinds: [mail], processors: 4 });
 * const job = await millrace.submit(mail, { to: "ada@example.com" }, { delayMs: 100 });
 * console.log((await job.wait({ timeoutMs: 30_000 })).messageId);
 * await millrace.stop();
 * ```
 */
export class Millrace {
  /** Schedules that submit jobs at times. */
  readonly schedules: Schedules;
  /** What operators read and do beyond single jobs: pools of all processes, dead letters, tenants. */
  readonly admin: Admin;
  /** Limits that operators set while the engine runs, such as those of one tenant. */
  readonly limits: Limits;
  /** Artifacts that outlive the jobs that made them. */
  readonly shared: SharedArtifacts;
  readonly #engine: RunningEngine;
  readonly #parts: Parts;

  private constructor(engine: RunningEngine) {
    if (engine?.parts === undefined) throw notOpened();
    this.#engine = engine;
    this.#parts = engine.parts;
    const { schedules, admin, limits, shared } = engine.parts;
    this.schedules = schedules;
    this.admin = admin;
    this.limits = limits;
    this.shared = shared;
  }

  /** Opens the store, registers the kinds and starts the pools. The process stays alive until `stop()` is called. */
  static open(options: MillraceOptions): Promise<Millrace> {
    const opened = openEngine(options).then((engine) => new Millrace(engine));
    return needsAwait(opened, "Millrace.open()", USED_TOO_EARLY);
  }

  // ── submit ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Submits one job and returns when it is stored. Throws an `AppError`: `invalid-request` if the payload does not fit
   * the kind's schema, `backpressure`, `rate-limited` or `tenant-busy` if a limit is reached, `already-queued` or
   * `already-processing` if unique work exists.
   */
  async submit<Input, Result>(
    kind: Kind<Input, Result>,
    payload: Input,
    options: SubmitOptions = {},
  ): Promise<JobHandle<Result>> {
    const [handle] = await this.submitMany(kind, [payload], options);
    return handle as JobHandle<Result>;
  }

  /** Submits many jobs of one kind in one transaction: all of them or none. */
  async submitMany<Input, Result>(
    kind: Kind<Input, Result>,
    payloads: Input[],
    options: SubmitOptions = {},
  ): Promise<JobHandle<Result>[]> {
    const { jobs, ...accepted } = await this.#accept(submissionOf(kind, payloads, options));
    return handlesOf<Result>(this, jobs, accepted);
  }

  /** Submits jobs by the names of their kinds, as they arrive over HTTP: all of them in one transaction, or none. */
  async submitRequests(submission: SubmitRequests): Promise<{ jobs: JobView[]; replayed: boolean } & Acceptances> {
    const { jobs, ...accepted } = await this.#accept(submission);
    return { jobs: jobs.map(viewOf), ...accepted };
  }

  #accept(submission: SubmitRequests): Promise<AcceptedJobs> {
    this.#engine.throwIfEnded();
    return this.#parts.intake.submit(submission);
  }

  /**
   * Submits jobs and sends signals in a transaction of your own, on the database of the store: they exist if and only if
   * the transaction commits. Takes a client of `pg`, or the transaction of `postgres`, Drizzle, Kysely, Knex, Prisma or
   * TypeORM. Needs the PostgreSQL store. Workers notice them within a second of the commit; `transaction()` tells the
   * workers at once.
   */
  within(tx: TransactionHandle): JobsWithin {
    this.#engine.throwIfEnded();
    return new JobsWithin(this.#parts, tx);
  }

  /**
   * Begins a transaction on a pool or database of yours, runs the work in it, commits, and tells the workers. An error
   * rolls it back. `jobs` submits and signals in the transaction, as `within(tx)` does.
   */
  async transaction<Source extends TransactionSource, T>(
    source: Source,
    work: (tx: TransactionOf<Source>, jobs: JobsWithin) => Promise<T>,
  ): Promise<T> {
    this.#engine.throwIfEnded();
    const { result, signalled } = await runWithJobs(source, (tx) => this.within(tx), work);
    await this.#parts.store.announceWork(signalled);
    return result;
  }

  /**
   * Opens a batch: jobs that are added in pieces, and `onEnd`, one job that is submitted exactly once when the batch is
   * sealed and all members have ended. It finds the counts in `ctx.batch`.
   */
  async batch<Input = unknown>(
    options: {
      /** The kind, the payload and the options of the job to submit at the end. Default: none. */
      onEnd?: readonly [kind: Kind<Input>, payload: NoInfer<Input>, options?: SubmitOptions];
      /** The tenant of the batch and of its members. Default: "default". */
      tenant?: string;
    } = {},
  ): Promise<BatchHandle> {
    this.#engine.throwIfEnded();
    const id = await this.#parts.batches.create(options as Parameters<JobBatches["create"]>[0]);
    return new BatchHandle(this.#parts.batches, id, options.tenant ?? "default");
  }

  /** Opens a batch by the name of the kind of its last job, as it arrives over HTTP. Gives its id. */
  createBatch({ tenant, onEnd }: { tenant: string; onEnd?: JobRequest }): Promise<string> {
    this.#engine.throwIfEnded();
    if (!onEnd) return this.#parts.batches.create({ tenant });
    return this.#parts.batches.create({ tenant, onEnd: [this.kindNamed(onEnd.kind), onEnd.payload, onEnd.options] });
  }

  /** Adds members to a batch by the names of their kinds, as they arrive over HTTP. Gives their ids. */
  addToBatch(batchId: string, submission: SubmitRequests): Promise<string[]> {
    this.#engine.throwIfEnded();
    return this.#parts.batches.add(batchId, submission);
  }

  /** The batch as it is now. Undefined if there is none with this id. */
  findBatch(batchId: string): Promise<BatchView | undefined> {
    return this.#parts.batches.find(batchId);
  }

  /** Submits jobs that wait for each other by the names of their kinds, as they arrive over HTTP. */
  submitFlow(flow: FlowRequest): Promise<{ jobIds: string[]; replayed: boolean }> {
    this.#engine.throwIfEnded();
    return this.#parts.flows.submit(flow);
  }

  /** A handle for a batch that was opened earlier or by another process. Throws `batch-not-found`. */
  async openBatch(batchId: string): Promise<BatchHandle> {
    const batch = await this.#parts.batches.find(batchId);
    if (!batch) throw batchNotFound();
    return new BatchHandle(this.#parts.batches, batchId, batch.tenant);
  }

  /** Batches, newest first. Default: 50 of all tenants. */
  batches(filter: { tenant?: string; beforeId?: string; limit?: number } = {}): Promise<BatchView[]> {
    return this.#parts.batches.list(filter);
  }

  /**
   * Submits jobs that wait for each other, in one transaction: all of them or none. Gives their handles by their names
   * in the flow. A job can only wait for jobs that were added before it, so a flow has no cycles.
   */
  async flow(build: (flow: FlowBuilder) => void, options: FlowOptions = {}): Promise<Record<string, JobHandle>> {
    this.#engine.throwIfEnded();
    const builder = new FlowBuilder();
    build(builder);
    const { jobIds, replayed } = await this.#parts.flows.submit(builder.requestWith(options));
    return Object.fromEntries(
      builder.places.map(({ name }, i) => [name, new JobHandle(this, jobIds[i] as string, { replayed })]),
    );
  }

  /**
   * A handle for a job that was submitted earlier or by another process. Nothing is read until you use it. With the kind,
   * `wait()` and `view()` have the type of its result: `millrace.job(order, id)`.
   */
  job<Input, Result>(kind: Kind<Input, Result>, id: string): JobHandle<Result>;
  job<Result = unknown>(id: string): JobHandle<Result>;
  job(...args: [id: string] | [kind: unknown, id: string]): JobHandle {
    return new JobHandle(this, args[args.length - 1] as string);
  }

  // ── look ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The job as it is now. Undefined if there is none with this id. */
  find(jobId: string): Promise<JobView | undefined> {
    return this.#parts.look.find(jobId);
  }

  /**
   * Waits for the end of a job and returns it in any final state. Gives up after 10 minutes unless `timeoutMs` says
   * otherwise; the job itself keeps running.
   */
  wait(jobId: string, options: WaitOptions = {}): Promise<JobView> {
    return this.#parts.waiting.wait(jobId, options);
  }

  /** One page of jobs, newest first. Default: 50 jobs. */
  list(filter: JobFilter = {}): Promise<JobView[]> {
    return this.#parts.look.list(filter);
  }

  /** The number of jobs that match a filter. */
  count(filter: JobFilter = {}): Promise<number> {
    return this.#parts.look.count(filter);
  }

  /**
   * Why a job does not run, in words: paused, no worker, delayed, held, limited, queued and so on. Throws
   * `job-not-found`.
   */
  explain(jobId: string): Promise<Explanation> {
    return this.#parts.look.explain(jobId);
  }

  /** All attempts at all stages of a job, oldest first. */
  attempts(jobId: string): Promise<AttemptView[]> {
    return this.#parts.look.attempts(jobId);
  }

  /** The lines that a job's processors wrote with `ctx.log`, oldest first. */
  logs(jobId: string, options: { afterId?: number; limit?: number } = {}): Promise<(LogLine & { id: number })[]> {
    return this.#parts.look.logs(jobId, options);
  }

  /** What the steps of a job have stored. */
  steps(jobId: string): Promise<Step[]> {
    return this.#parts.look.steps(jobId);
  }

  /** The names, types and sizes of the artifacts of a job. */
  artifacts(jobId: string): Promise<ArtifactInfo[]> {
    return this.#parts.look.artifacts(jobId);
  }

  /** One artifact with its bytes. Undefined if the job has none of this name. */
  artifact(jobId: string, name: string): Promise<Artifact | undefined> {
    return this.#parts.look.artifact(jobId, name);
  }

  /**
   * Calls the listener when jobs or pools of this process change, and when something changed in another process. Call
   * the returned function to stop.
   */
  listen(listener: (change: Change) => void): () => void {
    return this.#parts.events.listen(listener);
  }

  /**
   * Calls `hook` for each event of the name, until the function that it returns is called. Hooks are called after the
   * fact, at most once, and are not durable. They can neither delay nor fail a job: what a hook throws is logged. To
   * keep work that must not be lost, submit a job.
   *
   * @example
   * ```ts
   * import { Millrace, sqlite } from "millrace";
   *
   * const millrace = await Millrace.open({ store: sqlite("./data/jobs.db") });
   * const off = millrace.on("failed", ({ kind, jobId, failure }) => console.error(kind, jobId, failure.message));
   * off();
   * await millrace.stop();
   * ```
   */
  on<Name extends JobEventName, Input = unknown, Result = unknown>(
    name: Name,
    hook: Hook<Name, Input, Result>,
    options: HookOptions<Input, Result> = {},
  ): () => void {
    return this.#parts.hooks.on(name, hook, options as HookOptions);
  }

  /** A kind that was passed to `open()`, by its name. Throws `kind-unknown`. */
  kindNamed(name: string): Kind {
    return this.#parts.intake.kind(name);
  }

  /** Every kind in the store, with the number of its jobs by stage. */
  kinds(): Promise<KindCounts[]> {
    return this.#parts.store.kinds();
  }

  /** The pools of this process, each with its processors. */
  pools(): PoolView[] {
    return this.#parts.pools?.views() ?? [];
  }

  /** Whether the engine works, with reasons. Cheap enough for a health check every few seconds. */
  health(): Promise<Health> {
    return healthOf(this.#engine);
  }

  /** Every deployment of the application, newest first, and whether it is drained. */
  deployments(): Promise<DeploymentView[]> {
    return this.#parts.deployments.list();
  }

  /**
   * Whether to send work to this process now: it is healthy, it is not shutting down, and its processors have started.
   */
  readiness(): Promise<Readiness> {
    return readinessOf(this.#engine);
  }

  /** The figures of this process, and how many jobs of the whole store are where. */
  metrics(): Promise<MetricsView> {
    return this.#parts.figures.metrics();
  }

  /** The same figures in the Prometheus text format. */
  prometheus(): Promise<string> {
    return this.#parts.figures.prometheus();
  }

  // ── control ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Cancels a pending or running job. Throws `job-not-found`, or `conflict` if it has ended. */
  cancel(jobId: string, reason = "Cancelled by request."): Promise<void> {
    return this.#parts.control.cancel(jobId, reason);
  }

  /**
   * Cancels a job that its submitter no longer needs, unless another submission has joined it. Returns false if it was
   * joined or has ended.
   */
  abandon(jobId: string, reason: string): Promise<boolean> {
    return this.#parts.control.abandon(jobId, reason);
  }

  /** Cancels the jobs that are pending or running, and returns their ids. */
  cancelMany(jobIds: string[], reason = "Cancelled by request."): Promise<string[]> {
    return this.#parts.control.cancelMany(jobIds, reason);
  }

  /** Puts a held job back in the queue. Its processor finds the answer in `ctx.answers()`. */
  release(jobId: string, options: { answer?: unknown } = {}): Promise<void> {
    return this.#parts.control.release(jobId, options);
  }

  /**
   * Changes a pending job: its time, priority and tags, and its payload if it has never started. Returns the job after the
   * change. Throws `job-not-found`, `conflict` if the job is not in such a state, and `key-changed` if the payload would
   * change the unique key.
   */
  async update(jobId: string, change: UpdateRequest): Promise<JobView> {
    return viewOf(await this.#parts.control.update(jobId, change));
  }

  /**
   * Sends a value to a job, by its id or its unique key. It is kept until a `ctx.waitForSignal()` of the job takes it,
   * whether it comes before, during or after that wait begins. Throws `conflict` if the job has ended.
   */
  signal<Input, Signals, Name extends string>(
    kind: Kind<Input, unknown, Signals> | string,
    job: SignalJob<Input>,
    name: Name,
    value?: Name extends keyof Signals ? Signals[Name] : unknown,
    options: SignalOptions = {},
  ): Promise<SignalReceipt> {
    return this.#parts.messages.signal(kind as Kind | string, job, name, value ?? null, options);
  }

  /** Wakes every job of the tenant that waits for the topic with `ctx.waitForEvent()` and matches the fields. */
  publish(topic: string, fields: Record<string, unknown> = {}, options: PublishOptions = {}): Promise<PublishReceipt> {
    return this.#parts.messages.publish(topic, fields, options);
  }

  /** Decides an approval. Only the first decision counts; a second one throws `conflict`. */
  decide(approvalId: string, decision: ApprovalDecision): Promise<DecisionReceipt> {
    return this.#parts.messages.decide(approvalId, decision);
  }

  /**
   * Waits that last longer than waits of their kind and name usually do, the longest first. Sleeps are never among them. Default:
   * of all tenants.
   */
  longWaits(filter: { tenant?: string } = {}): Promise<LongWaitView[]> {
    return this.#parts.messages.longWaits(filter);
  }

  /** Approvals that jobs wait for, oldest first. Default: 50 of all tenants. */
  approvals(filter: { tenant?: string; jobId?: string; after?: string; limit?: number } = {}): Promise<ApprovalView[]> {
    return this.#parts.messages.approvals(filter);
  }

  /** An approval that a job waits for. Undefined if there is none with this id, or if it is decided. */
  approval(approvalId: string): Promise<ApprovalView | undefined> {
    return this.#parts.messages.approval(approvalId);
  }

  /** A job with everything that its stages have stored, for a replay. Throws `job-not-found`. */
  exportJob(jobId: string): Promise<ExportedJob> {
    return exportJob(this.#parts.store, this.#parts.messages, jobId);
  }

  /** The streams of a job, by name. */
  streams(jobId: string): Promise<StreamView[]> {
    return this.#parts.streams.list(jobId);
  }

  /**
   * Reads a stream of a job while it grows, from any process, and ends with the job. A `restart` takes back chunks of
   * a failed attempt. Throws `job-not-found`.
   */
  stream(jobId: string, name: string, options: StreamOptions = {}): AsyncGenerator<StreamEvent, void> {
    return this.#parts.streams.follow(jobId, name, options);
  }

  /** @internal */
  get readers(): JobReaders {
    return this.#parts.readers;
  }

  /** The signals that a job was sent, oldest first. */
  signals(jobId: string): Promise<SignalView[]> {
    return this.#parts.messages.signals(jobId);
  }

  /** What a job waited for and waits for, in the order in which the waits began. */
  waits(jobId: string): Promise<WaitView[]> {
    return this.#parts.messages.waits(jobId);
  }

  /**
   * The tree or flow that a job belongs to: its ancestors, children and dependencies. Above 200 jobs, calls with many jobs
   * give counts instead. Throws `job-not-found`.
   */
  tree(jobId: string): Promise<JobTree> {
    return this.#parts.look.tree(jobId);
  }

  /** Submits the work of a failed or cancelled job again, as a new job. It starts at the stage that failed. */
  async revive(jobId: string, request: ReviveRequest = {}): Promise<JobHandle> {
    const { id } = await this.#parts.control.revive(jobId, request);
    return new JobHandle(this, id);
  }

  /** Like `revive()`, but returns the new job as it was accepted. */
  async reviveRequest(jobId: string, request: ReviveRequest = {}): Promise<JobView> {
    return viewOf(await this.#parts.control.revive(jobId, request));
  }

  /** Deletes a finished job with its attempts, log, steps and artifacts. */
  forget(jobId: string): Promise<void> {
    return this.#parts.control.forget(jobId);
  }

  /** Deletes the jobs that are finished, and returns their ids. */
  forgetMany(jobIds: string[]): Promise<string[]> {
    return this.#parts.control.forgetMany(jobIds);
  }

  /** Stops claiming jobs of a kind, in all processes. Running attempts finish. */
  pause(kind: string): Promise<void> {
    return this.#parts.control.setPaused(kind, true);
  }

  /** Claims jobs of a paused kind again. */
  resume(kind: string): Promise<void> {
    return this.#parts.control.setPaused(kind, false);
  }

  /** Hands the pinned jobs of a deployment without processes to the newest deployment. */
  async unpin(label: string): Promise<void> {
    await this.#parts.deployments.unpin(label);
    this.#parts.pools?.poke();
  }

  /** Copies the store to a new SQLite file while it is in use. Throws `backup-exists` if the file exists. */
  backup(path: string): Promise<void> {
    return this.#parts.store.backup(path);
  }

  // ── records ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * A key-value table in the store, for state that must outlive jobs and processes. The schema checks values when they
   * are written and when they are read.
   */
  records<Value, Input = Value>(
    space: string,
    options: { schema: StandardSchemaV1<Input, Value> },
  ): Records<Value, Input>;
  records<Value = unknown>(space: string, options?: { schema?: undefined }): Records<Jsonified<Value>, Value>;
  records<Value>(
    space: string,
    options: { schema?: StandardSchemaV1<unknown, Value> | undefined } = {},
  ): Records<Value> {
    return new Records<Value>(this.#parts.store, space, options);
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Stops claiming, waits for running attempts up to the grace period, hands the rest back without using up an attempt,
   * and closes the store. A second call with `hurry` ends the grace period.
   */
  async stop(options: { graceMs?: number; hurry?: boolean } = {}): Promise<void> {
    await this.#engine.stop(options);
  }

  /** Aborted when `stop()` is called for the first time. */
  get stopping(): AbortSignal {
    return this.#engine.stopping;
  }

  /** The log that `open()` was given, or its default. */
  get log(): Log {
    return this.#parts.log;
  }

  /** Does once what timers do otherwise. For `timers: false`. */
  async tick(): Promise<void> {
    await this.#engine.tick();
  }

  /** Runs everything that may run now, and what follows from it. For `timers: false`. */
  async drain(): Promise<void> {
    await this.#engine.drain();
  }

  /** When the next scheduled job may run, in milliseconds since 1970, if one is known. */
  get nextAt(): number | undefined {
    return this.#parts.pools?.nextAt;
  }
}
