// The test kit for users: the real engine on ":memory:", with time by hand. No sleeps, no files, no mocks.

import type { MillraceOptions } from "./engine/options.ts";
import type { Kind } from "./job/kind.ts";
import type { JobHandle } from "./job-handle.ts";
import { AppError } from "./lib/app-error.ts";
import { ManualClock } from "./lib/clock.ts";
import { Millrace } from "./millrace.ts";
import { sqlite } from "./store/sqlite/factory.ts";
import type { SubmitOptions } from "./submit/submit.ts";

export { ManualClock } from "./lib/clock.ts";

const MOST_MOVES = 1_000;

export interface TestkitOptions extends Omit<MillraceOptions, "store" | "clock" | "timers"> {
  startAt?: Date;
  /** The jitter of retries; 0.5 by default, so that the same test takes the same turns. */
  random?: () => number;
  /** Real time that one round of work may take before the kit says what it waits for. */
  patienceMs?: number;
}

export class Testkit {
  readonly millrace: Millrace;
  readonly clock: ManualClock;

  readonly #patienceMs: number;

  private constructor(millrace: Millrace, clock: ManualClock, patienceMs: number) {
    this.millrace = millrace;
    this.clock = clock;
    this.#patienceMs = patienceMs;
  }

  static async open({
    startAt,
    random = () => 0.5,
    patienceMs = 10_000,
    ...options
  }: TestkitOptions): Promise<Testkit> {
    const clock = new ManualClock(startAt);
    const store = sqlite(":memory:", { inline: { clock, random } });
    return new Testkit(await Millrace.open({ log: false, ...options, store, clock, timers: false }), clock, patienceMs);
  }

  /** Submits, works it off however long its retries and delays take on the kit's clock, and gives the result. */
  async run<Input, Result>(kind: Kind<Input, Result>, payload: Input, options?: SubmitOptions): Promise<Result> {
    const handle = await this.millrace.submit(kind, payload, options);
    return this.finish(handle);
  }

  /** Moves the clock from one due moment to the next until the job is finished. */
  async finish<Result>(handle: JobHandle<Result>): Promise<Result> {
    for (let moves = 0; ; moves++) {
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
      if (moves >= MOST_MOVES) {
        throw new AppError("job-waits", `Job ${handle.id} was put off ${moves} times and is still ${view.status}.`);
      }
      await this.advance(nextAt - this.clock.now());
    }
  }

  /** Works off all that may run at the kit's present time. */
  async runUntilIdle(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#stillRunning()), this.#patienceMs);
    });
    try {
      await Promise.race([this.millrace.drain(), tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Moves time from one due moment to the next, as timers would, and works off what falls due on the way. */
  async advance(ms: number): Promise<void> {
    const until = this.clock.now() + ms;
    // What may run now may put itself off to a moment on the way.
    await this.runUntilIdle();
    for (;;) {
      const nextAt = await this.#nextDue();
      if (nextAt === undefined || nextAt > until) break;
      await this.#moveTo(Math.max(nextAt, this.clock.now()));
      if ((await this.#nextDue()) === nextAt) break;
    }
    await this.#moveTo(until);
  }

  async #moveTo(at: number): Promise<void> {
    this.clock.advance(at - this.clock.now());
    await this.millrace.tick();
    await this.runUntilIdle();
  }

  /** The next scheduled job or tick of a schedule. */
  async #nextDue(): Promise<number | undefined> {
    const fires = (await this.millrace.schedules.list())
      .filter(({ paused }) => !paused)
      .map(({ nextAt }) => Date.parse(nextAt));
    const moments = [this.millrace.nextAt, ...fires].filter((at) => at !== undefined);
    return moments.length > 0 ? Math.min(...moments) : undefined;
  }

  /** The kit's clock does not move by itself, so no deadline would ever end it. */
  #stillRunning(): AppError {
    const busy = this.millrace
      .pools()
      .flatMap(({ pool, processors }) =>
        processors.flatMap((each) => (each.state === "busy" ? [`${each.jobId} in ${pool}`] : [])),
      );
    return new AppError("kit-waits", `Still running after ${this.#patienceMs} ms of real time: ${busy.join(", ")}.`, {
      hint: "A processor waits for something that does not happen; or raise patienceMs.",
    });
  }

  async stop(): Promise<void> {
    await this.millrace.stop({ graceMs: 0 });
  }
}
