// How long leases surely hold. Calls that come together are answered by one statement.

import type { Lease } from "../../../job/lease.ts";
import type { ConfirmAnswer } from "../../verbs/attempts.ts";
import { numbers } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { RUNS } from "../read/row.ts";
import { Group, onePerCore } from "../thread/group.ts";

// A SELECT without a lock is enough: a lease is taken back only after it has expired, and a renewal only makes it
// longer.
const LEASES_LEFT = statement<{ now: Value; keys: string }>(`SELECT id, token, holder,
    (SELECT expires_at FROM millrace.instance WHERE id = job.holder) - ${nowBy(":now")} AS left
  FROM millrace.job
  WHERE id = ANY(:keys::bigint[]) AND ${RUNS}`);

interface HeldKey {
  readonly key: number;
  readonly token: number;
}

interface LeaseLeft {
  id: number;
  token: number;
  holder: number;
  left: number | null;
}

const groupOf = onePerCore((core) => new Group<HeldKey, ConfirmAnswer>((asks) => confirmTogether(core, asks)));

export async function confirm(core: Core, { jobId, token }: Lease): Promise<ConfirmAnswer> {
  const key = core.ids.decode(jobId) ?? -1;
  await core.bundles.openFor([key]);
  return groupOf(core).ask({ key, token });
}

async function confirmTogether(core: Core, asks: readonly HeldKey[]): Promise<ConfirmAnswer[]> {
  if (core.instances.needsRenewal) await core.instances.renew();
  let held = await leasesLeft(core, asks);
  if (held.some(({ holder, left }) => (left ?? 0) <= 0 && holder === core.instances.id)) {
    // Renewals were delayed until the leases expired, but no process has taken the jobs back.
    await core.instances.renew();
    held = await leasesLeft(core, asks);
  }
  const rows = new Map(held.map((row) => [row.id, row]));
  return asks.map(({ key, token }) => {
    const row = rows.get(key);
    return row?.token === token ? { forMs: row.left ?? 0 } : "lease-lost";
  });
}

function leasesLeft(core: Core, asks: readonly HeldKey[]): Promise<LeaseLeft[]> {
  const keys = numbers(new Set(asks.map(({ key }) => key)));
  return core.connections.write.run<LeaseLeft>(...LEASES_LEFT({ now: core.clock.given, keys }));
}
