// The attempt border: whatever a processor does, it comes out of here as the end of an attempt. Inline stages call this in the
// engine's process and isolated stages in the child, so both behave alike.
//
// An attempt that is suspended ends here too, although `run` does not return: see context/calls.ts.

import type { Processor } from "../../job/context.ts";
import type { JobContext } from "../context/context.ts";
import { caughtFailure } from "../context/yielded.ts";
import { type AttemptEnd, completedWith, endOf } from "../outcome.ts";

export function processJob(
  run: Processor<unknown, unknown, unknown>,
  ctx: JobContext,
  input: unknown,
): Promise<AttemptEnd> {
  return new Promise((resolve) => {
    ctx.onSuspended((waits) => resolve({ type: "waiting", waits }));
    void returned(run, ctx, input).then(resolve);
  });
}

async function returned(
  run: Processor<unknown, unknown, unknown>,
  ctx: JobContext,
  input: unknown,
): Promise<AttemptEnd> {
  try {
    const result = await run(ctx, input);
    if (ctx.calls) await finishCalls(ctx);
    if (ctx.yielded) throw caughtFailure(ctx.yielded);
    return ctx.lost ? "lost" : completedWith(result);
  } catch (thrown) {
    return endOf(thrown, ctx);
  }
}

/** A step that was started belongs to the attempt, so the attempt lasts until the step has ended. */
async function finishCalls(ctx: JobContext): Promise<void> {
  const names = (await ctx.calls?.finish()) ?? [];
  if (names.length > 0) ctx.log.warn(`The processor returned before ${names.join(", ")} had ended. Add an await.`);
}
