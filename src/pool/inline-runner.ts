import type { Kind, Stage } from "../job/kind.ts";
import type { ClaimedJob } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import type { Store } from "../store/store.ts";
import { JobContext } from "./context.ts";
import { outcomeOf, parsePayload, processJob } from "./process.ts";
import type { Runner, Running } from "./processor.ts";
import { storePort } from "./store-port.ts";
import { watchUncaught } from "./uncaught.ts";

/** Runs a stage's function in this process. It cannot be killed: past its deadline it is abandoned. */
export class InlineRunner implements Runner {
  readonly broken = undefined;
  readonly #kind: Kind;
  readonly #stage: Stage & { work: { in: "here" } };
  readonly #store: Store;

  constructor(kind: Kind, stage: Stage & { work: { in: "here" } }, store: Store) {
    this.#kind = kind;
    this.#stage = stage;
    this.#store = store;
  }

  start(_slot: number, job: ClaimedJob): Running {
    const attempt = new InlineAttempt(job, this.#kind, this.#stage, this.#store);
    attempt.run();
    return attempt;
  }

  tick(): void {}

  async stop(): Promise<void> {}
}

class InlineAttempt implements Running {
  readonly outcome: Promise<Outcome | "lost">;
  readonly #job: ClaimedJob;
  readonly #kind: Kind;
  readonly #stage: Stage & { work: { in: "here" } };
  readonly #store: Store;
  #ctx: JobContext | undefined;
  #end!: (outcome: Outcome | "lost") => void;

  constructor(job: ClaimedJob, kind: Kind, stage: Stage & { work: { in: "here" } }, store: Store) {
    this.#job = job;
    this.#kind = kind;
    this.#stage = stage;
    this.#store = store;
    this.outcome = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  run(): void {
    watchUncaught(
      (thrown) => this.#end(outcomeOf(thrown, this.#ctx)),
      () => this.#process().then(this.#end, (thrown) => this.#end(outcomeOf(thrown, this.#ctx))),
    );
  }

  async #process(): Promise<Outcome | "lost"> {
    const payload = parsePayload(this.#kind.schema, this.#job.payload);
    const names = { kind: this.#kind.name, stage: this.#stage.name };
    const parsed = payload instanceof Promise ? await payload : payload;
    const ctx = new JobContext(this.#job, names, parsed, storePort(this.#store, this.#job.lease));
    this.#ctx = ctx;
    const input = this.#job.input === undefined ? parsed : JSON.parse(this.#job.input);
    return processJob(this.#stage.work.run, ctx, input);
  }

  lose(reason: Parameters<JobContext["lose"]>[0]): void {
    this.#ctx?.lose(reason);
  }

  kill(): void {
    this.#ctx?.lose("timed-out");
  }

  takeNote() {
    return this.#ctx?.takeNote();
  }
}
