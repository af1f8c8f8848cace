import type { Processor } from "../../job/context.ts";
import type { Kind, Stage } from "../../job/kind/kind.ts";
import type { ClaimedJob, LossReason } from "../../job/lease.ts";
import type { Store } from "../../store/store.ts";
import type { Note } from "../../store/verbs/attempts.ts";
import { JobContext } from "../context/context.ts";
import { StorePort } from "../context/store-port.ts";
import { type AttemptEnd, endOf } from "../outcome.ts";
import type { Runner, Running, WorkTime } from "../runner.ts";
import { parsePayload } from "./payload.ts";
import { processJob } from "./process.ts";
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

  start(job: ClaimedJob, returned: (end: AttemptEnd) => void): Running {
    return new InlineAttempt(this.#work, job, returned);
  }

  tick(): void {}

  async stop(): Promise<void> {}
}

interface Work extends Omit<InlineRunnerOptions, "stage"> {
  names: { kind: string; stage: string };
}

class InlineAttempt implements Running {
  readonly #returned: (end: AttemptEnd) => void;
  readonly #work: Work;
  readonly #job: ClaimedJob;
  #ctx: JobContext | undefined;
  #over = false;
  readonly workingSince = performance.now();

  constructor(work: Work, job: ClaimedJob, returned: (end: AttemptEnd) => void) {
    this.#work = work;
    this.#job = job;
    this.#returned = returned;
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
      this.#finish(await processJob(run, ctx, job.input === undefined ? payload : JSON.parse(job.input)));
    } catch (thrown) {
      this.#fail(thrown);
    }
  };

  /** Also called for an exception that the processor did not catch, such as one in a timer. */
  readonly #fail = (thrown: unknown): void => this.#finish(endOf(thrown, this.#ctx));

  #finish(end: AttemptEnd): void {
    if (this.#over) return;
    this.#over = true;
    attemptEnded(this.#fail);
    this.#returned(end);
  }

  lose(reason: LossReason): void {
    this.#ctx?.lose(reason);
  }

  kill(): void {
    this.#ctx?.lose("timed-out");
  }

  time(): WorkTime {
    return { workMs: performance.now() - this.workingSince };
  }

  slowDown(): void {}

  takeNote(): Note | undefined {
    return this.#ctx?.takeNote();
  }
}
