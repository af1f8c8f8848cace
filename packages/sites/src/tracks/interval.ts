import { AppError } from "millrace";

const UNITS_MS = { h: 3_600_000, d: 86_400_000 } as const;
const LONGEST_MS = 366 * UNITS_MS.d;

/** When a track looks whether it is due, and how old its last run has to be for that. */
export interface TrackRhythm {
  readonly cron: string;
  /** Undefined: it is due whenever the cron expression fires. */
  readonly everyMs?: number;
}

/**
 * `7d` or `12h` has no cron expression of its own. Such a track looks once a day, or once an hour, at the minute of its first run.
 */
export function rhythmOf(every: string, from: Date): TrackRhythm {
  const short = /^(\d{1,4})\s*([hd])$/.exec(every.trim());
  if (short === null) {
    if (every.trim().split(/\s+/).length === 5) return { cron: every.trim() };
    throw invalid(`Invalid rhythm "${every}": write 7d or 12h, or a cron expression with five fields.`);
  }
  const unit = short[2] as keyof typeof UNITS_MS;
  const everyMs = Number(short[1]) * UNITS_MS[unit];
  if (everyMs === 0 || everyMs > LONGEST_MS) throw invalid(`"${every}" must be from 1h to 366d.`);
  const minute = from.getUTCMinutes();
  return { cron: unit === "d" ? `${minute} ${from.getUTCHours()} * * *` : `${minute} * * * *`, everyMs };
}

/** A look comes a little early or late; a run that took an hour must not move the next one by a day. */
const SLACK_MS = 600_000;

export function isDue({ everyMs }: TrackRhythm, lastStartedAt: string | undefined, now: Date): boolean {
  if (everyMs === undefined || lastStartedAt === undefined) return true;
  return now.getTime() - Date.parse(lastStartedAt) >= everyMs - SLACK_MS;
}

function invalid(message: string): AppError {
  return new AppError("invalid-request", message);
}
