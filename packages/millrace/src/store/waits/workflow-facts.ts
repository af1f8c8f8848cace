import type { WorkflowFacts } from "../../job/lease.ts";
import { HAS_STREAMS } from "../streams/codes.ts";
import { CANCEL_ASKED, HAS_UNDOS, HAS_WAITS, IS_CONTINUED, UNDO_CANCELLED, UNDOING } from "./codes.ts";

/** A claimed job with one of these flags says more about itself. */
export const OF_WORKFLOW = HAS_WAITS | IS_CONTINUED | HAS_UNDOS | HAS_STREAMS;

export function workflowOf(flags: number): WorkflowFacts {
  const because = undoingOf(flags);
  return {
    ...(flags & HAS_WAITS && { hasWaits: true }),
    ...(flags & IS_CONTINUED && { isContinued: true }),
    ...(flags & HAS_STREAMS && { hasStreams: true }),
    ...(flags & HAS_UNDOS && { hasUndos: true }),
    ...(because && { undoing: because }),
  };
}

/** Why a live job undoes what it did, or is about to. */
export function undoingOf(flags: number): "failed" | "cancelled" | undefined {
  if (!(flags & (UNDOING | CANCEL_ASKED))) return undefined;
  return flags & (UNDO_CANCELLED | CANCEL_ASKED) ? "cancelled" : "failed";
}
