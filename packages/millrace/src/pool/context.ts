import { randomUUID } from "node:crypto";
import type { Context, JobLog, Shareable, UniqueKey } from "../job/context.ts";
import { limiterReason } from "../job/deferral.ts";
import type { ClaimedJob, LossReason, Written } from "../job/lease.ts";
import { clip } from "../job/report/error-account.ts";
import { AppError } from "../lib/app-error.ts";
import { checkInteger, checkNames } from "../lib/check.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Jsonified } from "../lib/json/jsonified.ts";
import type {
  Artifact,
  Confirmed,
  LogLine,
  Note,
  Shared,
  SharedArtifact,
  Step,
  Taken,
  UniqueKeyTaken,
} from "../store/store.ts";
import { LeaseLost } from "./lease-lost.ts";
import { LeaseTime, momentOf } from "./lease-time.ts";
import { storableText } from "./storable.ts";
import { Unfinished } from "./unfinished.ts";
import { Yielded } from "./yielded.ts";

/** The writes of one attempt, its lease already in hand: to the store, or from a child process to its parent. */
export interface AttemptPort {
  note(note: Note): Promise<Written>;
  confirm(): Promise<Confirmed>;
  storedSteps(): Promise<Step[] | "lease-lost">;
  saveStep(name: string, value: string): Promise<Written>;
  take(limiter: string, cost: number): Promise<Taken>;
  blockLimiter(limiter: string, forMs: number): Promise<Written>;
  keepArtifact(artifact: Artifact): Promise<Written>;
  takeUnique(key: string): Promise<UniqueKeyTaken>;
  share(artifact: SharedArtifact, options: { named: boolean }): Promise<Shared>;
  shared(key: string): Promise<SharedArtifact | undefined>;
}

type WaitingNote = Note & { logs: LogLine[] };

