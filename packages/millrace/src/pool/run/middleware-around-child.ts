import type { Processor } from "../../job/context.ts";
import { toJobFailure } from "../../job/failure.ts";
import type { AnyMiddleware } from "../../job/kind/middleware.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import { unreachable } from "../../lib/unreachable.ts";
import type { JobContext } from "../context/context.ts";
import { LeaseLost } from "../context/lease-lost.ts";
import { AttemptYield } from "../context/yielded.ts";
import type { AttemptEnd } from "../outcome.ts";
import { withMiddleware } from "./middleware.ts";
import { processJob } from "./process.ts";

/**
 * An isolated attempt with middleware around it. The middleware runs in this process, and its `next()` runs the module in the
 * child. The middleware sees the child's outcome as a result or an error. Unless the middleware throws an error of its own, the
 * outcome is settled as the child gave it.
 */
export async function processAroundChild(
  use: readonly AnyMiddleware[],
  ctx: JobContext,
  runChild: () => Promise<AttemptEnd>,
): Promise<AttemptEnd> {
  let inner: { end: AttemptEnd; error?: unknown } | undefined;
  const ended = Promise.withResolvers<AttemptEnd>();
  const layers = withMiddleware(use, async () => {
    inner = { end: await runChild() };
    // As in a stage of this process: what awaits the processor is left behind.
    if (inner.end !== "lost" && inner.end.type === "waiting") {
      ended.resolve(inner.end);
      return new Promise(() => {});
    }
    if (inner.end !== "lost" && inner.end.type === "completed") return JSON.parse(inner.end.result);
    if (inner.end !== "lost" && inner.end.type === "undone") return null;
    inner.error = errorOf(inner.end, ctx.lost);
    throw inner.error;
  });
  let thrown: unknown;
  const run: Processor<unknown, unknown, null> = async () => {
    try {
      await layers(ctx, undefined);
    } catch (error) {
      thrown = error;
      throw error;
    }
    return null;
  };
  void processJob(run, ctx, undefined, ended.resolve);
  const outer = await ended.promise;
  if (outer === "lost" || !inner) return outer;
  const isOwnError = outer.type !== "completed" && thrown !== inner.error;
  return isOwnError && mayFail(inner.end) ? outer : inner.end;
}

/**
 * Crashes are counted apart from failures, and a child that never started has tried nothing. An error of the middleware
 * changes neither.
 */
function mayFail(end: AttemptEnd): boolean {
  return end === "lost" || (end.type !== "crashed" && end.type !== "released");
}

/** The end of the module as middleware sees it. */
function errorOf(end: Exclude<Outcome, { type: "completed" | "undone" }> | "lost", lost: LeaseLost | undefined): Error {
  if (end === "lost") return lost ?? new LeaseLost("lease-lost");
  switch (end.type) {
    case "failed":
    case "crashed":
      return toJobFailure(end.failure.message, end.failure);
    case "deferred":
      return new AttemptYield("defer", end);
    case "held":
      return new AttemptYield("hold", end);
    case "continued":
      return new AttemptYield("continueAsNew", end);
    case "cancelled":
      return lost ?? new LeaseLost("cancelled");
    case "waiting":
    case "released":
      return new Error("The child process did not start, so the job goes back to the queue.");
    default:
      return unreachable(end);
  }
}
