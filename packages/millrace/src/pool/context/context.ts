// `ctx`: what a processor can do with its job. Each call presents the lease through the port, so it works alike in this process
// and in a child, and it throws `LeaseLost` once the attempt has lost the job.

import type { Context, JobLog, Shareable, UniqueKey } from "../../job/context.ts";
import { limiterReason } from "../../job/deferral.ts";
import type { ClaimedJob, LossReason } from "../../job/lease.ts";
import type { NewWait } from "../../job/wait.ts";
import type {
  Approval,
  ApprovalOptions,
  EventWaitOptions,
  RaceResult,
  SignalWaitOptions,
  SleepTime,
} from "../../job/waiting.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import type { Jsonified } from "../../lib/json/jsonified.ts";
import type { Note } from "../../store/verbs/attempts.ts";
import { waitForApproval } from "../../workflow/approval.ts";
import { waitForEvent } from "../../workflow/event.ts";
import { race } from "../../workflow/race.ts";
import { waitForSignal } from "../../workflow/signal.ts";
import { sleep } from "../../workflow/sleep.ts";
import { Waits } from "../../workflow/waits.ts";
import { AttemptLease } from "./attempt-lease.ts";
import { ContextCalls } from "./calls.ts";
import { checkBytes, checkCost, checkShareKey, checkUniqueKey, deferral, hold } from "./checks.ts";
import type { LeaseLost } from "./lease-lost.ts";
import { Notes } from "./notes.ts";
import type { AttemptPort } from "./port.ts";
import { Steps } from "./steps.ts";
import { storableText } from "./storable.ts";
import { Yielded } from "./yielded.ts";

const SYSTEM_CLOCK = systemClock();
const MAX_INFO_BYTES = 65_536;

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
  readonly #port: AttemptPort;
  readonly #job: ClaimedJob;
  readonly #clock: Clock;
  #leaseMade: AttemptLease | undefined;
  #stepsMade: Steps | undefined;
  #notesMade: Notes | undefined;
  #callsMade: ContextCalls | undefined;
  #waitsMade: Waits | undefined;
  #onSuspended: ((waits: NewWait[]) => void) | undefined;
  #yielded: Yielded | undefined;

  constructor(
    job: ClaimedJob,
    names: { kind: string; stage: string },
    payload: unknown,
    port: AttemptPort,
    clock: Clock = SYSTEM_CLOCK,
  ) {
    this.jobId = job.lease.jobId;
    this.kind = names.kind;
    this.stage = names.stage;
    this.tenant = job.tenant;
    this.payload = payload;
    this.attempt = job.attempt;
    this.tags = job.tags;
    this.traceId = job.traceId;
    this.traceParent = job.traceParent;
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

  step<T>(name: string, fn: () => T | Promise<T>): Promise<Jsonified<T>> {
    return this.#calls.track(`ctx.step("${name}")`, this.#steps.run(name, fn), { mustFinish: true });
  }

  stored<T>(name: string): Promise<T | undefined> {
    return this.#calls.track("ctx.stored()", this.#steps.stored<T>(name));
  }

  answers<T = unknown>(): Promise<T[]> {
    return this.#calls.track("ctx.answers()", this.#steps.answers<T>());
  }

  sleep(name: string, time: SleepTime): Promise<void> {
    return sleep(this.#waits, name, time);
  }

  waitForSignal(name: string, options?: SignalWaitOptions): Promise<never> {
    return waitForSignal(this.#waits, name, options) as Promise<never>;
  }

  waitForEvent(topic: string, options?: EventWaitOptions): Promise<Record<string, unknown> | undefined> {
    return waitForEvent(this.#waits, topic, options);
  }

  waitForApproval<Choice extends string>(
    name: string,
    options: ApprovalOptions<Choice>,
  ): Promise<Approval<Choice> | undefined> {
    return waitForApproval(this.#waits, name, options);
  }

  race<Members extends Record<string, Promise<unknown>>>(name: string, members: Members): Promise<RaceResult<Members>> {
    return race(this.#waits, name, members);
  }

  progress(value: number, message?: string): void {
    this.#notes.progress(value, message);
  }

  limit(name: string, cost = 1): Promise<void> {
    return this.#calls.track("ctx.limit()", this.#limit(name, cost));
  }

  async #limit(name: string, cost: number): Promise<void> {
    checkCost(cost);
    const taken = this.#lease.held(await this.#port.take(name, cost));
    if (taken === "taken") return;
    this.#yield("limit", { type: "deferred", runAt: taken.retryAt, reason: limiterReason(name) });
  }

  blockLimit(name: string, options: { forMs: number }): Promise<void> {
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

  artifact(name: string, bytes: Uint8Array, contentType = "application/octet-stream"): Promise<void> {
    return this.#calls.track(`ctx.artifact("${name}")`, this.#artifact(name, bytes, contentType), { mustFinish: true });
  }

  async #artifact(name: string, bytes: Uint8Array, contentType: string): Promise<void> {
    checkBytes(name, bytes);
    this.#lease.held(await this.#port.keepArtifact({ name, contentType, bytes }));
  }

  unique(key: string): Promise<UniqueKey> {
    return this.#calls.track("ctx.unique()", this.#unique(key));
  }

  async #unique(key: string): Promise<UniqueKey> {
    checkUniqueKey(key);
    return this.#lease.held(await this.#port.acquireUnique(key));
  }

  share(artifact: Shareable, options: { named?: boolean } = {}): Promise<string | undefined> {
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
    this.#lease.lose(reason);
  }

  /** What `defer`, `hold` or `limit` threw to leave the processor, which may have caught it. */
  get yielded(): Yielded | undefined {
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

  /** Progress and log lines that are not written yet. */
  takeNote(): Note | undefined {
    return this.#notesMade?.take();
  }

  #yield(by: Yielded["by"], outcome: Yielded["outcome"]): never {
    this.#yielded = new Yielded(by, outcome);
    throw this.#yielded;
  }

  get #lease(): AttemptLease {
    this.#leaseMade ??= new AttemptLease(this.#job.lease, this.#port, this.#clock);
    return this.#leaseMade;
  }

  get #steps(): Steps {
    this.#stepsMade ??= new Steps(this.#lease, this.#port, { hasStored: this.#job.hasSteps });
    return this.#stepsMade;
  }

  get #notes(): Notes {
    this.#notesMade ??= new Notes(this.#lease, this.#port);
    return this.#notesMade;
  }

  get #calls(): ContextCalls {
    this.#callsMade ??= new ContextCalls((waits) => {
      this.#lease.suspend();
      this.#onSuspended?.(waits);
    });
    return this.#callsMade;
  }

  get #waits(): Waits {
    const held = this.#lease.held.bind(this.#lease);
    this.#waitsMade ??= new Waits(this.#port, this.#calls, { hasStored: this.#job.hasWaits ?? false, held });
    return this.#waitsMade;
  }
}
