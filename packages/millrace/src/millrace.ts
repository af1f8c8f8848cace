// The composition root: store + pools + upkeep. One object per process and store.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Admin } from "./engine/admin.ts";
import { announceStop } from "./engine/announce-stop.ts";
import type { ReviveRequest } from "./engine/control.ts";
import { type DeploymentView, type UnservedStage, unservedName } from "./engine/deployments.ts";
import type { Hook, HookOptions } from "./engine/hooks/hook.ts";
import { limitsOf, type MillraceOptions, settingsOf } from "./engine/options.ts";
import { assemble, type Parts, storeEvents } from "./engine/parts.ts";
import { Records } from "./engine/records.ts";
import type { SharedArtifacts } from "./engine/shared-artifacts.ts";
import type { Change } from "./events/change.ts";
import type { Artifact } from "./job/artifact.ts";
import type { Kind } from "./job/kind/kind.ts";
import { planOf } from "./job/kind/settings.ts";
import type { SubmitOptions } from "./job/options/submit-options.ts";
import type { Explanation } from "./job/report/explanation.ts";
import type { JobEventName } from "./job/report/job-event.ts";
import { type AttemptView, type JobView, viewOf } from "./job/report/view.ts";
import type { WaitOptions } from "./job/wait-options.ts";
import { JobHandle } from "./job-handle.ts";
import { AppError, messageOf } from "./lib/app-error.ts";
import { checkInteger, checkNames } from "./lib/check.ts";
import { LONGEST_TIMER_MS, systemClock } from "./lib/clock.ts";
import type { Jsonified } from "./lib/json/jsonified.ts";
import { needsAwait } from "./lib/needs-await.ts";
import type { PoolView } from "./pool/pool-view.ts";
import type { LogLine, Step } from "./store/verbs/attempts.ts";
import type { JobFilter } from "./store/verbs/job-filter.ts";
import type { ArtifactInfo } from "./store/verbs/jobs.ts";
import type { KindCounts } from "./store/verbs/processes.ts";
import type { Accepted, SubmitRequests } from "./submit/intake.ts";
import type { Schedules } from "./submit/schedules.ts";
import type { MetricsView } from "./telemetry/figures/metrics-view.ts";
import type { Log } from "./telemetry/log/log.ts";

/** What `millrace.health()` returns. */
export interface Health {
  /** "degraded": it works, but an operator should act. "error": it does not work. */
  status: "ok" | "degraded" | "error";
  /** Why the status is not "ok", in sentences. */
  problems: string[];
  /** Stages with waiting jobs that no living process serves, as `kind/stage`. */
  unserved: string[];
  /** The same stages, with the number of waiting jobs and the deployment that served them last. */
  unservedStages: UnservedStage[];
}

