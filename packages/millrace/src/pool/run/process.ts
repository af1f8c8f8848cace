// The attempt border: whatever a processor does, it comes out of here as the end of an attempt. Inline stages call this in the
// engine's process and isolated stages in the child, so both behave alike.
//
// An attempt that is suspended ends here too, although `run` does not return: see context/calls.ts.

import type { Processor } from "../../job/context.ts";
import type { JobContext } from "../context/context.ts";
import { caughtFailure } from "../context/yielded.ts";
import { type AttemptEnd, completedWith, endOf, endOfLost } from "../outcome.ts";
import { attemptSuspended } from "./uncaught.ts";

/** `ended` is called with the end of the attempt. The first call counts. One async function: every job pays for each promise. */
export async function processJob(
  run: Processor<unknown, unknown, unknown>,
  ctx: JobContext,
  input: unknown,
  ended: (end: AttemptEnd) => void,
): Promise<void> {
  let isSuspended = false;
  ctx.onSuspended((waits) => {
    isSuspended = true;
    attemptSuspended();
    void suspended(ctx, { type: "waiting", waits }).then(ended);
  });
  let end: AttemptEnd;
  try {
    const result = await run(ctx, input);
    if (ctx.calls) await finishCalls(ctx);
    const flushed = ctx.flushStreams();
    if (flushed !== undefined) await flushed;
    if (ctx.yielded) throw caughtFailure(ctx.yielded);
    if (ctx.lost) end = endOfLost(ctx.lost);
    else end = ctx.isUndoing ? { type: "undone" } : completedWith(result);
  } catch (thrown) {
    end = endOf(thrown, ctx);
    // The last words of an attempt that fails for good are worth reading. The failure counts without them.
    if (end !== "lost") await ctx.flushStreams()?.catch(() => {});
  }
  if (!isSuspended) ended(end);
}

async function suspended(ctx: JobContext, end: AttemptEnd): Promise<AttemptEnd> {
  try {
    await ctx.flushStreams();
    return end;
  } catch (thrown) {
    return endOf(thrown, ctx);
  }
}

/** A step that was started belongs to the attempt, so the attempt lasts until the step has ended. */
async function finishCalls(ctx: JobContext): Promise<void> {
  const names = (await ctx.calls?.finish()) ?? [];
  if (names.length > 0) ctx.log.warn(`The processor returned before ${names.join(", ")} had ended. Add an await.`);
}
