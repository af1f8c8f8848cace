// The attempt border: whatever a processor does, it comes out of here as an outcome. The same code runs in a child.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Processor } from "../job/context.ts";
import { failureOf, JobFailure } from "../job/failure.ts";
import type { Outcome } from "../job/lifecycle.ts";
import type { JobContext } from "./context.ts";
import { LeaseLost } from "./lease-lost.ts";
import { storableText } from "./storable.ts";
import { caughtFailure, yieldedIn } from "./yielded.ts";

export const MAX_RESULT_BYTES = 1_048_576;

/** "lost": the lease ended under it, so there is nothing to settle. */
export async function processJob(
  run: Processor<unknown, unknown, unknown>,
  ctx: JobContext,
  input: unknown,
): Promise<Outcome | "lost"> {
  try {
    const result = await run(ctx, input);
    if (ctx.unfinished) await finishSteps(ctx);
    if (ctx.yielded) throw caughtFailure(ctx.yielded);
    return ctx.lost ? "lost" : { type: "completed", output: storableText(result, "result", MAX_RESULT_BYTES) };
  } catch (thrown) {
    return outcomeOf(thrown, ctx);
  }
}

/** A step that was started belongs to the attempt, so the attempt lasts until the step has ended. */
async function finishSteps(ctx: JobContext): Promise<void> {
  const names: string[] = [];
  while (ctx.unfinished) names.push(...(await ctx.unfinished.settle()));
  ctx.log.warn(`The processor returned before ${names.join(", ")} had ended. Add an await.`);
}

export function outcomeOf(thrown: unknown, ctx?: JobContext): Outcome | "lost" {
  if (ctx?.lost || thrown instanceof LeaseLost) return "lost";
  const yielded = yieldedIn(thrown);
  if (yielded) return yielded.outcome;
  return { type: "failed", ...failureOf(thrown) };
}

/** A payload is parsed again when claimed, since code may have changed: a mismatch is a clear failure, not a crash. */
export function parsePayload(schema: StandardSchemaV1, payload: string): unknown | Promise<unknown> {
  const checked = schema["~standard"].validate(JSON.parse(payload));
  return checked instanceof Promise ? checked.then(parsed) : parsed(checked);
}

function parsed(checked: StandardSchemaV1.Result<unknown>): unknown {
  if (!checked.issues) return checked.value;
  throw new JobFailure(`The stored payload does not fit this version of the kind: ${issuesText(checked.issues)}`, {
    code: "payload-mismatch",
    permanent: true,
  });
}

/** `url: expected string; size.width: must be positive` */
export function issuesText(issues: readonly StandardSchemaV1.Issue[]): string {
  return issues
    .slice(0, 5)
    .map((issue) => {
      const path = issue.path?.map((key) => String(typeof key === "object" ? key.key : key)).join(".");
      return path ? `${path}: ${issue.message}` : issue.message;
    })
    .join("; ");
}
