import { describe } from "node:test";
import { describeAccess } from "./contract/access.ts";
import { describeBelongings } from "./contract/belongings.ts";
import { describeClaim } from "./contract/claim.ts";
import { describeCrash } from "./contract/crash.ts";
import { describeDeadLetters } from "./contract/dead-letters.ts";
import { describeDeployments } from "./contract/deployments.ts";
import { describeFairness } from "./contract/fairness.ts";
import { describeHolds } from "./contract/holds.ts";
import { describeIds } from "./contract/ids.ts";
import { describeInstances } from "./contract/instances.ts";
import { describeJoining } from "./contract/joining.ts";
import { describeKeys } from "./contract/keys.ts";
import { describeLease } from "./contract/lease.ts";
import { describeLimits } from "./contract/limits.ts";
import { describePlans } from "./contract/plans.ts";
import { describeReading } from "./contract/reading.ts";
import { describeRecords } from "./contract/records.ts";
import { describeRevive } from "./contract/revive.ts";
import { describeRevoke } from "./contract/revoke.ts";
import type { OpenData } from "./contract/rig.ts";
import { describeSchedules } from "./contract/schedules.ts";
import { describeSettle } from "./contract/settle.ts";
import { describeSharing } from "./contract/sharing.ts";
import { describeSlots } from "./contract/slots.ts";
import { describeStages } from "./contract/stages.ts";
import { describeSubmit } from "./contract/submit.ts";
import { describeUpkeep } from "./contract/upkeep.ts";

/** Every promise the contract in store.ts makes. It is all of a store's test file: copies drift where it is silent. */
export function describeStore(name: string, open: OpenData): void {
  describe(`the ${name} store`, () => {
    for (const part of PARTS) part(open);
  });
}

const PARTS = [
  describeIds,
  describeSubmit,
  describeClaim,
  describeFairness,
  describeLease,
  describeSettle,
  describeHolds,
  describeCrash,
  describeStages,
  describePlans,
  describeDeployments,
  describeBelongings,
  describeRevoke,
  describeSlots,
  describeRevive,
  describeKeys,
  describeLimits,
  describeSchedules,
  describeReading,
  describeDeadLetters,
  describeSharing,
  describeJoining,
  describeAccess,
  describeRecords,
  describeUpkeep,
  describeInstances,
];
