import { AppError } from "../../lib/app-error.ts";
import type { StoreLimits } from "../store.ts";

/** A tenant with so many kept events publishes faster than they expire. */
export function refuseEvents({ maxEventsPerTenant }: Pick<StoreLimits, "maxEventsPerTenant">, kept: number): void {
  if (maxEventsPerTenant === 0 || kept < maxEventsPerTenant) return;
  throw new AppError("too-many-events", `The tenant has ${kept} kept events; the limit is ${maxEventsPerTenant}.`, {
    hint: "Publish with a shorter keepMs, or raise maxEventsPerTenant of Millrace.open().",
  });
}
