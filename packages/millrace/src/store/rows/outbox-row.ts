import type { OutboxState } from "../verbs/outbox/outboxes.ts";

/** The row of an outbox, as far as it is shown. */
export interface OutboxStateRow {
  name: string;
  label: string;
  seen_at: number;
  waiting: number;
  oldest_ms: number | null;
  trouble: string | null;
}

export function outboxStateOf(
  { name, label, seen_at, waiting, oldest_ms, trouble }: OutboxStateRow,
  now: number,
): OutboxState {
  return {
    name,
    label,
    waiting,
    seenMs: Math.max(0, now - seen_at),
    ...(oldest_ms !== null && { oldestMs: oldest_ms }),
    ...(trouble !== null && { trouble }),
  };
}
