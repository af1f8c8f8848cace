// CONFIRM: asks how much longer a lease lasts, and renews the leases of this process if that is due.

import type { Lease } from "../../../job/lease.ts";
import type { ConfirmAnswer } from "../../verbs/attempts.ts";
import type { Core } from "../core.ts";
import { heldRow } from "./belongings.ts";

export function confirm(core: Core, lease: Lease): ConfirmAnswer {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  if (row.holder === core.instances.id && core.instances.needsRenewal) core.instances.renew();
  return { forMs: core.instances.leftMs(row.holder as number) };
}

/** The lease is long enough: there is nothing to write. */
export function idleConfirm(core: Core, lease: Lease): { answer: ConfirmAnswer } | undefined {
  return core.instances.needsRenewal ? undefined : { answer: confirm(core, lease) };
}
