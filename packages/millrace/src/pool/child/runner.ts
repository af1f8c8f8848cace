import type { Kind, Stage } from "../../job/kind/kind.ts";
import type { AnyMiddleware } from "../../job/kind/middleware.ts";
import type { ClaimedJob, LossReason } from "../../job/lease.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import { messageOf } from "../../lib/app-error.ts";
import type { Note, Store } from "../../store/store.ts";
import type { Log } from "../../telemetry/log/log.ts";
import { outcomeOf, parsePayload } from "../process.ts";
import type { Runner, Running, WorkTime } from "../processor.ts";
import { storableText } from "../storable.ts";
import { StorePort } from "../store-port.ts";
import { WrappedAttempt } from "../wrapped-attempt.ts";
import { Child, type ChildOptions, overMemory, SlowStart, START_MS } from "./child.ts";
import { confinement } from "./confine.ts";
import { describeConfinement } from "./confinement-words.ts";
import type { OnOutput } from "./output.ts";
import type { ThreadTime } from "./proc.ts";
import { leaseName } from "./protocol.ts";
import { starvation } from "./starvation.ts";

/** A start that is given up begins all over again, so each may take twice as long as the one before. */
const LONGEST_START_MS = 480_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const IDLE_MS = 60_000;
/** What no job has needed for so long, a child that stands by does without. */
const OF_LATE_MS = 600_000;
/** Whoever starts only to look, or to submit, is spared it. */
const FIRST_CHILD_MS = 200;
/** One spare stands by at once; further ones when the start of everything else is over, one after the other. */
const FURTHER_SPARES_MS = 5_000;

export interface ChildRunnerOptions {
  kind: Kind;
  stage: Stage;
  module: URL;
  store: Store;
  log: Log;
  output: OnOutput;
  /** false: the process may end while its children live, as a test does that forgot to stop its kit. */
  isWaitedFor: boolean;
  /** Around every attempt, in this process. */
  use: readonly AnyMiddleware[];
  /** Progress and log lines go to the store. */
  onNote: (job: ClaimedJob, note: Note) => void;
  /** The module loads again: there may be work to claim. */
  onMended: () => void;
  /** How long a child may take to start, at first: 30 s. */
  startMs?: number;
}

/**
 * Runs a stage's module in child processes: one job at a time each, kept warm, taken from a shelf of idle ones. With spares a
 * warm one stands by, so that a killed child costs the next job no start. A module that does not load marks the stage as
 * broken and is tried again after growing pauses; meanwhile no job is claimed for it.
 */
export class ChildRunner implements Runner {
  broken: string | undefined;
  startsSlowly = false;
  readonly #kind: Kind;
  readonly #stage: Stage;
  readonly #module: URL;
  readonly #store: Store;
  readonly #log: Log;
  readonly #output: OnOutput;
  readonly #isWaitedFor: boolean;
  readonly #use: readonly AnyMiddleware[];
  readonly #onNote: ChildRunnerOptions["onNote"];
  readonly #onMended: () => void;
  readonly #usualStartMs: number;
  startMs: number;
  /** The one used last is taken first, so that the others may retire. */
  readonly #idle: Child[] = [];
  readonly #all = new Set<Child>();
  #firstAt: number | undefined;
  readonly #furtherSparesAt = performance.now() + FURTHER_SPARES_MS;
  /** What jobs needed, by the module's names, and when one last did. */
  readonly #needed = new Map<string, number>();
  #givesWay = false;
  #pauseMs = 0;
  #tryAt = 0;
  #stopped = false;

  constructor(options: ChildRunnerOptions) {
    const { kind, stage, module, store, log, output, isWaitedFor, use, onNote, onMended } = options;
    this.#usualStartMs = options.startMs ?? START_MS;
    this.startMs = this.#usualStartMs;
    this.#kind = kind;
    this.#stage = stage;
    this.#module = module;
    this.#store = store;
    this.#log = log;
    this.#output = output;
    this.#isWaitedFor = isWaitedFor;
    this.#use = use;
    this.#onNote = onNote;
    this.#onMended = onMended;
  }

