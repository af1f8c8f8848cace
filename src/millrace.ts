// The composition root: store + pools + upkeep. One object per process and store.

import type { Admin } from "./engine/admin.ts";
import { announceStop } from "./engine/announce-stop.ts";
import type { ReviveRequest } from "./engine/control.ts";
import { type DeploymentView, type UnservedStage, unservedName } from "./engine/deployments.ts";
import { limitsOf, type MillraceOptions, settingsOf } from "./engine/options.ts";
import { assemble, type Parts, storeEvents } from "./engine/parts.ts";
import type { SharedArtifacts } from "./engine/shared-artifacts.ts";
import type { Kind } from "./job/kind.ts";
import { planOf } from "./job/settings.ts";
import { type AttemptView, type JobView, viewOf } from "./job/view.ts";
import type { WaitOptions } from "./job/wait-options.ts";
import { JobHandle } from "./job-handle.ts";
import { AppError, messageOf } from "./lib/app-error.ts";
import { checkInteger, checkNames } from "./lib/check.ts";
import { LONGEST_TIMER_MS, systemClock } from "./lib/clock.ts";
import { needsAwait } from "./lib/needs-await.ts";
import type { PoolView } from "./pool/pools.ts";
import type { Artifact, JobFilter, KindCounts, LogLine, Step } from "./store/store.ts";
import type { Change } from "./submit/changes.ts";
import type { Accepted, SubmitRequests } from "./submit/intake.ts";
import type { Schedules } from "./submit/schedules.ts";
import type { SubmitOptions } from "./submit/submit.ts";
import type { MetricsView } from "./telemetry/metrics-view.ts";

export interface Health {
  /** `degraded`: it works, but an operator should act. */
  status: "ok" | "degraded" | "error";
  /** Why it is not "ok". */
  problems: string[];
  /** Stages with jobs that no living process serves, as `kind/stage`. */
  unserved: string[];
  /** The same with how many jobs wait, and the deployment that served them last. */
  unservedStages: UnservedStage[];
}

export interface Readiness {
  ready: boolean;
  /** Why it is not. */
  reasons: string[];
}

export class Millrace {
  readonly schedules: Schedules;
  readonly admin: Admin;
  /** Bytes that outlive the jobs that made them. */
  readonly shared: SharedArtifacts;
  readonly #parts: Parts;
  readonly #onFatal: ((error: Error) => void) | undefined;
  readonly #hurry = new AbortController();
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

