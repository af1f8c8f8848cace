import type { Duration, DurationParts } from "../job/waiting.ts";
import { AppError } from "../lib/app-error.ts";
import { nameMeant } from "../lib/did-you-mean.ts";

const MS = { ms: 1, seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
const NAMES = Object.keys(MS) as (keyof DurationParts)[];
const TEN_YEARS_MS = 3_660 * MS.days;

/** The length in whole milliseconds. `what` names the argument in the error: `The timeout of ctx.waitForSignal("paid")`. */
export function durationMs(what: string, duration: Duration): number {
  const total = typeof duration === "number" ? duration : sum(what, duration);
  if (!Number.isFinite(total) || total < 0 || total > TEN_YEARS_MS) {
    throw invalid(`${what} must be between 0 and ten years, not ${total} ms.`);
  }
  return Math.ceil(total);
}

function sum(what: string, parts: DurationParts): number {
  const given = typeof parts === "object" && parts !== null ? Object.entries(parts) : [];
  if (given.length === 0) throw invalid(`${what} must be a number of milliseconds or an object such as { hours: 2 }.`);
  let total = 0;
  for (const [name, value] of given) {
    if (!isUnit(name)) throw invalid(`${what} has the unknown unit "${name}".${hint(name)}`);
    if (typeof value !== "number" || !Number.isFinite(value))
      throw invalid(`${what} has an invalid number of ${name}.`);
    total += value * MS[name];
  }
  return total;
}

function hint(name: string): string {
  const meant = nameMeant(name, NAMES);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

function isUnit(name: string): name is keyof DurationParts {
  return Object.hasOwn(MS, name);
}

function invalid(message: string): AppError {
  return new AppError("invalid-request", message, { hint: "{ minutes: 5 }, { days: 3 }, or a number of milliseconds" });
}
