import type { Limiter, TenantLimits } from "../../client/index.ts";
import { UsageError } from "../arguments/command.ts";
import { duration as readDuration, whole } from "../arguments/flags.ts";
import { duration } from "./format.ts";

/** Words such as `5 at once, 100 new jobs per 1m, weight 2, queue 1000`. */
export function limitsInWords({ concurrency, rate, weight, queueMax, overflow }: TenantLimits): string {
  const words = [
    concurrency !== undefined && (concurrency === 0 ? "any number at once" : `${concurrency} at once`),
    rate && (rate.count === 0 ? "new jobs at any rate" : `${rate.count} new jobs per ${duration(rate.perMs)}`),
    weight !== undefined && `weight ${weight}`,
    queueMax !== undefined && (queueMax === 0 ? "queue without limit" : `queue ${queueMax}`),
    overflow !== undefined && `overflow ${overflow}`,
  ].filter((word) => typeof word === "string");
  return words.length > 0 ? words.join(", ") : "no limits of its own";
}

/** Parses `100/1m`. `name` begins the sentence about a wrong one. */
export function rateOf(name: string, text: string, { least = 0 } = {}): { count: number; perMs: number } {
  const [count = "", period = "", ...more] = text.split("/");
  if (more.length > 0 || period === "") {
    throw new UsageError(`--${name} is "${text}". Allowed: a number and a period, such as 100/1m.`);
  }
  return { count: whole(name, count, { min: least, max: 1_000_000_000 }), perMs: readDuration(name, period) };
}

/** Words such as `60 per 1m, 10000 a day, 500 a day for each tenant`. */
export function ruleInWords({ count, perMs, perDay, perTenantPerDay }: Limiter["rule"]): string {
  const words = [
    `${count} per ${duration(perMs)}`,
    ...(perDay === undefined ? [] : [`${perDay} a day`]),
    ...(perTenantPerDay === undefined ? [] : [`${perTenantPerDay} a day for each tenant`]),
  ];
  return words.join(", ");
}
