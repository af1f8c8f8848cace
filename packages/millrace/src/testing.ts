// The test kit for users: the real engine on ":memory:", with time by hand. No sleeps, no files, no mocks.

import "./lib/runtime/require-runtime.ts";

import type { MillraceOptions } from "./engine/options.ts";
import type { Kind } from "./job/kind/kind.ts";
import type { SubmitOptions } from "./job/options/submit-options.ts";
import type { ExportedJob } from "./job/report/exported-job.ts";
import type { PublishOptions, PublishReceipt, SignalJob, SignalOptions, SignalReceipt } from "./job/report/messages.ts";
import type { JobView } from "./job/report/view.ts";
import { JobHandle } from "./job-handle.ts";
import { AppError } from "./lib/app-error.ts";
import { ManualClock } from "./lib/clock.ts";
import { Millrace } from "./millrace.ts";
import { type Replay, type ReplayOptions, replay } from "./replay/replay.ts";
import { sqlite } from "./store/sqlite/factory.ts";

export { ManualClock } from "./lib/clock.ts";
export type { Replay, ReplayEnd, ReplayOptions } from "./replay/replay.ts";
export type { RunTime } from "./simulate/chance.ts";
export type { SimulatedKind, SimulatedLimits, SimulatedLoad, SimulatedStage, SimulationPlan } from "./simulate/plan.ts";
export type {
  SimulatedStageReport,
  SimulatedTenantReport,
  SimulatedWaits,
  SimulationReport,
} from "./simulate/report.ts";
export { type SimulateOptions, simulate } from "./simulate/simulate.ts";

const MOST_MOVES = 1_000;
/** A job that waits without a limit is due in the year 9999. No test means to go there. */
const LAST_DUE_AT = Date.UTC(9000, 0);

/** How `kit.decide()` decides an approval. */
export interface KitDecision {
  /** One of the choices. */
  choice: string;
  /** Who decides. */
  by: string;
  /** What they say about it. */
  comment?: string;
}

/** Options of `Testkit.open()`: those of `Millrace.open()` without `store`, `clock` and `timers`, and these. */
export interface TestkitOptions extends Omit<MillraceOptions, "store" | "clock" | "timers"> {
  /** The time that the kit's clock starts at. Default: 2023-11-14T22:13:20Z. */
  startAt?: Date;
  /**
   * The randomness of retries and pauses, 0 to 1. Default: always 0.5, so that a test takes the same turns every time.
   */
  random?: () => number;
  /**
   * How much real time one round of work may take before the kit throws `kit-waits`, in milliseconds. Default: 10,000.
   */
  patienceMs?: number;
}

/**
 * A test kit: the real engine on an in-memory store, with a clock that you move. No sleeps, no files, no mocks.
 *
 * @example
 * ```ts
 * import { defineKind } from "millrace";
 * import { Testkit } from "millrace/testing";
 * import { z } from "zod";
 *
 * const flaky = defineKind({
 *   name: "flaky",
 *   payload: z.object({}),
 *   run: async (ctx) => {
 *     if (ctx.attempt < 3) throw new Error("Not yet.");
 *     return { attempts: ctx.attempt };
 *   },
 * });
 * const kit = await Testkit.open({ kinds: [flaky] });
 * console.log(await kit.run(flaky, {})); // the pauses between retries pass on the kit's clock
 * await kit.stop();
 * ```
 */
export class Testkit {
  /** The engine under test. */
  readonly millrace: Millrace;
  /** The kit's clock. `advance()` of the kit moves it and runs what falls due. */
  readonly clock: ManualClock;

  readonly #patienceMs: number;

