import type { TenantLimits } from "../../client/index.ts";
import { duration } from "./format.ts";

/** `5 at once, 100 new jobs per 1m, weight 2, queue 1000`. */
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
