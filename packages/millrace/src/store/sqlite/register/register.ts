import type { KindPlan } from "../../../job/kind/plan.ts";
import type { Registration } from "../../verbs/processes.ts";
import { buryDead } from "../control/expiry.ts";
import type { Core } from "../core.ts";
import { announce } from "./workers.ts";

/**
 * Makes the kinds of this process known, under the number of its deployment if it works on them. Dead processes are buried
 * first, so that none of their plans, labels and pinned jobs counts.
 */
export function register(core: Core, plans: KindPlan[], registration: Registration = {}): void {
  buryDead(core);
  core.registration = { plans, registration };
  const before = core.names.keyedKinds();
  announce(core, { resumed: false });
  core.places.lookAtFree();
  // Kinds that now allow more jobs per key.
  for (const [kind, most] of core.names.keyedKinds())
    if (most > (before.get(kind) ?? most)) core.places.lookAtAll(kind);
}

/** From now on the death of this process adds no crash to any job. */
export function drain(core: Core): void {
  core.instances.drain();
}