/** What `millrace.readiness()` returns. */
export interface Readiness {
  /** True: send requests to this process. */
  ready: boolean;
  /** Why it is not ready, in sentences. */
  reasons: string[];
}

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
  readonly #parts: Parts;
  readonly #onFatal: ((error: Error) => void) | undefined;
  readonly #hurry = new AbortController();
  readonly #stopBegun = new AbortController();
  #fatal: Error | undefined;
  #stopping: Promise<void> | undefined;

  private constructor(parts: Parts, onFatal: ((error: Error) => void) | undefined) {
    if (parts?.store === undefined) {
      throw new AppError("options-invalid", "new Millrace() does not work. Use Millrace.open().", {
        hint: 'const millrace = await Millrace.open({ store: sqlite("./data/jobs.db"), kinds: [...] })',
      });
    }
    this.#parts = parts;
    this.#onFatal = onFatal;
    this.schedules = parts.schedules;
    this.admin = parts.admin;
    this.shared = parts.shared;
  }

  /** Opens the store, registers the kinds and starts the pools. The process stays alive until `stop()` is called. */
  static open(options: MillraceOptions): Promise<Millrace> {
    return needsAwait(Millrace.#open(options), "Millrace.open()", [
      "submit",
      "submitMany",
      "job",
      "find",
      "wait",
      "records",
      "stop",
    ]);
  }

  static async #open(options: MillraceOptions): Promise<Millrace> {
    const settings = settingsOf(options);
    const { leaseMs, durability } = settings;
    const store = options.store({ leaseMs, durability, limits: limitsOf(settings) });
    settings.pollMs = options.pollMs ?? store.pollMs ?? settings.pollMs;
    const parts = assemble(options, store, settings, options.clock ?? store.clock ?? systemClock());
    const millrace = new Millrace(parts, options.onFatal);
    try {
      await millrace.#start(options);
    } catch (error) {
      // Isolated stages have children from the beginning: they must not outlive a failed start.
      await parts.pools?.stop({ graceMs: 0 });
      throw error;
    }
    return millrace;
  }

  async #start({ limiters = {}, timers, deployment }: MillraceOptions): Promise<void> {
    const { store, kinds, settings, pools, relay, upkeep, metrics } = this.#parts;
    await store.open(storeEvents(this.#parts, (error) => this.#fail(error)));
    try {
      await store.register(
        [...kinds.values()].map((kind) => planOf(kind, settings)),
        { work: pools !== undefined, ...(deployment !== undefined && { deployment }) },
      );
      await store.setLimiters(Object.entries(limiters).map(([name, limiter]) => ({ name, ...limiter })));
    } catch (error) {
      await store.close();
      throw error;
    }
    if (timers !== false) relay.start();
    pools?.start();
    if (timers === false) return;
    upkeep.start();
    this.shared.start();
    metrics.start();
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
    if (typeof kind?.name !== "string") {
      throw new AppError("kind-unknown", "submit() needs a kind as its first argument.", {
        hint: "Pass the kind itself, not its name.",
      });
    }
    if (!Array.isArray(payloads)) throw new AppError("invalid-request", "payloads must be an array.");
    const { idempotencyKey, tenant = "default", ...rest } = options;
    const { jobs, replayed } = await this.#accept({
      tenant,
      requests: payloads.map((payload) => ({ kind: kind.name, payload, options: rest })),
      ...(idempotencyKey !== undefined && { idempotency: { key: idempotencyKey } }),
    });
    return jobs.map(({ id }) => new JobHandle<Result>(this, id, replayed));
  }

  /** Submits jobs by the names of their kinds, as they arrive over HTTP: all of them in one transaction, or none. */
  async submitRequests(submission: SubmitRequests): Promise<{ jobs: JobView[]; replayed: boolean; joined: number[] }> {
    const { jobs, replayed, joined } = await this.#accept(submission);
    return { jobs: jobs.map(viewOf), replayed, joined };
  }

  #accept(submission: SubmitRequests): Promise<Accepted> {
    if (this.#fatal) throw this.#fatal;
    if (this.#stopping !== undefined)
      throw new AppError("stopping", "This engine is stopping and accepts no new jobs.");
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
  async health(): Promise<Health> {
    const { now: conditions } = this.#parts.conditions;
    const sentences = (level: string) => conditions.filter((each) => each.level === level).map((each) => each.message);
    const problems = [...(this.#parts.pools?.problems() ?? []), ...sentences("error")];
    const warnings = [...sentences("degraded"), ...(this.#parts.pools?.delays() ?? [])];
    if (this.#fatal) problems.push(this.#fatal.message);
    if (this.#stopping !== undefined) problems.push("Shutting down.");
    const ended = this.#fatal !== undefined || this.#stopping !== undefined;
    const unservedStages = ended
      ? []
      : await this.#parts.deployments.unserved().catch((error: unknown) => {
          problems.push(messageOf(error));
          return [];
        });
    const unserved = unservedStages.map(unservedName);
    const isWell = warnings.length + unserved.length === 0;
    const status = problems.length > 0 ? "error" : isWell ? "ok" : "degraded";
    return { status, problems: [...problems, ...warnings], unserved, unservedStages };
  }

  /** Every deployment of the application, newest first, and whether it is drained. */
  deployments(): Promise<DeploymentView[]> {
    return this.#parts.deployments.list();
  }

  /**
   * Whether to send work to this process now: it is healthy, it is not shutting down, and its processors have started.
   */
  async readiness(): Promise<Readiness> {
    const { status, problems } = await this.health();
    const reasons = status === "error" ? problems : (this.#parts.pools?.delays() ?? []);
    return { ready: reasons.length === 0, reasons };
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
    checkNames("stop", options, ["graceMs", "hurry"]);
    checkInteger("graceMs", options.graceMs, 0, LONGEST_TIMER_MS);
    if (options.hurry) this.#hurry.abort();
    this.#stopBegun.abort();
    this.#stopping ??= this.#stop(options.graceMs ?? this.#parts.settings.shutdownGraceMs);
    await this.#stopping;
  }

  async #stop(graceMs: number): Promise<void> {
    const { log, metrics, upkeep, pools, hooks, relay, waiters, store } = this.#parts;
    await announceStop(store, log, this.#hurry.signal);
    log.info("drain", { busy: pools?.busyCount ?? 0, graceMs });
    metrics.stop();
    await upkeep.stop();
    await pools?.stop({ graceMs, hurry: this.#hurry.signal });
    await Promise.all([hooks.stop(), relay.stop()]);
    await this.shared.stop();
    waiters.stop(new AppError("stopping", "This engine was stopped."));
    await store.close();
  }

  /** Aborted when `stop()` is called for the first time. */
  get stopping(): AbortSignal {
    return this.#stopBegun.signal;
  }

  /** The log that `open()` was given, or its default. */
  get log(): Log {
    return this.#parts.log;
  }

  /** Does once what timers do otherwise. For `timers: false`. */
  async tick(): Promise<void> {
    const { store, pools, metrics, upkeep } = this.#parts;
    await store.beat();
    pools?.tick();
    metrics.tick();
    await upkeep.tick();
  }

  /** Runs everything that may run now, and what follows from it. For `timers: false`. */
  async drain(): Promise<void> {
    while (await this.#parts.pools?.drain()) {
      // What was settled may have made more work: the next stage, a freed limit.
    }
    await this.#parts.hooks.flush();
  }

  /** When the next scheduled job may run, in milliseconds since 1970, if one is known. */
  get nextAt(): number | undefined {
    return this.#parts.pools?.nextAt;
  }

  #fail(error: Error): void {
    if (this.#fatal) return;
    this.#fatal = error;
    this.#parts.log.error("fatal", { error: error.message });
    this.#onFatal?.(error);
  }
}