const SYSTEM_CLOCK = systemClock();
const ANSWER = "released:";
/** A claim does not wait for the disk: after a power cut its token may be given out again, but to another process. */
const PROCESS = randomUUID().slice(0, 8);
const MAX_REASON_CHARS = 1_000;
const TEN_YEARS_MS = 3_660 * 24 * 3_600_000;
const MAX_STEP_BYTES = 1_048_576;
const MAX_ARTIFACT_BYTES = 64 * 1_048_576;
const MAX_INFO_BYTES = 65_536;
const MAX_SHARE_KEY_CHARS = 255;
const MAX_LOG_CHARS = 8_000;
const MOST_LINES_WAITING = 1_000;
const NOTE_EVERY_MS = 1_000;

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
  readonly #token: number;
  readonly #port: AttemptPort;
  readonly #clock: Clock;
  readonly #hasSteps: boolean;
  #lost: LeaseLost | undefined;
  #controller: AbortController | undefined;
  #log: JobLog | undefined;
  #stepNames: Set<string> | undefined;
  #steps: Promise<Map<string, string>> | undefined;
  #note: WaitingNote | undefined;
  #noteTimer: NodeJS.Timeout | undefined;
  #unfinished: Unfinished | undefined;
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
    this.#token = job.lease.token;
    this.#port = port;
    this.#clock = clock;
    this.#hasSteps = job.hasSteps;
  }

  get leaseKey(): string {
    return `${this.jobId}.${this.#token}.${PROCESS}`;
  }

  /** Made on first use: most short jobs never look at it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#lost) this.#controller.abort(this.#lost);
    }
    return this.#controller.signal;
  }

  get log(): JobLog {
    this.#log ??= {
      debug: (message, data) => this.#line("debug", message, data),
      info: (message, data) => this.#line("info", message, data),
      warn: (message, data) => this.#line("warn", message, data),
      error: (message, data) => this.#line("error", message, data),
    };
    return this.#log;
  }

  get lost(): LeaseLost | undefined {
    return this.#lost;
  }

  /** For the pool: the lease is gone, and nothing this attempt writes will count. */
  lose(reason: LossReason): void {
    if (this.#lost) return;
    this.#lost = new LeaseLost(reason);
    clearTimeout(this.#noteTimer);
    this.#note = undefined;
    this.#controller?.abort(this.#lost);
  }

  /** What it threw to leave the processor, which may have caught it. */
  get yielded(): Yielded | undefined {
    return this.#yielded;
  }

  /** Steps and artifacts that the processor did not await. */
  get unfinished(): Unfinished | undefined {
    return this.#unfinished?.size ? this.#unfinished : undefined;
  }

  step<T>(name: string, fn: () => T | Promise<T>): Promise<Jsonified<T>> {
    return this.#track(`ctx.step("${name}")`, this.#step(name, fn));
  }

  #track<T>(what: string, work: Promise<T>): Promise<T> {
    this.#unfinished ??= new Unfinished();
    return this.#unfinished.track(what, work);
  }

  async #step<T>(name: string, fn: () => T | Promise<T>): Promise<Jsonified<T>> {
    this.#takeName(name, fn);
    this.#steps ??= this.#loadSteps();
    const known = (await this.#steps).get(name);
    if (known !== undefined) return JSON.parse(known) as Jsonified<T>;
    // What is done here cannot be undone, so the lease must hold right now: the answer may have waited in a process that
    // stood still. Between the look at the clock and the step nothing else can run.
    let lease = await this.#confirm();
    while (lease.isOver) lease = await this.#confirm();
    const value = storableText(await fn(), `value of step "${name}"`, MAX_STEP_BYTES);
    this.#held(await this.#port.saveStep(name, value));
    (await this.#steps).set(name, value);
    return JSON.parse(value) as Jsonified<T>;
  }

  #takeName(name: unknown, fn: unknown): void {
    if (typeof name !== "string" || name === "" || typeof fn !== "function") {
      throw new AppError("invalid-request", "ctx.step() needs a name and a function.", {
        hint: 'await ctx.step("charge", () => chargeCard(order))',
      });
    }
    if (name.startsWith(ANSWER)) {
      throw new AppError("step-name-reserved", `A step cannot be called "${name}": answers to a hold have such names.`);
    }
    this.#stepNames ??= new Set();
    if (this.#stepNames.has(name)) {
      throw new AppError("step-name-reused", `The step "${name}" was run before in this stage.`, {
        hint: "Give each step its own name; in a loop, add the item's key to it.",
      });
    }
    this.#stepNames.add(name);
  }

  #yield(by: Yielded["by"], outcome: Yielded["outcome"]): never {
    this.#yielded = new Yielded(by, outcome);
    throw this.#yielded;
  }

  async stored<T>(name: string): Promise<T | undefined> {
    this.#steps ??= this.#loadSteps();
    const known = (await this.#steps).get(name);
    return known === undefined ? undefined : (JSON.parse(known) as T);
  }

  async #confirm(): Promise<LeaseTime> {
    const asked = momentOf(this.#clock);
    const { forMs } = this.#held(await this.#port.confirm());
    return new LeaseTime(this.#clock, asked, forMs);
  }

  /** Read once: only this attempt adds to them while it has the lease. */
  async #loadSteps(): Promise<Map<string, string>> {
    if (!this.#hasSteps) return new Map();
    try {
      const stored = this.#held(await this.#port.storedSteps());
      return new Map(stored.map(({ name, value }) => [name, value]));
    } catch (error) {
      this.#steps = undefined;
      throw error;
    }
  }

  progress(value: number, message?: string): void {
    if (!(value >= 0 && value <= 1))
      throw new AppError("invalid-request", `Progress must be a number from 0 to 1, not ${value}.`);
    this.#waitingNote().progress = message === undefined ? { value } : { value, message: message.slice(0, 500) };
  }

  async limit(name: string, cost = 1): Promise<void> {
    if (!(cost > 0))
      throw new AppError("invalid-request", `The cost of a limiter must be a number above 0, not ${cost}.`);
    const taken = this.#held(await this.#port.take(name, cost));
    if (taken === "taken") return;
    this.#yield("limit", { type: "deferred", runAt: taken.retryAt, reason: limiterReason(name) });
  }

  async blockLimit(name: string, { forMs }: { forMs: number }): Promise<void> {
    this.#held(await this.#port.blockLimiter(name, forMs));
  }

  defer(when: { delayMs: number } | { runAt: Date }, reason?: string): never {
    const { runAt, delayMs } = (when ?? {}) as { runAt?: Date; delayMs?: number };
    const time = runAt === undefined ? { delayMs: Number(delayMs) } : { runAt: Number(runAt) };
    if (!Object.values(time).every((value) => Number.isFinite(value) && value >= 0)) {
      throw new AppError(
        "invalid-request",
        "ctx.defer() needs { delayMs } of 0 or more, or { runAt } with a valid Date.",
      );
    }
    const why = reason === undefined ? {} : { reason: clip(String(reason), MAX_REASON_CHARS) };
    this.#yield("defer", { type: "deferred", ...time, ...why });
  }

  hold(reason: string, options: { timeoutMs?: number } = {}): never {
    if (typeof reason !== "string" || reason.trim() === "") {
      throw new AppError("invalid-request", "ctx.hold() needs a reason, which people read to release the job.", {
        hint: 'ctx.hold("needs approval", { timeoutMs: 3 * 24 * 3_600_000 })',
      });
    }
    checkNames("ctx.hold", options, ["timeoutMs"]);
    checkInteger("timeoutMs", options.timeoutMs, 1, TEN_YEARS_MS);
    const { timeoutMs } = options;
    this.#yield("hold", {
      type: "held",
      reason: clip(reason, MAX_REASON_CHARS),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  }

  async answers<T = unknown>(): Promise<T[]> {
    this.#steps ??= this.#loadSteps();
    const number = (name: string) => Number(name.slice(ANSWER.length));
    return [...(await this.#steps)]
      .filter(([name]) => name.startsWith(ANSWER))
      .sort(([a], [b]) => number(a) - number(b))
      .map(([, value]) => JSON.parse(value) as T);
  }

  async artifact(name: string, bytes: Uint8Array, contentType = "application/octet-stream"): Promise<void> {
    checkBytes(name, bytes);
    const kept = this.#track(`ctx.artifact("${name}")`, this.#port.keepArtifact({ name, contentType, bytes }));
    this.#held(await kept);
  }

  async unique(key: string): Promise<UniqueKey> {
    if (!(typeof key === "string" && key.length > 0 && key.length <= MAX_SHARE_KEY_CHARS))
      throw new AppError("invalid-request", `A unique key has 1 to ${MAX_SHARE_KEY_CHARS} characters.`);
    return this.#held(await this.#port.takeUnique(key));
  }

  async share(artifact: Shareable, { named = true }: { named?: boolean } = {}): Promise<string | undefined> {
    const { key, contentType, bytes, info = null } = artifact;
    if (!(typeof key === "string" && key.length > 0 && key.length <= MAX_SHARE_KEY_CHARS))
      throw new AppError(
        "invalid-request",
        `The key of a shared artifact must be a string of 1 to ${MAX_SHARE_KEY_CHARS} characters.`,
      );
    checkBytes(key, bytes);
    const kept = { key, contentType, bytes, info: storableText(info, "info", MAX_INFO_BYTES) };
    return this.#held(await this.#port.share(kept, { named })).link;
  }

  async shared(key: string): Promise<Shareable | undefined> {
    const found = await this.#port.shared(key);
    return found && { ...found, info: JSON.parse(found.info) };
  }

  /** Progress and log lines still in memory; called before the outcome is settled. */
  takeNote(): Note | undefined {
    clearTimeout(this.#noteTimer);
    const note = this.#note;
    this.#note = undefined;
    return note;
  }

  #line(level: LogLine["level"], message: string, data?: Record<string, unknown>): void {
    const { logs } = this.#waitingNote();
    if (logs.length >= MOST_LINES_WAITING) return;
    const line: LogLine = { at: Date.now(), level, message: String(message).slice(0, MAX_LOG_CHARS) };
    if (data !== undefined) line.data = clippedJson(data);
    logs.push(line);
  }

  /** Progress and logs are gathered and written at most once a second, however often a processor speaks. */
  #waitingNote(): WaitingNote {
    if (!this.#note) {
      this.#note = { logs: [] };
      if (!this.#lost) this.#noteTimer = setTimeout(() => this.#writeNote(), NOTE_EVERY_MS);
    }
    return this.#note;
  }

  #writeNote(): void {
    const note = this.takeNote();
    if (!note) return;
    this.#port.note(note).then(
      (written) => {
        if (written === "lease-lost") this.lose("lease-lost");
      },
      // Words about the work are worth less than the work: a store in trouble shows at the next step or at settle.
      () => {},
    );
  }

  #held<T>(answer: T): Exclude<T, "lease-lost"> {
    if (this.#lost) throw this.#lost;
    if (answer === "lease-lost") {
      this.lose("lease-lost");
      throw this.#lost as unknown as LeaseLost;
    }
    return answer as Exclude<T, "lease-lost">;
  }
}

function checkBytes(name: string, bytes: Uint8Array): void {
  if (!(bytes instanceof Uint8Array))
    throw new AppError("invalid-request", "The bytes of an artifact must be a Uint8Array.");
  if (bytes.byteLength <= MAX_ARTIFACT_BYTES) return;
  const message = `The artifact "${name}" has ${bytes.byteLength} bytes; the limit is ${MAX_ARTIFACT_BYTES}.`;
  throw new AppError("too-large", message);
}

function clippedJson(data: Record<string, unknown>): string {
  try {
    const text = JSON.stringify(data) ?? "null";
    return text.length > MAX_LOG_CHARS ? JSON.stringify({ clipped: text.slice(0, MAX_LOG_CHARS) }) : text;
  } catch {
    return JSON.stringify({ unserialisable: true });
  }
}
