import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Processor } from "../job/context.ts";
import { toJobFailure } from "../job/failure.ts";
import type { AnyMiddleware } from "../job/kind/middleware.ts";
import type { ClaimedJob, LossReason } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import { unreachable } from "../lib/unreachable.ts";
import type { Note } from "../store/store.ts";
import { type AttemptPort, JobContext } from "./context.ts";
import { LeaseLost } from "./lease-lost.ts";
import { withMiddleware } from "./middleware.ts";
import { outcomeOf, parsePayload, processJob } from "./process.ts";
import type { Running, WorkTime } from "./processor.ts";
import { Yielded } from "./yielded.ts";

interface AttemptParts {
  schema: StandardSchemaV1;
  names: { kind: string; stage: string };
  job: ClaimedJob;
  port: AttemptPort;
}

/**
 * An isolated attempt with middleware around it: the middleware runs in this process and `next()` runs the module in its
 * child. The middleware sees the child's outcome as a result or an error. Unless it throws an error of its own, that
 * outcome is settled as the child gave it.
 */
export class WrappedAttempt implements Running {
  readonly #inner: Running;
  readonly #use: readonly AnyMiddleware[];
  #ctx: JobContext | undefined;
  #lost: LossReason | undefined;

  constructor(inner: Running, use: readonly AnyMiddleware[]) {
    this.#inner = inner;
    this.#use = use;
  }

  async run(parts: AttemptParts, child: () => Promise<Outcome | "lost">): Promise<Outcome | "lost"> {
    const { schema, names, job, port } = parts;
    try {
      const payload = await parsePayload(schema, job.payload);
      this.#ctx = new JobContext(job, names, payload, port);
    } catch (thrown) {
      return outcomeOf(thrown);
    }
    if (this.#lost) return "lost";
    let ended: { outcome: Outcome | "lost"; error?: unknown } | undefined;
    const layers = withMiddleware(this.#use, async () => {
      ended = { outcome: await child() };
      if (ended.outcome !== "lost" && ended.outcome.type === "completed") return JSON.parse(ended.outcome.output);
      ended.error = errorOf(ended.outcome, this.#lost);
      throw ended.error;
    });
    let thrown: unknown;
    const run: Processor<unknown, unknown, null> = async (ctx) => {
      try {
        await layers(ctx, undefined);
      } catch (error) {
        thrown = error;
        throw error;
      }
      return null;
    };
    const outcome = await processJob(run, this.#ctx, undefined);
    if (outcome === "lost" || !ended) return outcome;
    const isOwnError = outcome.type !== "completed" && thrown !== ended.error;
    return isOwnError && mayFail(ended.outcome) ? outcome : ended.outcome;
  }

  lose(reason: LossReason): void {
    this.#lost = reason;
    this.#ctx?.lose(reason);
    this.#inner.lose(reason);
  }

  kill(): void {
    this.#lost = "timed-out";
    this.#ctx?.lose("timed-out");
    this.#inner.kill();
  }

  get workingSince(): number | undefined {
    return this.#inner.workingSince;
  }

  time(): WorkTime {
    return this.#inner.time();
  }

  slowDown(): void {
    this.#inner.slowDown();
  }

  takeNote(): Note | undefined {
    const [inner, own] = [this.#inner.takeNote(), this.#ctx?.takeNote()];
    if (!inner || !own) return inner ?? own;
    return { ...own, ...inner, logs: [...(inner.logs ?? []), ...(own.logs ?? [])] };
  }
}

/** Crashes are counted apart from failures, and a child that never started has tried nothing: no error changes that. */
function mayFail(outcome: Outcome | "lost"): boolean {
  return outcome === "lost" || (outcome.type !== "crashed" && outcome.type !== "released");
}

/** What the module's end looks like to middleware. */
function errorOf(outcome: Exclude<Outcome, { type: "completed" }> | "lost", lost: LossReason | undefined): Error {
  if (outcome === "lost") return new LeaseLost(lost ?? "lease-lost");
  switch (outcome.type) {
    case "failed":
    case "crashed":
      return toJobFailure(outcome.failure.message, outcome.failure);
    case "deferred":
      return new Yielded("defer", outcome);
    case "held":
      return new Yielded("hold", outcome);
    case "released":
      return new Error("The child process did not start, so the job goes back to the queue.");
    default:
      return unreachable(outcome);
  }
}
