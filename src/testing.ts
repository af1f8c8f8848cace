// The test kit for users: the real engine on ":memory:", with time by hand. No sleeps, no files, no mocks.

import type { Kind } from "./job/kind.ts";
import type { JobHandle } from "./job-handle.ts";
import { AppError } from "./lib/app-error.ts";
import { ManualClock } from "./lib/clock.ts";
import { Millrace, type MillraceOptions } from "./millrace.ts";
import { sqlite } from "./store/sqlite/factory.ts";
import type { SubmitOptions } from "./submit/submit.ts";

export { ManualClock } from "./lib/clock.ts";

export interface TestkitOptions extends Omit<MillraceOptions, "store" | "clock" | "timers"> {
  startAt?: Date;
  /** The jitter of retries; 0.5 by default, so that the same test takes the same turns. */
  random?: () => number;
}

export class Testkit {
  readonly millrace: Millrace;
  readonly clock: ManualClock;

  private constructor(millrace: Millrace, clock: ManualClock) {
    this.millrace = millrace;
    this.clock = clock;
  }

  static async open({ startAt, random = () => 0.5, ...options }: TestkitOptions): Promise<Testkit> {
    const clock = new ManualClock(startAt);
    const store = sqlite(":memory:", { inline: { clock, random } });
    return new Testkit(await Millrace.open({ ...options, store, clock, timers: false }), clock);
  }

  /** Submits, works it off however long its retries and delays take on the kit's clock, and gives the result. */
  async run<Input, Result>(kind: Kind<Input, Result>, payload: Input, options?: SubmitOptions): Promise<Result> {
    const handle = await this.millrace.submit(kind, payload, options);
    return this.finish(handle);
  }

  /** Moves the clock from one due moment to the next until the job is finished. */
  async finish<Result>(handle: JobHandle<Result>): Promise<Result> {
    for (;;) {
      await this.runUntilIdle();
      const view = await handle.view();
      if (!view || view.state === "completed" || view.state === "failed" || view.state === "cancelled") {
        return handle.wait({ timeoutMs: 1_000 });
      }
      const { nextAt } = this.millrace;
      if (nextAt === undefined || nextAt <= this.clock.now()) {
        const why = view.heldFor ? `it is held: ${view.heldFor}` : "nothing is scheduled that would move it on";
        throw new AppError("job-waits", `Job ${handle.id} is ${view.status} and stays so: ${why}.`);
      }
      await this.advance(nextAt - this.clock.now());
    }
  }

  /** Works off all that may run at the kit's present time. */
  async runUntilIdle(): Promise<void> {
    await this.millrace.drain();
  }

  /** Moves time, does what timers would have done, and works off what has become due. */
  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.millrace.tick();
    await this.runUntilIdle();
  }

  async stop(): Promise<void> {
    await this.millrace.stop({ graceMs: 0 });
  }
}
