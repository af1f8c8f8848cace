import type { OutboxState } from "../store/verbs/outbox/outboxes.ts";

const BEHIND_MS = 60_000;
/** After a day without a relay, an outbox counts as abandoned. */
const GIVEN_UP_MS = 24 * 3_600_000;

/** The outboxes that fall behind, in sentences for operators. */
export function outboxProblems(states: readonly OutboxState[]): string[] {
  return states.flatMap((state) => problemOf(state) ?? []);
}

function problemOf({ label, waiting, oldestMs = 0, seenMs, trouble }: OutboxState): string | undefined {
  if (seenMs > GIVEN_UP_MS) return undefined;
  const why = trouble === undefined ? "" : ` ${trouble}`;
  if (seenMs > BEHIND_MS) return `No process has relayed the outbox "${label}" for ${spanOf(seenMs)}.${why}`;
  const waitedMs = oldestMs + seenMs;
  if (waiting === 0 || waitedMs <= BEHIND_MS) return undefined;
  const rows = waiting === 1 ? "1 row waits" : `${waiting} rows wait`;
  return `The outbox "${label}" falls behind: ${rows}, the oldest for ${spanOf(waitedMs)}.${why}`;
}

function spanOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
