// `ctx`: what a processor can do with its job. Each call presents the lease through the port, so it works alike in this process
// and in a child, and it throws `LeaseLost` once the attempt has lost the job.

import type { ChildOptions, ChildrenOptions, ChildSubmitOptions } from "../../job/children.ts";
import type { Context, JobLog, Shareable, StepOptions, StepRun, UniqueKey } from "../../job/context.ts";
import { limiterReason } from "../../job/deferral.ts";
import type { Kind } from "../../job/kind/kind.ts";
import type { ClaimedJob, LossReason } from "../../job/lease.ts";
import type { EndedBatch } from "../../job/report/batch-view.ts";
import type { JobStream } from "../../job/stream.ts";
import type { NewWait } from "../../job/wait.ts";
import type {
  Approval,
  ApprovalOptions,
  EventWaitOptions,
  RaceResult,
  SignalWaitOptions,
  SleepTime,
} from "../../job/waiting.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import type { Jsonified } from "../../lib/json/jsonified.ts";
import type { Note, UndoStep } from "../../store/verbs/attempts.ts";
import { waitForApproval } from "../../workflow/approval.ts";
import { waitForEvent } from "../../workflow/event.ts";
import { race } from "../../workflow/race.ts";
import { waitForSignal } from "../../workflow/signal.ts";
import { sleep } from "../../workflow/sleep.ts";
import { Waits } from "../../workflow/waits.ts";
import { AttemptLease } from "./attempt-lease.ts";
import { ContextCalls } from "./calls.ts";
import { checkBytes, checkCost, checkShareKey, checkUniqueKey, continuation, deferral, hold } from "./checks.ts";
import { Children } from "./children.ts";
import type { LeaseLost } from "./lease-lost.ts";
import type { ContextNames } from "./names.ts";
import { Notes } from "./notes.ts";
import type { AttemptPort } from "./port.ts";
import { Steps } from "./steps.ts";
import { storableText } from "./storable.ts";
import { Streams } from "./streams.ts";
import { AttemptYield } from "./yielded.ts";

const SYSTEM_CLOCK = systemClock();
const MAX_INFO_BYTES = 65_536;
const MAX_CALL_CHARS = 500;

/** Parts that most short jobs never use are made on first use. */
export class JobContext implements Context {
  readonly jobId: string;
  readonly kind: string;
  readonly stage: string;
  readonly tenant: string;
  readonly payload: unknown;
  readonly attempt: number;
  readonly tags: readonly string[];
  readonly traceId: string | undefined;
  readonly traceParent: string | undefined;
  readonly batch: EndedBatch | undefined;
  readonly #port: AttemptPort;
  readonly #job: ClaimedJob;
  readonly #clock: Clock;
  readonly #names: ContextNames;
  #leaseMade: AttemptLease | undefined;
  #stepsMade: Steps | undefined;
  #notesMade: Notes | undefined;
  #callsMade: ContextCalls | undefined;
  #waitsMade: Waits | undefined;
  #streamsMade: Streams | undefined;
  #childrenMade: Children | undefined;
  #onSuspended: ((waits: NewWait[]) => void) | undefined;
  #yielded: AttemptYield | undefined;

  constructor(job: ClaimedJob, names: ContextNames, payload: unknown, port: AttemptPort, clock: Clock = SYSTEM_CLOCK) {
    this.jobId = job.lease.jobId;
    this.kind = names.kind;
    this.stage = names.stage;
    this.#names = names;
    this.tenant = job.tenant;
    this.payload = payload;
    this.attempt = job.attempt;
    this.tags = job.tags;
    this.traceId = job.traceId;
    this.traceParent = job.traceParent;
    this.batch = job.workflow?.batch;
    this.#port = port;
    this.#job = job;
    this.#clock = clock;
  }

  // ── for the processor ───────────────────────────────────────────────────────────────────────────────────────────

  get leaseKey(): string {
    return this.#lease.key;
  }