  /** Opens the store and starts the pools. The process lives on until `stop()`. */
  static open(options: MillraceOptions): Promise<Millrace> {
    return needsAwait(Millrace.#open(options), "Millrace.open()", [
      "submit",
      "submitMany",
      "job",
      "find",
      "wait",
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
    const { store, kinds, settings, pools, upkeep, metrics } = this.#parts;
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
    pools?.start();
    if (timers === false) return;
    upkeep.start();
    this.shared.start();
    metrics.start();
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
    if (typeof kind?.name !== "string") {
      throw new AppError("kind-unknown", "submit() needs a kind as its first argument.", {
        hint: "Pass the kind that defineKind returned, not its name.",
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

  /** Jobs by the names of their kinds, as they come over HTTP: all of them in one transaction, or none. */
  async submitRequests(submission: SubmitRequests): Promise<{ jobs: JobView[]; replayed: boolean; joined: number[] }> {
    const { jobs, replayed, joined } = await this.#accept(submission);
    return { jobs: jobs.map(viewOf), replayed, joined };
  }

  #accept(submission: SubmitRequests): Promise<Accepted> {
    if (this.#fatal) throw this.#fatal;
    if (this.#stopping !== undefined)
      throw new AppError("stopping", "This Millrace is stopping and accepts no new jobs.");
    return this.#parts.intake.submit(submission);
  }

  /** A handle to a job submitted earlier, or elsewhere. */
  job<Result = unknown>(id: string): JobHandle<Result> {
    return new JobHandle<Result>(this, id);
  }

  // ── look ────────────────────────────────────────────────────────────────────────────────────────────────────────

  find(jobId: string): Promise<JobView | undefined> {
    return this.#parts.look.find(jobId);
  }

  /** The finished job. Gives up after 10 minutes unless `timeoutMs` says otherwise; the job itself goes on. */
  wait(jobId: string, options: WaitOptions = {}): Promise<JobView> {
    return this.#parts.look.wait(jobId, options);
  }

  list(filter: JobFilter = {}): Promise<JobView[]> {
    return this.#parts.look.list(filter);
  }

  count(filter: JobFilter = {}): Promise<number> {
    return this.#parts.look.count(filter);
  }

  attempts(jobId: string): Promise<AttemptView[]> {
    return this.#parts.look.attempts(jobId);
  }

  logs(jobId: string, options: { afterId?: number; limit?: number } = {}): Promise<(LogLine & { id: number })[]> {
    return this.#parts.look.logs(jobId, options);
  }

  steps(jobId: string): Promise<Step[]> {
    return this.#parts.look.steps(jobId);
  }

  artifact(jobId: string, name: string): Promise<Artifact | undefined> {
    return this.#parts.look.artifact(jobId, name);
  }

  /** Hears of jobs that move in this process, and that something changed in another. Call what it returns to stop. */
  listen(listener: (change: Change) => void): () => void {
    return this.#parts.changes.listen(listener);
  }

  /** A registered kind by its name; throws `kind-unknown`. */
  kindNamed(name: string): Kind {
    return this.#parts.intake.kind(name);
  }

  kinds(): Promise<KindCounts[]> {
    return this.#parts.store.kinds();
  }

  /** The pools of this process, each processor with what it does. */
  pools(): PoolView[] {
    return this.#parts.pools?.views() ?? [];
  }

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

  /** What each version of the application registered, newest first, and whether it is drained. */
  deployments(): Promise<DeploymentView[]> {
    return this.#parts.deployments.list();
  }

  /** Whether it should be sent work now: it is healthy, it is not shutting down, and its processors have started. */
  async readiness(): Promise<Readiness> {
    const { status, problems } = await this.health();
    const reasons = status === "error" ? problems : (this.#parts.pools?.delays() ?? []);
    return { ready: reasons.length === 0, reasons };
  }

  /** Figures of this process, and how many jobs stand where in the whole store. */
  metrics(): Promise<MetricsView> {
    return this.#parts.figures.metrics();
  }

  /** The same as Prometheus text. */
  prometheus(): Promise<string> {
    return this.#parts.figures.prometheus();
  }

  // ── control ─────────────────────────────────────────────────────────────────────────────────────────────────────

  cancel(jobId: string, reason = "Cancelled by request."): Promise<void> {
    return this.#parts.control.cancel(jobId, reason);
  }

  /** Cancels a job that nobody waits for any more, unless another submission has joined it or it has ended. */
  abandon(jobId: string, reason: string): Promise<boolean> {
    return this.#parts.control.abandon(jobId, reason);
  }

  /** Those that were still pending or running. */
  cancelMany(jobIds: string[], reason = "Cancelled by request."): Promise<string[]> {
    return this.#parts.control.cancelMany(jobIds, reason);
  }

  /** Puts a held job back in the queue; its processor finds the answer, if one is given, in `ctx.answers()`. */
  release(jobId: string, options: { answer?: unknown } = {}): Promise<void> {
    return this.#parts.control.release(jobId, options);
  }

  /** A new job with a dead letter's (or a cancelled job's) work; it starts at the stage that failed. */
  async revive(jobId: string, request: ReviveRequest = {}): Promise<JobHandle> {
    const { id } = await this.#parts.control.revive(jobId, request);
    return new JobHandle(this, id);
  }

  /** The same, as it comes over HTTP: the new job as it was accepted, before any processor claimed it. */
  async reviveRequest(jobId: string, request: ReviveRequest = {}): Promise<JobView> {
    return viewOf(await this.#parts.control.revive(jobId, request));
  }

  /** Deletes a finished job and all that belongs to it. */
  forget(jobId: string): Promise<void> {
    return this.#parts.control.forget(jobId);
  }

  /** Those that were finished. */
  forgetMany(jobIds: string[]): Promise<string[]> {
    return this.#parts.control.forgetMany(jobIds);
  }

  pause(kind: string): Promise<void> {
    return this.#parts.control.setPaused(kind, true);
  }

  resume(kind: string): Promise<void> {
    return this.#parts.control.setPaused(kind, false);
  }

  /** Hands the pinned jobs of a deployment without processes to the newest one. */
  async unpin(label: string): Promise<void> {
    await this.#parts.deployments.unpin(label);
    this.#parts.pools?.poke();
  }

  /** Copies the live store consistently to a new file. */
  backup(path: string): Promise<void> {
    return this.#parts.store.backup(path);
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Stops claiming, lets running work finish within the grace, hands the rest back without burning an attempt, closes.
   * Leases stay renewed to the end. A second call with `hurry` cuts the grace short.
   */
  async stop(options: { graceMs?: number; hurry?: boolean } = {}): Promise<void> {
    checkNames("stop", options, ["graceMs", "hurry"]);
    checkInteger("graceMs", options.graceMs, 0, LONGEST_TIMER_MS);
    if (options.hurry) this.#hurry.abort();
    this.#stopping ??= this.#stop(options.graceMs ?? this.#parts.settings.shutdownGraceMs);
    await this.#stopping;
  }

  async #stop(graceMs: number): Promise<void> {
    const { log, metrics, upkeep, pools, waiters, store } = this.#parts;
    await announceStop(store, log, this.#hurry.signal);
    log.info("drain", { busy: pools?.busyCount ?? 0, graceMs });
    metrics.stop();
    await upkeep.stop();
    await pools?.stop({ graceMs, hurry: this.#hurry.signal });
    await this.shared.stop();
    waiters.stop(new AppError("stopping", "This Millrace was stopped."));
    await store.close();
  }

  /** One turn of all that timers do. */
  async tick(): Promise<void> {
    const { store, pools, metrics, upkeep } = this.#parts;
    await store.beat();
    pools?.tick();
    metrics.tick();
    await upkeep.tick();
  }

  /** Works off all that may run now, and what follows from it. */
  async drain(): Promise<void> {
    while (await this.#parts.pools?.drain()) {
      // What was settled may have made more work: the next stage, a freed limit.
    }
  }

  /** When the next scheduled job may run, if one is known. */
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
