import type { EventMatch } from "../job/wait.ts";
import type { EventWaitOptions } from "../job/waiting.ts";
import { AppError } from "../lib/app-error.ts";
import { timeoutOf } from "./signal.ts";
import type { Waits } from "./waits.ts";

const MOST_FIELDS = 4;
const MAX_VALUE_CHARS = 200;

export function waitForEvent(
  waits: Waits,
  topic: string,
  options: EventWaitOptions = {},
): Promise<Record<string, unknown> | undefined> {
  const call = `ctx.waitForEvent("${topic}")`;
  return waits.start(
    call,
    { type: "event", name: topic },
    (own) => ({
      type: "event",
      name: own,
      event: matchOf(call, topic, options),
      ...timeoutOf(call, options.timeout),
    }),
    (stored) =>
      stored.state === "timed-out" ? undefined : (JSON.parse(stored.value ?? "{}") as Record<string, unknown>),
  );
}

function matchOf(call: string, topic: string, { match = {}, since }: EventWaitOptions): EventMatch {
  const fields = Object.entries(match);
  if (fields.length > MOST_FIELDS || !fields.every(([, value]) => isMatchable(value))) {
    throw new AppError(
      "invalid-request",
      `The match of ${call} takes up to ${MOST_FIELDS} fields with strings of up to ${MAX_VALUE_CHARS} characters, numbers or booleans.`,
    );
  }
  if (since === undefined) return { topic, match };
  const at = Number(new Date(since));
  if (!Number.isFinite(at)) throw new AppError("invalid-request", `The option "since" of ${call} is not a valid time.`);
  return { topic, match, since: at };
}

function isMatchable(value: unknown): boolean {
  if (typeof value === "string") return value.length <= MAX_VALUE_CHARS;
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}