  get signal(): AbortSignal {
    return this.#lease.signal;
  }

  get log(): JobLog {
    return this.#notes.log;
  }

  step<T>(
    name: string,
    fn: (step: StepRun) => T | Promise<T>,
    options: StepOptions & { undo?: string } = {},
  ): Promise<Jsonified<T>> {
    if (this.#isLate(`ctx.step("${name}")`)) return new Promise(() => {});
    return this.#calls.track(`ctx.step("${name}")`, this.#steps.run(name, fn, options), { mustFinish: true });
  }

  stored<T>(name: string): Promise<T | undefined> {
    if (this.#isLate("ctx.stored()")) return new Promise(() => {});
    return this.#calls.track("ctx.stored()", this.#steps.stored<T>(name));
  }

  answers<T = unknown>(): Promise<T[]> {
    if (this.#isLate("ctx.answers()")) return new Promise(() => {});
    return this.#calls.track("ctx.answers()", this.#steps.answers<T>());
  }

  sleep(name: string, time: SleepTime): Promise<void> {
    if (this.#isLate(`ctx.sleep("${name}")`)) return new Promise(() => {});
    return sleep(this.#waits, name, time);
  }

  waitForSignal(name: string, options?: SignalWaitOptions): Promise<never> {
    if (this.#isLate(`ctx.waitForSignal("${name}")`)) return new Promise(() => {});
    return waitForSignal(this.#waits, name, options) as Promise<never>;
  }

  waitForEvent(topic: string, options?: EventWaitOptions): Promise<Record<string, unknown> | undefined> {
    if (this.#isLate(`ctx.waitForEvent("${topic}")`)) return new Promise(() => {});
    return waitForEvent(this.#waits, topic, options);
  }

  waitForApproval<Choice extends string>(
    name: string,
    options: ApprovalOptions<Choice>,
  ): Promise<Approval<Choice> | undefined> {
    if (this.#isLate(`ctx.waitForApproval("${name}")`)) return new Promise(() => {});
    return waitForApproval(this.#waits, name, options);
  }

  race<Members extends Record<string, Promise<unknown>>>(name: string, members: Members): Promise<RaceResult<Members>> {
    if (this.#isLate(`ctx.race("${name}")`)) return new Promise(() => {});
    return race(this.#waits, name, members);
  }

  stream(name: string): JobStream {
    this.#streamsMade ??= this.#openStreams();
    return this.#streamsMade.open(name, (write) => this.#calls.track(`ctx.stream("${name}").write()`, write));
  }

  runChild(name: string, kind: Kind, payload: unknown, options?: ChildOptions): Promise<never> {
    if (this.#isLate(`ctx.runChild("${name}")`)) return new Promise(() => {});
    return this.#children.runChild(name, kind, payload, options) as Promise<never>;
  }

  runChildren(name: string, kind: Kind, payloads: readonly unknown[], ...options: readonly unknown[]): Promise<never> {
    if (this.#isLate(`ctx.runChildren("${name}")`)) return new Promise(() => {});
    const [given] = options as [options?: ChildrenOptions];
    return this.#children.runChildren(name, kind, payloads, given) as Promise<never>;
  }

  submit(name: string, kind: Kind, payload: unknown, options?: ChildSubmitOptions): Promise<string> {
    if (this.#isLate(`ctx.submit("${name}")`)) return new Promise(() => {});
    return this.#children.submit(name, kind, payload, options);
  }

  dependencies(): Promise<never> {
    if (this.#isLate("ctx.dependencies()")) return new Promise(() => {});
    return this.#calls.track("ctx.dependencies()", this.#children.dependencies()) as Promise<never>;
  }

  progress(value: number, message?: string): void {
    this.#notes.progress(value, message);
  }

  limit(name: string, cost = 1): Promise<void> {
    if (this.#isLate("ctx.limit()")) return new Promise(() => {});
    return this.#calls.track("ctx.limit()", this.#limit(name, cost));
  }

  async #limit(name: string, cost: number): Promise<void> {
    checkCost(cost);
    const taken = this.#lease.held(await this.#port.take(name, cost));
    if (taken === "taken") return;
    this.#yield("limit", { type: "deferred", runAt: taken.retryAt, reason: limiterReason(name) });
  }

  blockLimit(name: string, options: { forMs: number }): Promise<void> {
    if (this.#isLate("ctx.blockLimit()")) return new Promise(() => {});
    return this.#calls.track("ctx.blockLimit()", this.#blockLimit(name, options));
  }

  async #blockLimit(name: string, { forMs }: { forMs: number }): Promise<void> {
    this.#lease.held(await this.#port.blockLimiter(name, forMs));
  }

  defer(when: { delayMs: number } | { runAt: Date }, reason?: string): never {
    this.#yield("defer", deferral(when, reason));
  }

  hold(reason: string, options: { timeoutMs?: number } = {}): never {
    this.#yield("hold", hold(reason, options));
  }

  continueAsNew(payload: unknown): never {
    if (this.isUndoing) throw new AppError("invalid-request", "An undo handler cannot continue the job as new.");
    this.#yield("continueAsNew", continuation(payload));
  }

  artifact(name: string, bytes: Uint8Array, contentType = "application/octet-stream"): Promise<void> {
    if (this.#isLate(`ctx.artifact("${name}")`)) return new Promise(() => {});
    return this.#calls.track(`ctx.artifact("${name}")`, this.#artifact(name, bytes, contentType), { mustFinish: true });
  }

  async #artifact(name: string, bytes: Uint8Array, contentType: string): Promise<void> {
    checkBytes(name, bytes);
    this.#lease.held(await this.#port.keepArtifact({ name, contentType, bytes }));
  }

  unique(key: string): Promise<UniqueKey> {
    if (this.#isLate("ctx.unique()")) return new Promise(() => {});
    return this.#calls.track("ctx.unique()", this.#unique(key));
  }

  async #unique(key: string): Promise<UniqueKey> {
    checkUniqueKey(key);
    return this.#lease.held(await this.#port.acquireUnique(key));
  }

  share(artifact: Shareable, options: { named?: boolean } = {}): Promise<string | undefined> {
    if (this.#isLate("ctx.share()")) return new Promise(() => {});
    return this.#calls.track("ctx.share()", this.#share(artifact, options));
  }

  async #share(shareable: Shareable, { named = true }: { named?: boolean }): Promise<string | undefined> {
    const { key, contentType, bytes, info = null } = shareable;
    checkShareKey(key);
    checkBytes(key, bytes);
    const artifact = { key, contentType, bytes, info: storableText(info, "info", MAX_INFO_BYTES) };
    return this.#lease.held(await this.#port.share(artifact, { named })).link;
  }

  shared(key: string): Promise<Shareable | undefined> {
    if (this.#isLate("ctx.shared()")) return new Promise(() => {});
    return this.#calls.track("ctx.shared()", this.#shared(key));
  }

  async #shared(key: string): Promise<Shareable | undefined> {
    const found = await this.#port.shared(key);
    return found && { ...found, info: JSON.parse(found.info) };
  }

  // ── for the pool ────────────────────────────────────────────────────────────────────────────────────────────────

  get lost(): LeaseLost | undefined {
    return this.#leaseMade?.lost;
  }

  /** The lease is gone, and nothing that this attempt writes will count. */
  lose(reason: LossReason): void {
    this.#streamsMade?.drop();
    this.#lease.lose(reason);
  }

  /** What `defer`, `hold`, `limit` or `continueAsNew` threw to leave the processor, which may have caught it. */
  get yielded(): AttemptYield | undefined {
    return this.#yielded;
  }

  /** Calls back when the attempt can do nothing but wait. There is one such callback. */
  onSuspended(callback: (waits: NewWait[]) => void): void {
    this.#onSuspended = callback;
  }

  /** The calls that the processor made; undefined if there were none. */
  get calls(): ContextCalls | undefined {
    return this.#callsMade;
  }

  /** Stores the chunks that are gathered. Undefined: there are no streams. */
  flushStreams(): Promise<void> | undefined {
    return this.#streamsMade?.flush();
  }

  /** The undo handlers of the stage run, not its processor. */
  get isUndoing(): boolean {
    return this.#job.workflow?.undoing !== undefined;
  }

  /** The steps of this stage that are to be undone, in order. */
  undosLeft(): Promise<UndoStep[]> {
    return this.#calls.track("the undo", this.#undosLeft());
  }

  async #undosLeft(): Promise<UndoStep[]> {
    return this.#lease.held(await this.#port.undosLeft());
  }

  /** Runs an undo handler as a step. */
  undo(name: string, fn: (step: StepRun) => unknown): Promise<unknown> {
    return this.#calls.track(`the undo of "${name}"`, this.#steps.runUndo(name, fn), { mustFinish: true });
  }

  /** The job was cancelled: lets the steps that are under way finish and be stored, and begins no further one. */
  async windDown(): Promise<void> {
    this.#lease.close();
    await this.#callsMade?.finish().catch(() => {});
  }

  /** Progress and log lines that are not written yet. */
  drainNote(): Note | undefined {
    return this.#notesMade?.drain();
  }

  /** True: the attempt was suspended, and code that runs beside its waits makes a call. The call wakes the job instead. */
  #isLate(call: string): boolean {
    if (!this.#callsMade?.isSuspended) return false;
    this.#port.wakeLate(call.slice(0, MAX_CALL_CHARS)).catch(() => {});
    return true;
  }

  #yield(by: AttemptYield["by"], outcome: AttemptYield["outcome"]): never {
    this.#yielded = new AttemptYield(by, outcome);
    throw this.#yielded;
  }

  get #lease(): AttemptLease {
    this.#leaseMade ??= new AttemptLease(this.#job.lease, this.#port, this.#clock);
    return this.#leaseMade;
  }

  get #steps(): Steps {
    this.#stepsMade ??= new Steps({
      lease: this.#lease,
      port: this.#port,
      job: this.#job,
      names: this.#names,
      drainWaits: () => this.#waitsMade?.drainFresh() ?? [],
      streams: () => {
        if (this.#job.workflow?.hasStreams) this.#streamsMade ??= this.#openStreams();
        return this.#streamsMade;
      },
    });
    return this.#stepsMade;
  }

  #openStreams(): Streams {
    return new Streams(this.#lease, this.#port, { hasStored: this.#job.workflow?.hasStreams ?? false });
  }

  get #notes(): Notes {
    this.#notesMade ??= new Notes(this.#lease, this.#port);
    return this.#notesMade;
  }

  get #calls(): ContextCalls {
    this.#callsMade ??= new ContextCalls((waits) => {
      this.#lease.suspend();
      this.#onSuspended?.(waits);
    }, this.#warnOfLateCalls);
    return this.#callsMade;
  }

  get #children(): Children {
    this.#childrenMade ??= new Children({
      port: this.#port,
      waits: this.#waits,
      held: this.#lease.held.bind(this.#lease),
      trace: {
        ...(this.traceId !== undefined && { traceId: this.traceId }),
        ...(this.traceParent !== undefined && { traceParent: this.traceParent }),
      },
    });
    return this.#childrenMade;
  }

  readonly #warnOfLateCalls = (calls: readonly string[]): void =>
    this.log.warn(
      `${calls.join(", ")} came after the attempt was suspended, so the job was woken and runs again. ` +
        "Put the work before such a call into a step.",
    );

  get #waits(): Waits {
    if (this.isUndoing) throw new AppError("invalid-request", "An undo handler cannot wait.");
    const held = this.#lease.held.bind(this.#lease);
    this.#waitsMade ??= new Waits(this.#port, this.#calls, { hasStored: this.#job.workflow?.hasWaits ?? false, held });
    return this.#waitsMade;
  }
}
