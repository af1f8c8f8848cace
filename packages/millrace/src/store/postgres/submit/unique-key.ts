// How a job that was stored behind another of the same unique key takes the key over.

import type { Lease } from "../../../job/lease.ts";
import { HAS_UNIQUE_KEY } from "../../codes.ts";
import { refuseSecondKey } from "../../decide/pending/unique-key.ts";
import type { UniqueKeyAnswer } from "../../verbs/attempts.ts";
import { NOW } from "../connection/clock.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import { RUNS } from "../read/row.ts";
import { addFlag, type HeldRow, lockHeld } from "../settle/belongings.ts";
import { uniqueName } from "./facts.ts";
import { putUnique } from "./insert.ts";

const LOOK = `SELECT stage, tenant, ${NOW} - created_at AS "waitedMs" FROM millrace.job WHERE id = $2 AND token = $3 AND ${RUNS}`;
const HOLDER = "SELECT job FROM millrace.unique_key WHERE kind = $1 AND tenant = $2 AND key = $3";

export async function acquireUnique(core: Core, lease: Lease, key: string): Promise<UniqueKeyAnswer> {
  const id = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([id]);
  const { write } = core.connections;
  const [job] = await write.run<{ stage: number; tenant: number; waitedMs: number }>(LOOK, [
    core.clock.given,
    id,
    lease.token,
  ]);
  if (!job) return "lease-lost";
  await core.names.knowStages([job.stage]);
  const { kind } = core.names.stage(job.stage);
  const answerFor = (holder: { job: number }): UniqueKeyAnswer =>
    holder.job === id ? "held" : { jobId: core.ids.encode(holder.job), waitedMs: job.waitedMs };
  // A job that holds the key, or stands behind another job, only reads: that needs no transaction.
  const [known] = await write.run<{ job: number }>(HOLDER, [kind, job.tenant, key]);
  if (known) return answerFor(known);
  return write.transact(async (tx): Promise<UniqueKeyAnswer> => {
    // The key is locked first and the row second, as a submission does, so that two transactions cannot wait for each
    // other.
    await lock(tx, core.connections.target.schema, [`unique ${uniqueName(kind, job.tenant, key)}`]);
    const [row] = await tx.run<HeldRow>(...lockHeld(core, { key: id, token: lease.token, durable: false }));
    if (!row) return "lease-lost";
    const [holder] = await tx.run<{ job: number }>(HOLDER, [kind, job.tenant, key]);
    if (holder) return answerFor(holder);
    refuseSecondKey(row);
    await putUnique(tx, [{ kind, tenant: job.tenant, key, job: id }]);
    await addFlag(core, tx, row, HAS_UNIQUE_KEY);
    return "taken";
  });
}
