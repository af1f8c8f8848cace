import type { Lease } from "../../../job/lease.ts";
import type { Outcome } from "../../../job/lifecycle.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";

/** An attempt is over, and this is what came of it. */
export interface Ending {
  lease: Lease;
  outcome: Outcome;
}

export type Known = Ending & { key: number };

export const LOST: SettleAnswer = { written: "lease-lost" };
