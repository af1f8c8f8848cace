import type { StageName } from "../events/event.ts";
import type { Events } from "../events/events.ts";
import type { ClaimedJob } from "../job/lease.ts";
import type { Clock } from "../lib/clock.ts";
import type { Note } from "../store/verbs/attempts.ts";

/** Tells hooks of progress that is on its way to the store. */
export function emitProgress(
  job: ClaimedJob,
  { progress }: Note,
  { names, events, clock }: { names: StageName; events: Events; clock: Clock },
): void {
  if (progress && events.hasReader) events.emit({ type: "progressed", ...names, job, progress, at: clock.now() });
}
