// Bytes that outlive the job that made them, kept once under a key and found by links. A transaction that adds a link
// locks the row until it commits. A transaction that deletes the bytes locks the row first and looks for links then, so
// no link is added in between.

import type { Lease } from "../../../job/lease.ts";
import { HAS_SHARES } from "../../codes.ts";
import { newLink } from "../../new-link.ts";
import type { Link, LinkedArtifact, ShareAnswer, SharedArtifact } from "../../verbs/sharing.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { addFlag, whileHeld } from "../settle/belongings.ts";

// Existing bytes stay as they are, and count as read.
const ADD = `INSERT INTO millrace.shared (key, size, created_at, read_at, content_type, info, bytes) VALUES ($1, $2, $3, $3, $4, $5, $6)
  ON CONFLICT (key) DO UPDATE SET read_at = excluded.read_at RETURNING id`;
const NAME = `INSERT INTO millrace.job_share (job, key) SELECT * FROM unnest($1::bigint[], $2::text[]) ON CONFLICT DO NOTHING`;
// The sum keeps the planner from looking through all that is kept in the order of its keys.
const LOCK = "SELECT key FROM millrace.shared WHERE key = ANY($1::text[]) ORDER BY id + 0 FOR SHARE";
const FIND_LINK = `SELECT id, info, (SELECT link FROM millrace.link WHERE link.shared = shared.id AND link.tenant = $2) AS link
  FROM millrace.shared WHERE key = $1`;
const ADD_LINK = `WITH added AS (INSERT INTO millrace.link (link, tenant, shared) SELECT $1, $2, id FROM millrace.shared WHERE id = $3
  ON CONFLICT (shared, tenant) DO UPDATE SET tenant = excluded.tenant RETURNING link) SELECT link FROM added`;
const READ = `SELECT key, content_type AS "contentType", info, bytes FROM millrace.shared WHERE key = $1`;
const FOLLOW = `SELECT key, content_type AS "contentType", info, bytes, tenant, created_at AS "createdAt"
  FROM (SELECT tenant, shared FROM millrace.link WHERE link = $1 LIMIT 1) AS link, LATERAL
  (SELECT key, content_type, info, bytes, created_at FROM millrace.shared WHERE id = link.shared LIMIT 1) AS found`;
// Marks the rows in the order in which LOCK takes them.
const MARK_READ = `WITH read AS MATERIALIZED (SELECT id FROM millrace.shared WHERE key = ANY($2::text[]) ORDER BY id + 0 FOR NO KEY UPDATE)
  UPDATE millrace.shared SET read_at = ${NOW} WHERE id = ANY(ARRAY(SELECT id FROM read))`;
const TENANT = "SELECT name FROM millrace.tenant WHERE id = (SELECT tenant FROM millrace.job WHERE id = $1)";
const SUM = "SELECT coalesce(sum(size), 0)::bigint AS bytes FROM millrace.shared WHERE $1::int = 1";
const UNREAD = `SELECT id, size FROM millrace.shared WHERE read_at <= $1 AND NOT EXISTS
  (SELECT 1 FROM millrace.job_share WHERE job_share.key = shared.key) ORDER BY read_at, id LIMIT $2 FOR UPDATE SKIP LOCKED`;
const DROP = `WITH gone AS (DELETE FROM millrace.shared WHERE id = ANY($1::bigint[]) AND NOT EXISTS
    (SELECT 1 FROM millrace.job_share WHERE job_share.key = shared.key) RETURNING id),
  links AS (DELETE FROM millrace.link WHERE shared = ANY(ARRAY(SELECT id FROM gone))) SELECT count(*)::int AS count FROM gone`;

export async function share(
  core: Core,
  lease: Lease,
  { key, contentType, bytes, info }: SharedArtifact,
  { named }: { named: boolean },
): Promise<ShareAnswer> {
  let answer: ShareAnswer = "lease-lost";
  await whileHeld(core, lease, { durable: true }, async (tx, row) => {
    const [kept] = await tx.run<{ id: number }>(ADD, [key, bytes.byteLength, row.now, contentType, info, bytes]);
    answer = {};
    if (!named) return;
    await nameShares(tx, [{ job: row.id, key }]);
    await addFlag(core, tx, row, HAS_SHARES);
    const [tenant] = await tx.run<{ name: string }>(TENANT, [row.id]);
    answer = { link: await linkFor(tx, kept?.id as number, tenant?.name as string) };
  });
  return answer;
}

/** Names the shared artifacts of jobs whose results were known when they were submitted. */
export async function nameShares(tx: StatementRunner, names: { job: number; key: string }[]): Promise<void> {
  if (names.length > 0) await tx.run(NAME, [numbers(names.map(({ job }) => job)), texts(names.map(({ key }) => key))]);
}

/** Returns the keys that exist, which stay until the transaction ends. */
export async function lockShared(tx: StatementRunner, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  return new Set((await tx.run<{ key: string }>(LOCK, [texts(keys)])).map(({ key }) => key));
}

export async function linkTo(core: Core, tenant: string, key: string): Promise<Link | undefined> {
  const { write } = core.connections;
  const [found] = await write.run<{ id: number; info: string; link: string | null }>(FIND_LINK, [key, tenant]);
  if (!found) return undefined;
  return { link: found.link ?? (await linkFor(write, found.id, tenant)), info: found.info };
}

/** A tenant has one link: the first that was made. */
async function linkFor(db: StatementRunner, shared: number, tenant: string): Promise<string> {
  const link = newLink();
  const [row] = await db.run<{ link: string }>(ADD_LINK, [link, tenant, shared]);
  return row?.link ?? link;
}

export async function shared(core: Core, key: string): Promise<SharedArtifact | undefined> {
  const [row] = await core.connections.write.run<SharedArtifact>(READ, [key]);
  return row && { ...row, bytes: new Uint8Array(row.bytes) };
}

export async function linked(core: Core, link: string): Promise<LinkedArtifact | undefined> {
  const [row] = await core.connections.write.run<LinkedArtifact>(FOLLOW, [link]);
  return row && { ...row, bytes: new Uint8Array(row.bytes) };
}

export async function markRead(core: Core, keys: string[]): Promise<void> {
  if (keys.length > 0) await core.connections.write.run(MARK_READ, [core.clock.given, texts(keys)]);
}

/** Deletes bytes that no kept job refers to, those unread for the longest time first. */
export async function pruneShared(core: Core, tx: StatementRunner, now: number, limit: number): Promise<number> {
  const { sharedMaxBytes, sharedKeepMs } = core.options.limits;
  let dropped = 0;
  if (sharedKeepMs > 0) dropped += await drop(tx, now - sharedKeepMs, limit);
  if (sharedMaxBytes === 0) return dropped;
  const [sum] = await tx.run<{ bytes: number }>(SUM, [1]);
  return dropped + (await drop(tx, Number.MAX_SAFE_INTEGER, limit - dropped, (sum?.bytes ?? 0) - sharedMaxBytes));
}

async function drop(
  tx: StatementRunner,
  readUntil: number,
  limit: number,
  excess = Number.POSITIVE_INFINITY,
): Promise<number> {
  if (limit <= 0 || excess <= 0) return 0;
  const rows = await tx.run<{ id: number; size: number }>(UNREAD, [readUntil, limit]);
  const ids: number[] = [];
  let freed = 0;
  for (const { id, size } of rows) {
    if (freed >= excess) break;
    ids.push(id);
    freed += size;
  }
  if (ids.length === 0) return 0;
  const [gone] = await tx.run<{ count: number }>(DROP, [numbers(ids)]);
  return gone?.count ?? 0;
}
