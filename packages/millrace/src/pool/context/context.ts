// `ctx`: what a processor can do with its job. Each call presents the lease through the port, so it works alike in this process
// and in a child, and it throws `LeaseLost` once the attempt has lost the job.

import type { ChildOptions, ChildrenOptions, ChildSubmitOptions } from "../../job/children.ts";
import type {
  Context,
  JobLog,
  Shareable,
  StepOptions,
  StepRun,
  TransactionOptions,
  UniqueKey,
} from "../../job/context.ts";
import { limiterReason } from "../../job/deferral.ts";
import type { Kind } from "../../job/kind/kind.ts";
import type { ClaimedJob, LossReason } from "../../job/lease.ts";
import type { EndedBatch } from "../../job/report/batch-view.ts";
import type { JobStream } from "../../job/stream.ts";
import type { DatabaseSource, TransactionOf } from "../../job/transaction-source.ts";
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
import { Belongings } from "./belongings.ts";
import { ContextCalls } from "./calls.ts";
import { checkCost, continuation, deferral, hold } from "./checks.ts";
import { Children } from "./children.ts";
import type { LeaseLost } from "./lease-lost.ts";
import type { ContextNames } from "./names.ts";
import { Notes } from "./notes.ts";
import type { AttemptPort } from "./port.ts";
import { type Completion, refuseCall, StepTransactions } from "./step-transactions.ts";
import { Steps } from "./steps.ts";
import { Streams } from "./streams.ts";
import { AttemptYield } from "./yielded.ts";

