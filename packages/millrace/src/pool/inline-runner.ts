import type { Processor } from "../job/context.ts";
import type { Kind, Stage } from "../job/kind/kind.ts";
import type { ClaimedJob, LossReason } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import type { Note, Store } from "../store/store.ts";
import { JobContext } from "./context.ts";
import { outcomeOf, parsePayload, processJob } from "./process.ts";
import type { Runner, Running, WorkTime } from "./processor.ts";
import { StorePort } from "./store-port.ts";
import { attemptEnded, runWatched } from "./uncaught.ts";

export interface InlineRunnerOptions {
  kind: Kind;
  stage: Stage;
  run: Processor<unknown, unknown, unknown>;
  store: Store;
  /** Progress and log lines go to the store. */
  onNote: (job: ClaimedJob, note: Note) => void;
}

/** Runs a stage's function in this process. It cannot be killed: past its deadline it is abandoned. */
export class InlineRunner implements Runner {
  readonly broken = undefined;
  readonly startsSlowly = false;
  readonly startMs = 0;
  readonly #work: Work;

  constructor({ kind, stage, ...work }: InlineRunnerOptions) {
    this.#work = { kind, names: { kind: kind.name, stage: stage.name }, ...work };
  }

  start(job: ClaimedJob, ended: (outcome: Outcome | "lost") => void): Running {
    return new InlineAttempt(this.#work, job, ended);
  }

  tick(): void {}

  async stop(): Promise<void> {}
}

interface Work extends Omit<InlineRunnerOptions, "stage"> {
  names: { kind: string; stage: string };
}

class InlineAttempt implements Running {
  readonly #work: Work;
  readonly #job: ClaimedJob;
  readonly #ended: (outcome: Outcome | "lost") => void;
  #ctx: JobContext | undefined;
  #over = false;
  readonly workingSince = performance.now();

  constructor(work: Work, job: ClaimedJob, ended: (outcome: Outcome | "lost") => void) {
    this.#work = work;
    this.#job = job;
    this.#ended = ended;
    runWatched(this.#fail, this.#process);
  }

  readonly #process = async (): Promise<void> => {
    try {
      const { kind, names, run, store, onNote } = this.#work;
      const job = this.#job;
      const parsed = parsePayload(kind.schema, job.payload);
      const payload = parsed instanceof Promise ? await parsed : parsed;
      const ctx = new JobContext(job, names, payload, new StorePort(store, job.lease, (note) => onNote(job, note)));
      this.#ctx = ctx;
      this.#end(await processJob(run, ctx, job.input === undefined ? payload : JSON.parse(job.input)));
    } catch (thrown) {
      this.#fail(thrown);
    }
  };

  /** Also what an exception that nobody caught, in a timer of the processor's, comes to. */
  readonly #fail = (thrown: unknown): void => this.#end(outcomeOf(thrown, this.#ctx));

  #end(outcome: Outcome | "lost"): void {
    if (this.#over) return;
    this.#over = true;
    attemptEnded(this.#fail);
    this.#ended(outcome);
  }

  lose(reason: LossReason): void {
    this.#ctx?.lose(reason);
  }

  time(): WorkTime {
    return { workMs: performance.now() - this.workingSince };
  }

  slowDown(): void {}

  kill(): void {
    this.#ctx?.lose("timed-out");
  }

  takeNote(): Note | undefined {
    return this.#ctx?.takeNote();
  }
}
