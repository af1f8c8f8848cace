import type { SleepTime } from "../job/waiting.ts";
import { AppError } from "../lib/app-error.ts";
import { durationMs } from "./duration.ts";
import type { Waits } from "./waits.ts";

export function sleep(waits: Waits, name: string, time: SleepTime): Promise<void> {
  const call = `ctx.sleep("${name}")`;
  return waits.start(
    call,
    { type: "sleep", name },
    (own) => ({ type: "sleep", name: own, ...timeOf(call, time) }),
    () => undefined,
  );
}

function timeOf(call: string, time: SleepTime): { until: number } | { timeoutMs: number } {
  if (typeof time === "object" && time !== null && "until" in time) {
    const until = Number(time.until);
    if (time.until instanceof Date && Number.isFinite(until)) return { until };
    throw new AppError("invalid-request", `${call} needs { until } with a valid Date.`);
  }
  return { timeoutMs: durationMs(`The duration of ${call}`, time) };
}