const SYSTEM_CLOCK = systemClock();
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
  #transactionsMade: StepTransactions | undefined;
  #completion: Completion | undefined;

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
    options: StepOptions & { undo?: string; tx?: unknown } = {},
  ): Promise<Jsonified<T>> {
    const isWithin = options?.tx !== undefined;
    const run = () => (isWithin ? this.#transactions.step<T>(name, fn, options) : this.#steps.run(name, fn, options));
    return this.#tracked(`ctx.step("${name}")`, run, { mustFinish: true });
  }

  transaction<Source extends DatabaseSource, T>(
    name: string,
    db: Source,
    fn: (tx: TransactionOf<Source>, step: StepRun) => T | Promise<T>,
    options: TransactionOptions & { undo?: string } = {},
  ): Promise<Jsonified<T>> {
    const run = () => this.#transactions.run<T>(name, db, fn as (tx: never, step: StepRun) => unknown, options);
    return this.#tracked(`ctx.transaction("${name}")`, run, { mustFinish: true });
  }

  stored<T>(name: string): Promise<T | undefined> {
    return this.#tracked("ctx.stored()", () => this.#steps.stored<T>(name));
  }

  answers<T = unknown>(): Promise<T[]> {
    return this.#tracked("ctx.answers()", () => this.#steps.answers<T>());
  }

  sleep(name: string, time: SleepTime): Promise<void> {
    return this.#unlessLate(`ctx.sleep("${name}")`, () => sleep(this.#waits, name, time));
  }

  waitForSignal(name: string, options?: SignalWaitOptions): Promise<never> {
    return this.#unlessLate(`ctx.waitForSignal("${name}")`, () =>
      waitForSignal(this.#waits, name, options),
    ) as Promise<never>;
  }

  waitForEvent(topic: string, options?: EventWaitOptions): Promise<Record<string, unknown> | undefined> {
    return this.#unlessLate(`ctx.waitForEvent("${topic}")`, () => waitForEvent(this.#waits, topic, options));
  }

  waitForApproval<Choice extends string>(
    name: string,
    options: ApprovalOptions<Choice>,
  ): Promise<Approval<Choice> | undefined> {
    return this.#unlessLate(`ctx.waitForApproval("${name}")`, () => waitForApproval(this.#waits, name, options));
  }

  race<Members extends Record<string, Promise<unknown>>>(name: string, members: Members): Promise<RaceResult<Members>> {
    return this.#unlessLate(`ctx.race("${name}")`, () => race(this.#waits, name, members));
  }

  stream(name: string): JobStream {
    refuseCall(`ctx.stream("${name}")`, this.#completion);
    this.#streamsMade ??= this.#openStreams();
    return this.#streamsMade.open(name, (write) => this.#calls.track(`ctx.stream("${name}").write()`, write));
  }

  runChild(name: string, kind: Kind, payload: unknown, options?: ChildOptions & { undo?: string }): Promise<never> {
    return this.#unlessLate(`ctx.runChild("${name}")`, () =>
      this.#children.runChild(name, kind, payload, options),
    ) as Promise<never>;
  }

  runChildren(name: string, kind: Kind, payloads: readonly unknown[], ...options: readonly unknown[]): Promise<never> {
    if (this.#isLate(`ctx.runChildren("${name}")`)) return new Promise(() => {});
    const [given] = options as [options?: ChildrenOptions & { undo?: string }];
    return this.#children.runChildren(name, kind, payloads, given) as Promise<never>;
  }

  submit(name: string, kind: Kind, payload: unknown, options?: ChildSubmitOptions): Promise<string> {
    return this.#unlessLate(`ctx.submit("${name}")`, () => this.#children.submit(name, kind, payload, options));
  }

  dependencies(): Promise<never> {
    return this.#tracked("ctx.dependencies()", () => this.#children.dependencies()) as Promise<never>;
  }

  progress(value: number, message?: string): void {
    this.#notes.progress(value, message);
  }

  limit(name: string, cost = 1): Promise<void> {
    return this.#tracked("ctx.limit()", () => this.#limit(name, cost));
  }

  async #limit(name: string, cost: number): Promise<void> {
    checkCost(cost);
    const taken = this.#lease.held(await this.#port.take(name, cost));
    if (taken === "taken") return;
    this.#yield("limit", { type: "deferred", runAt: taken.retryAt, reason: limiterReason(name) });
  }

  blockLimit(name: string, options: { forMs: number }): Promise<void> {
    return this.#tracked("ctx.blockLimit()", () => this.#belongings.blockLimit(name, options));
  }

  defer(when: { delayMs: number } | { runAt: Date }, reason?: string): never {
    refuseCall("ctx.defer()", this.#completion);
    this.#yield("defer", deferral(when, reason));
  }

  hold(reason: string, options: { timeoutMs?: number } = {}): never {
    refuseCall("ctx.hold()", this.#completion);
    this.#yield("hold", hold(reason, options));
  }

  continueAsNew(payload: unknown): never {
    refuseCall("ctx.continueAsNew()", this.#completion);
    if (this.isUndoing) throw new AppError("invalid-request", "An undo handler cannot continue the job as new.");
    this.#yield("continueAsNew", continuation(payload));
  }

  artifact(name: string, bytes: Uint8Array, contentType = "application/octet-stream"): Promise<void> {
    return this.#tracked(`ctx.artifact("${name}")`, () => this.#belongings.keep(name, bytes, contentType), {
      mustFinish: true,
    });
  }

  unique(key: string): Promise<UniqueKey> {
    return this.#tracked("ctx.unique()", () => this.#belongings.unique(key));
  }

  share(artifact: Shareable, options: { named?: boolean } = {}): Promise<string | undefined> {
    return this.#tracked("ctx.share()", () => this.#belongings.share(artifact, options));
  }

  shared(key: string): Promise<Shareable | undefined> {
    return this.#tracked("ctx.shared()", () => this.#belongings.shared(key));
  }

  // ── for the pool ────────────────────────────────────────────────────────────────────────────────────────────────

  get lost(): LeaseLost | undefined {
    return this.#leaseMade?.lost;
  }

  /** Call this when the lease is gone. Nothing that this attempt writes from now on counts. */
  lose(reason: LossReason): void {
    this.#streamsMade?.drop();
    this.#lease.lose(reason);
  }

  /** What `defer`, `hold`, `limit` or `continueAsNew` threw to leave the processor, which may have caught it. */
  get yielded(): AttemptYield | undefined {
    return this.#yielded;
  }

  /** How a transaction has ended the attempt, whatever the processor does from there on. */
  get completion(): Completion | undefined {
    return this.#completion;
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

  /** Whether the undo handlers of the stage run instead of its processor. */
  get isUndoing(): boolean {
    return this.#job.workflow?.undoing !== undefined;
  }

  /** The steps of this stage that are to be undone, in order. */
  undosLeft(): Promise<UndoStep[]> {
    return this.#calls.track("the undo", this.#belongings.undosLeft());
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

  /**
   * Whether the attempt was suspended, and code that runs beside its waits makes a call. The call wakes the job
   * instead.
   */
  #isLate(call: string): boolean {
    refuseCall(call, this.#completion);
    const own = this.#calls.come(call.slice(0, MAX_CALL_CHARS));
    if (!this.#calls.isSuspended) return false;
    this.#port.wakeLate(own).catch(() => {});
    return true;
  }

  #unlessLate<T>(call: string, run: () => Promise<T>): Promise<T> {
    return this.#isLate(call) ? new Promise(() => {}) : run();
  }

  #tracked<T>(call: string, run: () => Promise<T>, options?: { mustFinish: boolean }): Promise<T> {
    return this.#unlessLate(call, () => this.#calls.track(call, run(), options));
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

  get #transactions(): StepTransactions {
    this.#transactionsMade ??= new StepTransactions({
      steps: this.#steps,
      lease: this.#lease,
      port: this.#port.transactions,
      job: this.#job,
      flush: async () => {
        await this.flushStreams();
        const note = this.drainNote();
        if (note) this.#lease.held(await this.#port.note(note));
      },
      onCompleted: (completion) => {
        this.#completion = completion;
      },
    });
    return this.#transactionsMade;
  }

  #openStreams(): Streams {
    return new Streams(this.#lease, this.#port, { hasStored: this.#job.workflow?.hasStreams ?? false });
  }

  get #belongings(): Belongings {
    return new Belongings(this.#lease, this.#port);
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
      useUndo: (handler, name) => this.#steps.useUndo(handler, name),
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
