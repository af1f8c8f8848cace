import type { ClaimedJob } from "../job/lease.ts";
import type { Activity } from "./activity.ts";

/** Batches of claimed jobs on their way from the claimer to its pool. A batch counts as activity until the pool has it. */
export class Batches {
  readonly #activity: Activity;
  readonly #waiting: ClaimedJob[][] = [];
  #isClosed = false;
  #wake = () => {};

  constructor(activity: Activity) {
    this.#activity = activity;
  }

  add(jobs: ClaimedJob[]): void {
    this.#activity.begin();
    this.#waiting.push(jobs);
    this.#wake();
  }

  /** The reader ends when it has read the batches that are left. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *read(): AsyncGenerator<ClaimedJob[], void> {
    for (;;) {
      const jobs = this.#waiting.shift();
      if (jobs) {
        yield jobs;
        this.#activity.end();
      } else if (this.#isClosed) return;
      else await this.#next();
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
