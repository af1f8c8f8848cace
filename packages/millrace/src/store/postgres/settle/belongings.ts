// What a processor writes beside its job. Every write presents its lease: the row is locked, so that no other transaction
// can end the lease, and a stale token changes nothing.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import { HAS_ARTIFACTS } from "../../codes.ts";
import type { NewArtifact } from "../../verbs/attempts.ts";
import type { LimiterAnswer } from "../../verbs/limiters.ts";
import { numbers } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { type Query, statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { RUNS } from "../read/row.ts";
import { blockLimiter as block, takeFromLimiter } from "./limiter.ts";

const LOCK_HELD = statement<{
  now: Value;
  durable: string;
  key: number;
  token: number;
}>(`SELECT id, stage, tenant, flags,
    ${nowBy(":now")} AS now,
    (SELECT expires_at FROM millrace.instance WHERE id = job.holder) - ${nowBy(":now")} AS left,
    set_config('synchronous_commit', :durable, true)
  FROM millrace.job
  WHERE id = :key AND token = :token AND ${RUNS}
  FOR NO KEY UPDATE`);
const HELD_NOW = statement<{ keys: string }>(`SELECT id, token
  FROM millrace.job
  WHERE id = ANY(:keys::bigint[]) AND ${RUNS}`);
const ADD_FLAG = statement<{ key: number; flag: number }>(`UPDATE millrace.job
  SET flags = flags | :flag
  WHERE id = :key AND flags & :flag = 0`);
const PUT_ARTIFACT = statement<{ key: number; name: string; type: string; bytes: Uint8Array }>(`INSERT
  INTO millrace.artifact (job, name, content_type, bytes)
  VALUES (:key, :name, :type, :bytes)
  ON CONFLICT (job, name) DO UPDATE SET content_type = excluded.content_type, bytes = excluded.bytes`);

const LOST = "lease-lost" as const;

export interface HeldRow {
  id: number;
  stage: number;
  tenant: number;
  flags: number;
  now: number;
  /** The time that is left of the lease. Null: its holder has no row. */
  left: number | null;
}

/** The query that locks the row of a job and finds it only under its lease. */
export function lockHeld(core: Core, { key, token, durable }: { key: number; token: number; durable: boolean }): Query {
  return LOCK_HELD({ now: core.clock.given, durable: core.durable(durable), key, token });
}

export async function renew(core: Core, leases: Lease[]): Promise<Lease[]> {
  await core.instances.renew();
  if (leases.length === 0) return [];
  const keys = leases.map((lease) => core.ids.decode(lease.jobId) ?? -1);
  await core.bundles.openFor(keys);
  const rows = await core.connections.write.run<{ id: number; token: number }>(...HELD_NOW({ keys: numbers(keys) }));
  const tokens = new Map(rows.map(({ id, token }) => [id, token]));
  return leases.filter((lease, i) => tokens.get(keys[i] as number) === lease.token);
}

export function keepArtifact(core: Core, lease: Lease, artifact: NewArtifact): Promise<WriteAnswer> {
  return whileHeld(core, lease, { durable: true }, async (tx, row) => {
    const { name, contentType, bytes } = artifact;
    await tx.run(...PUT_ARTIFACT({ key: row.id, name, type: contentType, bytes }));
    await addFlag(core, tx, row, HAS_ARTIFACTS);
  });
}

export async function take(core: Core, lease: Lease, limiter: string, cost: number): Promise<LimiterAnswer> {
  let taken: LimiterAnswer = LOST;
  await whileHeld(core, lease, { durable: false }, async (tx, row) => {
    taken = await takeFromLimiter(core, tx, { name: limiter, cost, now: row.now, tenant: row.tenant });
  });
  return taken;
}

export function blockLimiter(core: Core, lease: Lease, name: string, forMs: number): Promise<WriteAnswer> {
  return whileHeld(core, lease, { durable: false }, (tx, row) => block(tx, name, row.now + forMs));
}

export async function whileHeld(
  core: Core,
  lease: Lease,
  { durable }: { durable: boolean },
  work: (tx: StatementRunner, row: HeldRow) => Promise<void>,
): Promise<WriteAnswer> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  return core.connections.write.transact(async (tx): Promise<WriteAnswer> => {
    const [row] = await tx.run<HeldRow>(...lockHeld(core, { key, token: lease.token, durable }));
    if (!row) return LOST;
    await work(tx, row);
    return "written";
  });
}

export async function addFlag(
  core: Core,
  tx: StatementRunner,
  row: Pick<HeldRow, "id" | "flags">,
  flag: number,
): Promise<void> {
  if (row.flags & flag) return;
  await tx.run(...ADD_FLAG({ key: row.id, flag }));
  // The transaction may still fail. That does no harm: it costs a look into an empty table.
  const held = core.leases.get(row.id);
  if (held) held.flags |= flag;
}
