// Identical drawings of a tenant are drawn once, though each submission has a job of its own. The first one holds the unique
// key of the drawing from its submission to its end; the others look whether it is drawn by now, and wait if not. When the
// holder was cancelled or failed, the next one to look takes the key and draws.

import type { Context, Shareable } from "millrace/processor";
import { type DrawnPayload, keysOf, uniqueKeyOf } from "./keys.ts";

export const DRAWN_BY_ANOTHER = "Another job has drawn the same diagram.";
// A job that waits looks again after half of the time it has waited so far: a drawing that takes long is asked for seldom.
const MIN_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;

/** The drawing where another job has made it; undefined where this job has to. Defers the job while another draws. */
export async function drawnByAnother(ctx: Context, payload: DrawnPayload): Promise<Shareable | undefined> {
  const { asked } = keysOf(payload, ctx.tenant);
  const [key, kept] = await Promise.all([ctx.unique(uniqueKeyOf(payload)), ctx.shared(asked)]);
  // The holder may have ended between the two questions.
  const found = kept ?? (key === "taken" ? await ctx.shared(asked) : undefined);
  if (found !== undefined) ctx.log.info(DRAWN_BY_ANOTHER);
  if (found !== undefined || key === "held" || key === "taken") return found;
  const delayMs = Math.min(Math.max(key.waitedMs / 2, MIN_DELAY_MS), MAX_DELAY_MS);
  return ctx.defer({ delayMs: Math.round(delayMs) }, `${key.jobId} draws the same diagram`);
}
