import type { EventMatch } from "../job/wait.ts";
import type { EventWaitOptions } from "../job/waiting.ts";
import { checkOptions, type OptionBag } from "../lib/options/check.ts";
import { anything, other } from "../lib/options/option.ts";
import { timeoutOf } from "./signal.ts";
import type { Waits } from "./waits.ts";

const MOST_FIELDS = 4;
const MAX_VALUE_CHARS = 200;

const OPTIONS: OptionBag = {
  what: "ctx.waitForEvent",
  options: {
    match: other(
      `an object of up to ${MOST_FIELDS} fields with strings of up to ${MAX_VALUE_CHARS} characters, numbers or booleans`,
      isMatch,
    ),
    since: other("a valid Date or an ISO 8601 string", isMoment),
    timeout: anything(),
  },
};

export function waitForEvent(
  waits: Waits,
  topic: string,
  options: EventWaitOptions = {},
): Promise<Record<string, unknown> | undefined> {
  const call = `ctx.waitForEvent("${topic}")`;
  return waits.start(
    call,
    { type: "event", name: topic },
    (own) => {
      checkOptions(OPTIONS, options);
      return { type: "event", name: own, event: matchOf(topic, options), ...timeoutOf(call, options.timeout) };
    },
    (stored) =>
      stored.state === "timed-out" ? undefined : (JSON.parse(stored.value ?? "{}") as Record<string, unknown>),
  );
}

function matchOf(topic: string, { match = {}, since }: EventWaitOptions): EventMatch {
  return { topic, match, ...(since !== undefined && { since: Number(new Date(since)) }) };
}

function isMatch(match: unknown): boolean {
  if (typeof match !== "object" || match === null || Array.isArray(match)) return false;
  const values = Object.values(match);
  return values.length <= MOST_FIELDS && values.every(isMatchable);
}

function isMoment(since: unknown): boolean {
  return (typeof since === "string" || since instanceof Date) && Number.isFinite(Number(new Date(since)));
}

function isMatchable(value: unknown): boolean {
  if (typeof value === "string") return value.length <= MAX_VALUE_CHARS;
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}
