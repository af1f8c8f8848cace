// Cancel, deadline and expiry end a lease from outside: in one commit the state changes, the token is outdated and the
// limit slot is freed, once. There is no "cancel requested" in between.

import type { BeatAnswer } from "../../verbs/processes.ts";
import { hasLeftWork } from "../children/queue.ts";
import type { Core } from "../core.ts";
import { failOverdue, failPastDeadline, failUnstarted, isTimeUp } from "./deadlines.ts";
import { expireDead } from "./expiry.ts";

/** The reads of a beat, to see without a write lock whether there is anything to write. */
export function beatIsDue(core: Core): boolean {
  return hasLeftWork(core) || core.instances.needsRenewal || core.instances.dead().length > 0 || isTimeUp(core);
}

export function idleBeat(core: Core, pools?: string): { answer: BeatAnswer } | undefined {
  return pools === undefined && !beatIsDue(core) ? { answer: { expired: [], overdue: [] } } : undefined;
}

export function beat(core: Core, pools?: string): BeatAnswer {
  if (pools !== undefined || core.instances.needsRenewal) core.instances.renew(pools);
  const expired = [...expireDead(core), ...failUnstarted(core), ...failPastDeadline(core)];
  core.hasLeftWork ||= hasLeftWork(core);
  if (expired.length > 0) core.afterCommit(() => core.events.expired(expired));
  return { expired, overdue: failOverdue(core) };
}
