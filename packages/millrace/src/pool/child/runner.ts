import type { Kind, Stage } from "../../job/kind/kind.ts";
import type { AnyMiddleware } from "../../job/kind/middleware.ts";
import type { ClaimedJob } from "../../job/lease.ts";
import type { Store } from "../../store/store.ts";
import type { Note } from "../../store/verbs/attempts.ts";
import type { Log } from "../../telemetry/log/log.ts";
import { type ContextNames, namesOf } from "../context/names.ts";
import { StorePort } from "../context/store-port.ts";
import type { AttemptEnd } from "../outcome.ts";
import type { AttemptControl, AttemptRunner } from "../runner.ts";
import { ChildAttempt } from "./attempt.ts";
import { Child, type ChildProcessOptions } from "./child.ts";
import { confinement } from "./confine/confine.ts";
import { describeConfinement } from "./confine/confinement-words.ts";
import type { OnOutput } from "./output.ts";
import { starvation } from "./resources/starvation.ts";
import { Shelf } from "./shelf.ts";
import { childMain } from "./spawn.ts";
import { Starts } from "./starts.ts";

/** An idle child does not load what no job has needed for this long. */
const NEEDED_MS = 600_000;

export interface ChildRunnerOptions {
  kind: Kind;
  stage: Stage;
  module: URL;
  store: Store;
  log: Log;
  output: OnOutput;
  /** false: the process may end while its children live, as in a test that forgot to stop its kit. */
  isWaitedFor: boolean;
  /** Middleware around every attempt, in this process. */
  use: readonly AnyMiddleware[];
  /** Progress and log lines go to the store. */
  onNote: (job: ClaimedJob, note: Note) => void;
  /** Something about the job was stored that people may watch. */
  onWritten: (jobId: string) => void;
  /** The module loads again: there may be work to claim. */
  onMended: () => void;
  /** How long the first start of a child may take. Default: 30 s. */
  startMs?: number;
}

/**
 * Runs a stage's module in child processes, each with one job at a time and kept for the next. A module that does not load
 * marks the stage as broken; no job is claimed for it until a later try succeeds.
 */
export class ChildRunner implements AttemptRunner {
  readonly #options: ChildRunnerOptions;
  readonly #names: ContextNames;
  readonly #starts: Starts;
  readonly #shelf: Shelf;
  /** What jobs needed, by the names that the module gave it, with the time when a job last needed it. */
  readonly #needed = new Map<string, number>();
  #givesWay = false;

  constructor(options: ChildRunnerOptions) {
    const { kind, stage, module, log, onMended, startMs } = options;
    // An engine that cannot start its children fails when it opens, not at the first job.
    childMain();
    this.#options = options;
    this.#names = namesOf(kind, stage);
    this.#starts = new Starts({ ...this.#names, module, log, onMended, startMs });
    this.#shelf = new Shelf({
      stage,
      isBroken: () => this.broken !== undefined,
      spawn: (onExit) => this.#spawn(onExit),
    });
  }

  get broken(): string | undefined {
    return this.#starts.broken;
  }

  get startsSlowly(): boolean {
    return this.#starts.startsSlowly;
  }

  get startMs(): number {
    return this.#starts.startMs;
  }

  start(job: ClaimedJob, returned: (end: AttemptEnd) => void): AttemptControl {
    const { kind, store, use, onNote, onWritten } = this.#options;
    const child = this.#shelf.pop();
    return new ChildAttempt(child, job, {
      names: this.#names,
      schema: kind.schema,
      port: new StorePort(store, job.lease, {
        onNote: (note) => onNote(job, note),
        onWritten: () => onWritten(job.lease.jobId),
      }),
      use,
      onNeeded: (needed) => this.#remember(needed),
      onEnd: (end) => {
        this.#shelf.putBack(child);
        returned(end);
      },
    });
  }

  tick(): void {
    if (this.#starts.isDue) this.#shelf.tryAgain();
    this.#shelf.tick();
    this.#giveWay(starvation.isStarved);
  }

  stop(): Promise<void> {
    return this.#shelf.stop();
  }

  #spawn(onExit: (hasStarted: boolean) => void): Child {
    const { stage, module, output: onOutput, isWaitedFor, log } = this.#options;
    const { confined, memoryMb, env } = stage;
    if (confined) logConfinement(log);
    // A confined child runs code that is not trusted: its output only goes into the report of its end.
    const output: ChildProcessOptions["output"] = confined
      ? undefined
      : (line) => onOutput({ ...this.#names, ...line });
    const spawnedAt = performance.now();
    let hasStarted = false;
    const options = { confined, memoryMb, env, output, isWaitedFor, startMs: this.startMs };
    const child = new Child(module, options, () => onExit(hasStarted));
    if (this.#givesWay) child.giveWay(true);
    child.ready.then(
      () => {
        hasStarted = true;
        child.standBy(this.#neededLately());
        this.#starts.succeeded(performance.now() - spawnedAt);
      },
      (error) => {
        if (!this.#shelf.isStopped) this.#starts.failed(error);
      },
    );
    return child;
  }

  /** While this process itself is short of CPU time, its children run at a lower priority. */
  #giveWay(doesGiveWay: boolean): void {
    if (doesGiveWay === this.#givesWay) return;
    this.#givesWay = doesGiveWay;
    const { log } = this.#options;
    if (doesGiveWay) log.debug("child priority lowered", { ...this.#names });
    else log.debug("child priority restored", { ...this.#names });
    for (const child of this.#shelf.all) child.giveWay(doesGiveWay);
  }

  #remember(needed: string): void {
    const isNew = !this.#neededLately().includes(needed);
    this.#needed.set(needed, performance.now());
    if (isNew) for (const child of this.#shelf.idle) child.standBy([needed]);
  }

  #neededLately(): string[] {
    const since = performance.now() - NEEDED_MS;
    return [...this.#needed].filter(([, at]) => at >= since).map(([name]) => name);
  }
}

let isConfinementLogged = false;

/** Runs once in a process, because the confinement depends on the machine and not on the stage. */
function logConfinement(log: Log): void {
  if (isConfinementLogged) return;
  isConfinementLogged = true;
  log.info("processors are confined", { ...describeConfinement(confinement()) });
}