  private constructor(millrace: Millrace, clock: ManualClock, patienceMs: number) {
    this.millrace = millrace;
    this.clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** Opens an engine for a test. Nothing runs until you call one of the methods below. */
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

  /**
   * Submits a job, moves the clock through its retries and delays until it ends, and returns the result. Throws as
   * `job.wait()` does.
   */
  async run<Input, Result>(kind: Kind<Input, Result>, payload: Input, options?: SubmitOptions): Promise<Result> {
    const handle = await this.millrace.submit(kind, payload, options);
    return this.finish(handle);
  }

  /**
   * Moves the clock from one due time to the next until the job has ended, and returns its result. Throws `job-waits`
   * if nothing would ever move the job on.
   */
  async finish<Result>(handle: JobHandle<Result>): Promise<Result> {
    for (let moves = 0; ; moves++) {
      await this.runUntilIdle();
      const view = await this.#newest(handle.id);
      if (!view || view.state === "completed" || view.state === "failed" || view.state === "cancelled") {
        return handle.wait({ timeoutMs: 1_000 });
      }
      const { nextAt } = this.millrace;
      if (nextAt === undefined || nextAt <= this.clock.now() || nextAt > LAST_DUE_AT) {
        throw new AppError("job-waits", `Job ${handle.id} is ${view.status} and cannot continue: ${whyItWaits(view)}.`);
      }
      if (moves >= MOST_MOVES) {
        throw new AppError("job-waits", `Job ${handle.id} was deferred ${moves} times and is still ${view.status}.`);
      }
      await this.advance(nextAt - this.clock.now());
    }
  }

  /** The job, or the last one that continued it as new. */
  async #newest(jobId: string): Promise<JobView | undefined> {
    const view = await this.millrace.find(jobId);
    return view?.continuedAs === undefined ? view : this.#newest(view.continuedAs);
  }

  /** Sends a signal to a job, and runs everything that may run then. */
  async signal<Input, Signals, Name extends string>(
    kind: Kind<Input, unknown, Signals> | string,
    job: JobHandle | SignalJob<Input>,
    name: Name,
    value?: Name extends keyof Signals ? Signals[Name] : unknown,
    options: SignalOptions = {},
  ): Promise<SignalReceipt> {
    const target = job instanceof JobHandle ? job.id : job;
    const receipt = await this.millrace.signal(kind, target, name, value, options);
    await this.runUntilIdle();
    return receipt;
  }

  /** Publishes an event, and runs everything that may run then. */
  async publish(
    topic: string,
    fields: Record<string, unknown> = {},
    options: PublishOptions = {},
  ): Promise<PublishReceipt> {
    const receipt = await this.millrace.publish(topic, fields, options);
    await this.runUntilIdle();
    return receipt;
  }

  /**
   * Decides the approval that a job waits for under this name, and runs everything that may run then. Throws
   * `approval-not-found` if the job does not wait for it.
   */
  async decide(job: JobHandle | string, name: string, decision: KitDecision): Promise<void> {
    await this.runUntilIdle();
    const given = typeof job === "string" ? job : job.id;
    const jobId = (await this.#newest(given))?.jobId ?? given;
    const open = await this.millrace.approvals({ jobId });
    const approval = open.find((each) => each.name === name);
    if (!approval) {
      const names = open.map((each) => `"${each.name}"`).join(", ") || "none";
      throw new AppError("approval-not-found", `Job ${jobId} does not wait for the approval "${name}".`, {
        hint: `Open approvals of this job: ${names}.`,
      });
    }
    await this.millrace.decide(approval.id, decision);
    await this.runUntilIdle();
  }

  /**
   * Runs a stage of an exported job (`millrace jobs export`) with the kinds of this kit, from what the job has stored.
   * Nothing is written, and no step without a stored value is run. `unreached` names stored steps and waits that the
   * code does not use any more.
   */
  replay(exported: ExportedJob, options: ReplayOptions = {}): Promise<Replay> {
    return replay(this.millrace.kindNamed(exported.kind), exported, options);
  }

  /** Runs everything that may run at the kit's present time. */
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

  /** Moves the clock forward, in milliseconds, and runs everything that falls due on the way, in order. */
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
      hint: "Check what the processor waits for, or raise patienceMs.",
    });
  }

  /** Stops the engine. Call it in `afterEach`, also after a failed assertion. */
  async stop(): Promise<void> {
    await this.millrace.stop({ graceMs: 0 });
  }
}

function whyItWaits({ heldFor, waitsFor = [] }: JobView): string {
  if (heldFor !== undefined) return `it is held: ${heldFor}`;
  const waits = waitsFor.filter(({ until }) => until === undefined).map(({ type, name }) => `${type} "${name ?? ""}"`);
  if (waits.length > 0) return `it waits for ${waits.join(", ")}`;
  return "no timer or schedule is due that would continue it";
}
