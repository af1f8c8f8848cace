// What becomes of a job's concurrency key. Both stores ask here, and write places.

import type { ConcurrencyPolicy, KindPlan } from "../../../job/kind/plan.ts";
import { FAILED, HELD, READY, RUNNING, SCHEDULED, SUSPECT } from "../../codes.ts";
import { HOLDS_KEY, KEYED, needsKey } from "../../keys/codes.ts";

/** Without rules every job gets its key at once, such as jobs of a kind whose workers have dropped the option. */
export function jobsPerKey({ concurrency }: Pick<KindPlan, "concurrency">): number {
  if (!concurrency?.keyed) return UNLIMITED;
  return concurrency.ordered ? 1 : (concurrency.perKey ?? 1);
}

/** More jobs than any key has; it fits into a column of PostgreSQL. */
export const UNLIMITED = 2 ** 31 - 1;

export type KeyChange =
  | "none"
  /** The job gives the key back, or leaves the line. */
  | "leaves"
  /** The job would be ready, but must get the key first. */
  | "arrives";

export interface KeyFacts {
  readonly flags: number;
  /** The standing that the job gets. */
  readonly standing: number;
  readonly concurrency: ConcurrencyPolicy | undefined;
  /** A successor takes the key over. */
  readonly isContinued: boolean;
}

/** What a settlement does to the key of its job. */
export function keyChange({ flags, standing, concurrency, isContinued }: KeyFacts): KeyChange {
  if (!(flags & KEYED)) return "none";
  switch (standing) {
    case READY:
    case SUSPECT:
      return needsKey(flags) ? "arrives" : "none";
    case RUNNING:
      return "none";
    case SCHEDULED:
    case HELD:
      return flags & HOLDS_KEY && !concurrency?.ordered ? "leaves" : "none";
    case FAILED:
      return flags & HOLDS_KEY && concurrency?.ordered && concurrency.ifFails !== "skip" ? "none" : "leaves";
    default:
      return isContinued ? "none" : "leaves";
  }
}
