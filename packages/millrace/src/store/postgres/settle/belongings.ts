// What a processor writes beside its job. Every write presents its lease: the row is locked against whoever would end it,
// and a stale token changes nothing and is told so.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import { HAS_ARTIFACTS } from "../../codes.ts";
import type { ConfirmAnswer, NewArtifact } from "../../verbs/attempts.ts";
import type { LimiterAnswer } from "../../verbs/limiters.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { RUNS } from "../read/row.ts";
import { blockLimiter as block, takeFromLimiter } from "./limiter.ts";

export const LOCK_HELD = `SELECT id, stage, flags, ${NOW} AS now, set_config('synchronous_commit', $2, true) FROM millrace.job
  WHERE id = $3 AND token = $4 AND ${RUNS} FOR NO KEY UPDATE`;
// A SELECT is enough: whoever takes a lease back waits until it is over, and a renewal only makes it longer.
const LEASE_LEFT = `SELECT job.holder, (SELECT expires_at FROM millrace.instance WHERE id = job.holder) - ${NOW} AS left
  FROM millrace.job WHERE id = $2 AND token = $3 AND ${RUNS}`;
const HELD_NOW = `SELECT id, token FROM millrace.job WHERE id = ANY($1::bigint[]) AND ${RUNS}`;
const ADD_FLAG = "UPDATE millrace.job SET flags = flags | $2 WHERE id = $1 AND flags & $2 = 0";
const PUT_ARTIFACT = `INSERT INTO millrace.artifact (job, name, content_type, bytes) VALUES ($1, $2, $3, $4)
  ON CONFLICT (job, name) DO UPDATE SET content_type = excluded.content_type, bytes = excluded.bytes`;

const LOST = "lease-lost" as const;

export interface HeldRow {
  id: number;
  stage: number;
  flags: number;
  now: number;
}

export async function renew(core: Core, leases: Lease[]): Promise<Lease[]> {
  await core.instances.renew();
  if (leases.length === 0) return [];
  const keys = leases.map((lease) => core.ids.decode(lease.jobId) ?? -1);
  await core.bundles.openFor(keys);
  const rows = await core.connections.write.run<{ id: number; token: number }>(HELD_NOW, [numbers(keys)]);
  const tokens = new Map(rows.map(({ id, token }) => [id, token]));
  return leases.filter((lease, i) => tokens.get(keys[i] as number) === lease.token);
}

export async function confirm(core: Core, lease: Lease): Promise<ConfirmAnswer> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  if (core.instances.needsRenewal) await core.instances.renew();
  const look = () =>
    core.connections.write.run<{ holder: number; left: number | null }>(LEASE_LEFT, [
      core.clock.given,
      key,
      lease.token,
    ]);
  const [row] = await look();
  if (!row) return LOST;
  if ((row.left ?? 0) > 0 || row.holder !== core.instances.id) return { forMs: row.left ?? 0 };
  // Renewals were held up until nothing was left; nobody has taken the job meanwhile.
  await core.instances.renew();
  const [again] = await look();
  return again ? { forMs: again.left ?? 0 } : LOST;
}

export function keepArtifact(core: Core, lease: Lease, artifact: NewArtifact): Promise<WriteAnswer> {
  return whileHeld(core, lease, { durable: true }, async (tx, row) => {
    await tx.run(PUT_ARTIFACT, [row.id, artifact.name, artifact.contentType, artifact.bytes]);
    await addFlag(core, tx, row, HAS_ARTIFACTS);
  });
}

export async function take(core: Core, lease: Lease, limiter: string, cost: number): Promise<LimiterAnswer> {
  let taken: LimiterAnswer = LOST;
  await whileHeld(core, lease, { durable: false }, async (tx, row) => {
    taken = await takeFromLimiter(core, tx, limiter, cost, row.now);
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
    const [row] = await tx.run<HeldRow>(LOCK_HELD, [core.clock.given, core.durable(durable), key, lease.token]);
    if (!row) return LOST;
    await work(tx, row);
    return "written";
  });
}

export async function addFlag(core: Core, tx: StatementRunner, row: HeldRow, flag: number): Promise<void> {
  if (row.flags & flag) return;
  await tx.run(ADD_FLAG, [row.id, flag]);
  // Too early if the transaction fails, and then harmless: it costs a look into an empty table.
  const held = core.leases.get(row.id);
  if (held) held.flags |= flag;
}
