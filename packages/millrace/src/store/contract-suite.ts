import { describe } from "node:test";
import { describeAccess } from "./contract/access.ts";
import { describeBatches } from "./contract/children/batches.ts";
import { describeChildren } from "./contract/children/children.ts";
import { describeFamily } from "./contract/children/family.ts";
import { describeFlows } from "./contract/children/flows.ts";
import { describeLinks } from "./contract/children/links.ts";
import { describeClaim } from "./contract/claim/claim.ts";
import { describeFairness } from "./contract/claim/fairness.ts";
import { describeLease } from "./contract/claim/lease.ts";
import { describeSlots } from "./contract/claim/slots.ts";
import { describeDeadLetters } from "./contract/control/dead-letters.ts";
import { describeDeadline } from "./contract/control/deadline.ts";
import { describeOperations } from "./contract/control/operations.ts";
import { describeRevive } from "./contract/control/revive.ts";
import { describeRevoke } from "./contract/control/revoke.ts";
import { describeSchedules } from "./contract/control/schedules.ts";
import { describeUpdate } from "./contract/control/update.ts";
import { describeKeyChanges } from "./contract/keys/changes.ts";
import { describeConcurrencyKeys } from "./contract/keys/keys.ts";
import { describeOrdered } from "./contract/keys/ordered.ts";
import { describeTotals } from "./contract/keys/totals.ts";
import { describeLimiters } from "./contract/limits/limiters.ts";
import { describeTenantLimits } from "./contract/limits/tenant-limits.ts";
import { describeWeights } from "./contract/limits/weights.ts";
import { describePending } from "./contract/pending.ts";
import { describeReading } from "./contract/reading.ts";
import { describeDeployments } from "./contract/register/deployments.ts";
import { describeInstances } from "./contract/register/instances.ts";
import { describeOldPlans } from "./contract/register/old-plans.ts";
import { describePlans } from "./contract/register/plans.ts";
import type { OpenData } from "./contract/rig.ts";
import { describeBelongings } from "./contract/settle/belongings.ts";
import { describeContinued } from "./contract/settle/continued.ts";
import { describeCrash } from "./contract/settle/crash.ts";
import { describeFollowUps } from "./contract/settle/follow-ups.ts";
import { describeHolds } from "./contract/settle/holds.ts";
import { describeSettle } from "./contract/settle/settle.ts";
import { describeStages } from "./contract/settle/stages.ts";
import { describeRecords } from "./contract/sharing/records.ts";
import { describeSharing } from "./contract/sharing/sharing.ts";
import { describeStreams } from "./contract/streams/streams.ts";
import { describeFollowers } from "./contract/submit/followers.ts";
import { describeIds } from "./contract/submit/ids.ts";
import { describeJoining } from "./contract/submit/joining.ts";
import { describeKeys } from "./contract/submit/keys.ts";
import { describeChanges } from "./contract/submit/last-wins.ts";
import { describeLimits } from "./contract/submit/limits.ts";
import { describeOutboxes } from "./contract/submit/outboxes.ts";
import { describeSubmit } from "./contract/submit/submit.ts";
import { describeThrottle } from "./contract/submit/throttle.ts";
import { describeUpkeep } from "./contract/upkeep.ts";
import { describeApprovals } from "./contract/waits/approvals.ts";
import { describeEvents } from "./contract/waits/events.ts";
import { describeLongWaits } from "./contract/waits/long-waits.ts";
import { describeSignals } from "./contract/waits/signals.ts";
import { describeSleep } from "./contract/waits/sleep.ts";
import { describeUndo } from "./contract/waits/undo.ts";

/** Every promise the contract in store.ts makes. It is all of a store's test file: copies drift where it is silent. */
export function describeStore(name: string, open: OpenData): void {
  describe(`the ${name} store`, () => {
    for (const part of [...OF_WORK, ...OF_THE_REST]) part(open);
  });
}

/** The promises that concern claims and jobs at work, for another way of claiming in a store that keeps the others. */
export function describeWork(name: string, open: OpenData): void {
  describe(`the ${name} store`, () => {
    for (const part of OF_WORK) part(open);
  });
}

const OF_WORK = [
  describeClaim,
  describeFairness,
  describeLease,
  describeSettle,
  describeContinued,
  describeFollowUps,
  describeHolds,
  describeCrash,
  describeStages,
  describePlans,
  describeBelongings,
  describeRevoke,
  describeDeadline,
  describeSlots,
  describeRevive,
  describeOperations,
  describeLimiters,
  describeTenantLimits,
  describeWeights,
  describeSharing,
  describeFollowers,
  describeUpkeep,
  describeInstances,
  describeSleep,
  describeSignals,
  describeEvents,
  describeStreams,
  describeUndo,
  describeChildren,
  describeFamily,
  describeConcurrencyKeys,
  describeTotals,
  describeKeyChanges,
  describeOrdered,
];

/** Submission, reading and administration. */
const OF_THE_REST = [
  describeIds,
  describeSubmit,
  describeDeployments,
  describeOldPlans,
  describeUpdate,
  describeKeys,
  describeLimits,
  describeSchedules,
  describeReading,
  describePending,
  describeDeadLetters,
  describeJoining,
  describeChanges,
  describeThrottle,
  describeOutboxes,
  describeAccess,
  describeRecords,
  describeApprovals,
  describeLongWaits,
  describeLinks,
  describeBatches,
  describeFlows,
];
