// Cancel, deadline and expiry end a lease from outside: in one commit the state changes and the token is outdated. There
// is no "cancel requested" in between. Rows are always locked in the order of their keys.

import type { BeatAnswer } from "../../verbs/processes.ts";
import { tellOfWork } from "../children/queue.ts";
import type { Core } from "../core.ts";
import { placeFollowers } from "../followers/callers.ts";
import { takePlaces } from "../keys/places.ts";
import { deliverSignals } from "../waits/deliver-signals.ts";
import { spreadLeftovers } from "../waits/events.ts";
import { failOverdue, failPastDeadline, failUnstarted } from "./deadlines.ts";
import { expireDead } from "./expiry.ts";

export async function beat(core: Core, pools?: string): Promise<BeatAnswer> {
  if (pools !== undefined || core.instances.needsRenewal) await core.instances.renew(pools);
  const expired = [...(await expireDead(core)), ...(await failUnstarted(core)), ...(await failPastDeadline(core))];
  if (expired.length > 0) {
    core.events.expired(expired);
    core.voice.say("work");
  }
  if (await takePlaces(core)) tellOfWork(core);
  await spreadLeftovers(core);
  await deliverSignals(core);
  await placeFollowers(core);
  return { expired, overdue: await failOverdue(core) };
}
