import type { Processor } from "../../job/context.ts";
import type { Kind, Stage } from "../../job/kind/kind.ts";
import type { ClaimedJob, LossReason } from "../../job/lease.ts";
import type { Store } from "../../store/store.ts";
import type { Note } from "../../store/verbs/attempts.ts";
import { JobContext } from "../context/context.ts";
import { type ContextNames, namesOf } from "../context/names.ts";
import type { Completion } from "../context/step-transactions.ts";
import { StorePort } from "../context/store-port.ts";
import { type AttemptEnd, endOf } from "../outcome.ts";
import type { AttemptControl, AttemptRunner, WorkTime } from "../runner.ts";
import { parsePayload } from "./payload.ts";
import { processJob } from "./process.ts";
import { checkedResult } from "./result-check.ts";
import { attemptEnded, runWatched } from "./uncaught.ts";

export interface InlineRunnerOptions {
  kind: Kind;
  stage: Stage;
  run: Processor<unknown, unknown, unknown>;
  /** Runs the undo handlers of the stage instead. */
  undo: Processor<unknown, unknown, unknown>;
  store: Store;
  /** Progress and log lines go to the store. */
  onNote: (job: ClaimedJob, note: Note) => void;
  /** Something about the job was stored that people may watch. */
  onWritten: (jobId: string) => void;
}

/** Runs a stage's function in this process. It cannot be killed: past its deadline it is abandoned. */
export class InlineRunner implements AttemptRunner {
  readonly broken = undefined;
  readonly startsSlowly = false;
  readonly startMs = 0;
  readonly #work: Work;

  constructor({ kind, stage, ...work }: InlineRunnerOptions) {
    this.#work = { kind, names: namesOf(kind, stage), ...work };
  }

  start(job: ClaimedJob, returned: (end: AttemptEnd) => void): AttemptControl {
    return new InlineAttempt(this.#work, job, returned);
  }

  tick(): void {}

  async stop(): Promise<void> {}
}

interface Work extends Omit<InlineRunnerOptions, "stage"> {
  names: ContextNames;
}

class InlineAttempt implements AttemptControl {
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
      const { kind, names, run, undo, store } = this.#work;
      const job = this.#job;
      const parsed = parsePayload(kind.schema, job.payload);
      const payload = parsed instanceof Promise ? await parsed : parsed;
      const ctx = new JobContext(job, names, payload, new StorePort(store, job.lease, this, this.#resultOf));
      this.#ctx = ctx;
      const input = job.input === undefined ? payload : JSON.parse(job.input);
      await processJob(job.workflow?.undoing ? undo : run, ctx, input, this.#finish);
    } catch (thrown) {
      this.#fail(thrown);
    }
  };

  readonly #resultOf = (value: string): string | Promise<string> => {
    const { result } = this.#work.kind;
    return result && this.#job.isLast ? checkedResult(result, value) : value;
  };

  get completion(): Completion | undefined {
    return this.#ctx?.completion;
  }

  onNote(note: Note): void {
    this.#work.onNote(this.#job, note);
  }

  onWritten(): void {
    this.#work.onWritten(this.#job.lease.jobId);
  }

  /** Also called for an exception that the processor did not catch, such as one in a timer. */
  readonly #fail = (thrown: unknown): void => this.#finish(endOf(thrown, this.#ctx));

  readonly #finish = (end: AttemptEnd): void => {
    if (this.#over) return;
    this.#over = true;
    attemptEnded(this.#fail);
    this.#returned(end);
  };

  lose(reason: LossReason): void {
    this.#ctx?.lose(reason);
  }

  windDown(): void {
    const end = () => {
      this.#finish({ type: "cancelled" });
      this.#ctx?.lose("undoing");
    };
    if (this.#ctx) void this.#ctx.windDown().then(end);
    else end();
  }

  kill(): void {
    this.#ctx?.lose("timed-out");
  }

  time(): WorkTime {
    return { workMs: performance.now() - this.workingSince };
  }

  slowDown(): void {}

  drainNote(): Note | undefined {
    return this.#ctx?.drainNote();
  }
}
