// The one object that a user holds. Each method hands its call to the part of the engine that does the work; engine/parts.ts puts the
// parts together, engine/running-engine.ts starts and stops them.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Admin } from "./engine/admin.ts";
import type { ReviveRequest } from "./engine/control.ts";
import type { DeploymentView } from "./engine/deployments.ts";
import { type Health, healthOf, type Readiness, readinessOf } from "./engine/health.ts";
import type { Hook, HookOptions } from "./engine/hooks/hook.ts";
import type { MillraceOptions } from "./engine/options.ts";
import type { Parts } from "./engine/parts.ts";
import { Records } from "./engine/records.ts";
import { notOpened, openEngine, type RunningEngine } from "./engine/running-engine.ts";
import type { SharedArtifacts } from "./engine/shared-artifacts.ts";
import type { Change } from "./events/change.ts";
import type { Artifact } from "./job/artifact.ts";
import type { Kind } from "./job/kind/kind.ts";
import type { SubmitOptions } from "./job/options/submit-options.ts";
import type { WaitOptions } from "./job/options/wait-options.ts";
import type { Explanation } from "./job/report/explanation.ts";
import type { JobEventName } from "./job/report/job-event.ts";
import type {
  ApprovalDecision,
  ApprovalView,
  PublishOptions,
  PublishReceipt,
  SignalJob,
  SignalOptions,
  SignalReceipt,
  SignalView,
  WaitView,
} from "./job/report/messages.ts";
import { type AttemptView, type JobView, viewOf } from "./job/report/view.ts";
import { JobHandle } from "./job-handle.ts";
import type { Jsonified } from "./lib/json/jsonified.ts";
import { needsAwait } from "./lib/needs-await.ts";
import type { PoolView } from "./pool/pool-view.ts";
import type { LogLine, Step } from "./store/verbs/attempts.ts";
import type { JobFilter } from "./store/verbs/job-filter.ts";
import type { ArtifactInfo } from "./store/verbs/jobs.ts";
import type { KindCounts } from "./store/verbs/processes.ts";
import type { Accepted, SubmitRequests } from "./submit/intake.ts";
import type { Schedules } from "./submit/schedules.ts";
import { submissionOf } from "./submit/submission-of.ts";
import type { MetricsView } from "./telemetry/figures/metrics-view.ts";
import type { Log } from "./telemetry/log/log.ts";

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
  /** Artifacts that outlive the jobs that made them. */
  readonly shared: SharedArtifacts;
  readonly #engine: RunningEngine;
  readonly #parts: Parts;

  private constructor(engine: RunningEngine) {
    if (engine?.parts === undefined) throw notOpened();
    this.#engine = engine;
    this.#parts = engine.parts;
    const { schedules, admin, shared } = engine.parts;
    this.schedules = schedules;
    this.admin = admin;
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
    const { jobs, replayed } = await this.#accept(submissionOf(kind, payloads, options));
    return jobs.map(({ id }) => new JobHandle<Result>(this, id, replayed));
  }

  /** Submits jobs by the names of their kinds, as they arrive over HTTP: all of them in one transaction, or none. */
  async submitRequests(submission: SubmitRequests): Promise<{ jobs: JobView[]; replayed: boolean; joined: number[] }> {
    const { jobs, replayed, joined } = await this.#accept(submission);
    return { jobs: jobs.map(viewOf), replayed, joined };
  }

  #accept(submission: SubmitRequests): Promise<Accepted> {
    this.#engine.throwIfEnded();
    return this.#parts.intake.submit(submission);
  }

  /** A handle for a job that was submitted earlier or by another process. Nothing is read until you use it. */
  job<Result = unknown>(id: string): JobHandle<Result> {
    return new JobHandle<Result>(this, id);
  }

  // ── look ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The job as it is now. Undefined if there is none with this id. */
  find(jobId: string): Promise<JobView | undefined> {
    return this.#parts.look.find(jobId);
  }

  /**
   * Waits for the end of a job and returns it, whatever its state. Gives up after 10 minutes unless `timeoutMs` says
   * otherwise; the job itself keeps running.
   */
  wait(jobId: string, options: WaitOptions = {}): Promise<JobView> {
    return this.#parts.look.wait(jobId, options);
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
   * Sends a value to a job, by its id or its unique key. It is kept until a `ctx.waitForSignal()` of the job takes it,
   * whether it comes before, during or after that wait begins. Throws `conflict` if the job has ended.
   */
  signal<Input>(
    kind: Kind<Input> | string,
    job: SignalJob<Input>,
    name: string,
    value: unknown = null,
    options: SignalOptions = {},
  ): Promise<SignalReceipt> {
    return this.#parts.messages.signal(kind as Kind | string, job, name, value, options);
  }

  /** Wakes every job of the tenant that waits for the topic with `ctx.waitForEvent()` and matches the fields. */
  publish(topic: string, fields: Record<string, unknown> = {}, options: PublishOptions = {}): Promise<PublishReceipt> {
    return this.#parts.messages.publish(topic, fields, options);
  }

  /** Decides an approval. Only the first decision counts; a second one throws `conflict`. */
  decide(
    approvalId: string,
    decision: ApprovalDecision,
  ): Promise<{
    /** The job that waited for it. */
    jobId: string;
    /** The name of the approval in the code. */
    name: string;
    /** The tenant of the job. */
    tenant: string;
  }> {
    return this.#parts.messages.decide(approvalId, decision);
  }

  /** Approvals that jobs wait for, oldest first. Default: 50 of all tenants. */
  approvals(filter: { tenant?: string; jobId?: string; after?: string; limit?: number } = {}): Promise<ApprovalView[]> {
    return this.#parts.messages.approvals(filter);
  }

  /** An approval that a job waits for. Undefined if there is none with this id, or if it is decided. */
  approval(approvalId: string): Promise<ApprovalView | undefined> {
    return this.#parts.messages.approval(approvalId);
  }

  /** The signals that a job was sent, oldest first. */
  signals(jobId: string): Promise<SignalView[]> {
    return this.#parts.messages.signals(jobId);
  }

  /** What a job waited for and waits for, in the order in which the waits began. */
  waits(jobId: string): Promise<WaitView[]> {
    return this.#parts.messages.waits(jobId);
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
