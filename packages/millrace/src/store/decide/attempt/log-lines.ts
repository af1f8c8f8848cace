import type { LogLine } from "../../verbs/attempts.ts";

const MOST_LOG_LINES = 1_000;

/** The lines to store for a job that has `stored` lines. The last one says that the rest is not kept. */
export function linesToStore(lines: readonly LogLine[], stored: number, now: number): LogLine[] {
  const room = MOST_LOG_LINES - stored;
  if (room <= 0) return [];
  const kept = lines.slice(0, room);
  if (lines.length >= room) {
    const message = `This job has written ${MOST_LOG_LINES} log lines; the rest is not kept.`;
    kept.push({ at: now, level: "warn", message });
  }
  return kept;
}