  start(job: ClaimedJob, ended: (outcome: Outcome | "lost") => void): Running {
    const child = this.#take();
    const attempt = new ChildAttempt(child, (needed) => this.#heardOf(needed));
    const names = { kind: this.#kind.name, stage: this.#stage.name };
    const port = new StorePort(this.#store, job.lease, (note) => this.#onNote(job, note));
    const run = () => attempt.run(this.#kind, names, job, port);
    const end = (outcome: Outcome | "lost") => {
      this.#putBack(child);
      ended(outcome);
    };
    if (this.#use.length === 0) {
      void run().then(end);
      return attempt;
    }
    const wrapped = new WrappedAttempt(attempt, this.#use);
    void wrapped.run({ schema: this.#kind.schema, names, job, port }, run).then(end);
    return wrapped;
  }

  tick(): void {
    this.#standByFirst();
    if (this.broken && performance.now() >= this.#tryAt && this.#all.size === 0) this.#idle.push(this.#spawn());
    const { memoryMb } = this.#stage;
    if (memoryMb !== undefined) {
      for (const child of this.#all) {
        if (child.busy && child.memoryMb() > memoryMb) {
          child.kill({ type: "crashed", failure: overMemory(memoryMb) });
        }
      }
    }
    this.#giveWay(starvation.isStarved);
    if (this.#wantsFurtherSpares) this.#standBy(this.#idle.length + 1);
    const [longest] = this.#idle;
    const isLong = longest && longest.idleSince > 0 && performance.now() - longest.idleSince > IDLE_MS;
    if (longest && isLong && this.#idle.length > 1 + this.#spares) {
      this.#idle.shift();
      longest.retire();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const child of this.#all) child.kill("lost");
    await Promise.all([...this.#all].map((child) => child.exited()));
  }

  /**
   * One soon after the start: it shows whether the module loads, before any job waits for it. Ticks begin when the store is open,
   * so a confined child is started with its files hidden.
   */
  #standByFirst(): void {
    this.#firstAt ??= performance.now() + FIRST_CHILD_MS;
    if (performance.now() < this.#firstAt) return;
    this.#firstAt = Number.POSITIVE_INFINITY;
    if (this.#all.size === 0) this.#standBy(1);
  }

  get #spares(): number {
    return this.#stage.spares ?? 0;
  }

  get #wantsFurtherSpares(): boolean {
    if (this.#idle.length >= this.#spares || performance.now() < this.#furtherSparesAt) return false;
    return this.#idle.every((child) => child.started) && [...this.#all].some((child) => child.jobs > 0);
  }

  /** One that has started, rather than one that has yet to. */
  #take(): Child {
    const at = this.#idle.findLastIndex((child) => child.started);
    const [child = this.#spawn()] = this.#idle.splice(at, 1);
    this.#standBy(Math.min(1, this.#spares));
    return child;
  }

  /** A killed child is gone from here already; one that is worn out goes, and another stands by for it. */
  #putBack(child: Child): void {
    if (child.dead || child.busy || this.#stopped) return;
    const { afterJobs = Number.POSITIVE_INFINITY, aboveMb = Number.POSITIVE_INFINITY } = this.#stage.recycle ?? {};
    if (child.slowed || child.jobs >= afterJobs || child.memoryMb() > aboveMb) child.retire();
    else this.#idle.push(child);
    this.#standBy(Math.min(1, this.#spares));
  }

  #standBy(count: number): void {
    while (!this.#stopped && !this.broken && this.#idle.length < count) this.#idle.unshift(this.#spawn());
  }

  #spawn(): Child {
    const { confined, memoryMb, env } = this.#stage;
    if (confined) sayConfinement(this.#log);
    let hasStarted = false;
    const spawnedAt = performance.now();
    const names = { kind: this.#kind.name, stage: this.#stage.name };
    // A confined child runs what is not trusted: its words go into the account of its end alone.
    const output: ChildOptions["output"] = confined ? undefined : (line) => this.#output({ ...names, ...line });
    const child: Child = new Child(
      this.#module,
      { confined, memoryMb, env, output, isWaitedFor: this.#isWaitedFor, startMs: this.startMs },
      () => {
        this.#all.delete(child);
        const place = this.#idle.indexOf(child);
        if (place >= 0) this.#idle.splice(place, 1);
        // One that never started is tried again after a pause.
        if (hasStarted) this.#standBy(Math.min(1, this.#spares));
      },
    );
    this.#all.add(child);
    if (this.#givesWay) child.giveWay(true);
    child.ready.then(
      () => {
        hasStarted = true;
        if (performance.now() - spawnedAt < this.#usualStartMs) this.startMs = this.#usualStartMs;
        child.standBy(this.#neededOfLate());
        this.#mended();
      },
      (error) => this.#failed(error),
    );
    return child;
  }

  #giveWay(doesGiveWay: boolean): void {
    if (doesGiveWay === this.#givesWay) return;
    this.#givesWay = doesGiveWay;
    const about = { kind: this.#kind.name, stage: this.#stage.name };
    if (doesGiveWay) this.#log.debug("children give way", about);
    else this.#log.debug("children go on", about);
    for (const child of this.#all) child.giveWay(doesGiveWay);
  }

  #heardOf(needed: string): void {
    const isNew = !this.#neededOfLate().includes(needed);
    this.#needed.set(needed, performance.now());
    if (isNew) for (const child of this.#idle) child.standBy([needed]);
  }

  #neededOfLate(): string[] {
    const since = performance.now() - OF_LATE_MS;
    return [...this.#needed].filter(([, at]) => at >= since).map(([name]) => name);
  }

  #mended(): void {
    this.#pauseMs = 0;
    if (!this.broken) return;
    this.broken = undefined;
    this.startsSlowly = false;
    this.#log.info("processor module loads again", { kind: this.#kind.name, stage: this.#stage.name });
    this.#onMended();
  }

  #failed(error: unknown): void {
    if (this.#stopped) return;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
    this.#tryAt = performance.now() + this.#pauseMs;
    this.broken = `The module ${this.#module.pathname} does not start: ${messageOf(error)}`;
    this.startsSlowly = error instanceof SlowStart;
    if (this.startsSlowly) this.startMs = Math.min(LONGEST_START_MS, this.startMs * 2);
    const about = { kind: this.#kind.name, stage: this.#stage.name, error: messageOf(error), pauseMs: this.#pauseMs };
    if (this.startsSlowly) this.#log.warn("processor starts slowly", about);
    else this.#log.error("processor module does not start", about);
  }
}

let isSaid = false;

/** Once in a process: what holds is the machine's matter, not the stage's. */
function sayConfinement(log: Log): void {
  if (isSaid) return;
  isSaid = true;
  log.info("processors are confined", { ...describeConfinement(confinement()) });
}

class ChildAttempt implements Running {
  readonly #child: Child;
  readonly #onNeeded: (needed: string) => void;
  #lost: LossReason | undefined;
  #note: Note | undefined;
  workingSince: number | undefined;
  #timeBefore: ThreadTime | undefined;

  constructor(child: Child, onNeeded: (needed: string) => void) {
    this.#child = child;
    this.#onNeeded = onNeeded;
  }

  async run(
    kind: Kind,
    names: { kind: string; stage: string },
    job: ClaimedJob,
    port: StorePort,
  ): Promise<Outcome | "lost"> {
    let payload: string;
    try {
      payload = storableText(await parsePayload(kind.schema, job.payload), "parsed payload", Number.POSITIVE_INFINITY);
    } catch (thrown) {
      return outcomeOf(thrown);
    }
    try {
      await this.#child.ready;
    } catch {
      // The child never started: the job has not been tried.
      return { type: "released" };
    }
    if (this.#lost) return "lost";
    return new Promise((resolve) => {
      this.#child.run({ ...job, payload }, names, {
        of: leaseName(job.lease),
        port,
        begun: (needed) => {
          this.workingSince = performance.now();
          this.#timeBefore = this.#child.threadTime();
          if (needed !== undefined) this.#onNeeded(needed);
        },
        end: (outcome, note) => {
          this.#note = note;
          resolve(outcome);
        },
      });
    });
  }

  lose(reason: LossReason): void {
    this.#lost = reason;
    this.#child.lose(reason);
  }

  time(): WorkTime {
    if (this.workingSince === undefined) return { workMs: 0 };
    const [now, before] = [this.#child.threadTime(), this.#timeBefore];
    const passedMs = performance.now() - this.workingSince;
    if (now === undefined || before === undefined) return { workMs: passedMs };
    return { workMs: passedMs - (now.starvedMs - before.starvedMs), ranMs: now.ranMs - before.ranMs };
  }

  slowDown(): void {
    this.#child.slowDown();
  }

  kill(): void {
    this.#lost = "timed-out";
    this.#child.kill("lost");
  }

  takeNote(): Note | undefined {
    return this.#note;
  }
}
