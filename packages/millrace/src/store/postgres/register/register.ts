import type { KindPlan } from "../../../job/kind/plan.ts";
import type { Registration } from "../../verbs/processes.ts";
import { buryDead } from "../control/expiry.ts";
import type { Core } from "../core.ts";
import { announce } from "./workers.ts";

/**
 * Makes the kinds of this process known, under the number of its deployment if it works on them. Dead processes are buried
 * first, so that none of their plans, labels and pinned jobs counts.
 */
export async function register(core: Core, plans: KindPlan[], registration: Registration = {}): Promise<void> {
  await buryDead(core);
  core.registration = { plans, registration };
  await announce(core, { resumed: false });
}

/** From now on the death of this process adds no crash to any job. */
export function drain(core: Core): Promise<void> {
  return core.instances.drain();
}
