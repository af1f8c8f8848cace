// Bytes that outlive the job that made them, kept once under a key and found by links.

import type { Lease } from "../../../job/lease.ts";
import { HAS_SHARES } from "../../codes.ts";
import { newLink } from "../../new-link.ts";
import type { Link, LinkedArtifact, ShareAnswer, SharedArtifact } from "../../verbs/sharing.ts";
import type { Core, ReadView } from "../core.ts";
import { addFlag, heldRow } from "../settle/belongings.ts";

const FIND = "SELECT id, info FROM artifacts.shared WHERE key = ?";
const ADD = `INSERT INTO artifacts.shared (key, size, created_at, read_at, content_type, info, bytes)
  VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6) RETURNING id`;
const READ = "SELECT key, content_type AS contentType, info, bytes FROM artifacts.shared WHERE key = ?";
const MARK_READ = "UPDATE artifacts.shared SET read_at = ? WHERE key = ?";
const NAME = "INSERT OR IGNORE INTO job_share (job, key) VALUES (?, ?)";
const FIND_LINK = "SELECT link FROM artifacts.link WHERE shared = ? AND tenant = ?";
const ADD_LINK = "INSERT INTO artifacts.link (link, tenant, shared) VALUES (?, ?, ?)";
const FOLLOW = `SELECT key, content_type AS contentType, info, bytes, tenant, created_at AS createdAt
  FROM artifacts.link JOIN artifacts.shared ON shared.id = link.shared WHERE link = ?`;
const GROW = "UPDATE artifacts.shared_sum SET bytes = bytes + ?";
const SUM = "SELECT bytes FROM artifacts.shared_sum";
const UNREAD = `SELECT id, size FROM artifacts.shared WHERE read_at <= ? AND NOT EXISTS
  (SELECT 1 FROM job_share WHERE job_share.key = shared.key) ORDER BY read_at, id LIMIT ?`;
const DROP_LINKS = "DELETE FROM artifacts.link WHERE shared = ?";
const DROP = "DELETE FROM artifacts.shared WHERE id = ?";

export function share(
  core: Core,
  lease: Lease,
  { key, contentType, bytes, info }: SharedArtifact,
  { named }: { named: boolean },
): ShareAnswer {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  const now = core.clock.now();
  const kept = core.statement(FIND).get(key) as { id: number } | undefined;
  let id: number;
  if (kept) {
    id = kept.id;
    core.statement(MARK_READ).run(now, key);
  } else {
    ({ id } = core.statement(ADD).get(key, bytes.byteLength, now, contentType, info, bytes) as { id: number });
    core.statement(GROW).run(bytes.byteLength);
  }
  if (!named) return {};
  core.statement(NAME).run(row.id, key);
  addFlag(core, row, HAS_SHARES);
  return { link: linkFor(core, id, core.names.tenantName(row.tenant)) };
}

/** Names the shared artifact of a job whose result was known when it was submitted. */
export function nameShare(core: Core, job: number, key: string): void {
  core.statement(NAME).run(job, key);
}

export function isShared(core: ReadView, key: string): boolean {
  return core.statement(FIND).get(key) !== undefined;
}

export function linkTo(core: Core, tenant: string, key: string): Link | undefined {
  const kept = core.statement(FIND).get(key) as { id: number; info: string } | undefined;
  return kept && { link: linkFor(core, kept.id, tenant), info: kept.info };
}

/** The answer if the link exists already. Most links are asked for again and again. */
export function idleLinkTo(core: Core, tenant: string, key: string): { answer: Link | undefined } | undefined {
  const kept = core.statement(FIND).get(key) as { id: number; info: string } | undefined;
  if (!kept) return { answer: undefined };
  const found = core.statement(FIND_LINK).get(kept.id, tenant) as { link: string } | undefined;
  return found && { answer: { link: found.link, info: kept.info } };
}

function linkFor(core: Core, shared: number, tenant: string): string {
  const found = core.statement(FIND_LINK).get(shared, tenant) as { link: string } | undefined;
  if (found) return found.link;
  const link = newLink();
  core.statement(ADD_LINK).run(link, tenant, shared);
  return link;
}

export function shared(core: ReadView, key: string): SharedArtifact | undefined {
  const row = core.statement(READ).get(key) as unknown as SharedArtifact | undefined;
  return row && { ...row };
}

export function linked(core: ReadView, link: string): LinkedArtifact | undefined {
  const row = core.statement(FOLLOW).get(link) as unknown as LinkedArtifact | undefined;
  return row && { ...row };
}

export function markRead(core: Core, keys: string[]): void {
  const now = core.clock.now();
  for (const key of keys) core.statement(MARK_READ).run(now, key);
}

/** Deletes bytes that no kept job refers to, those unread for the longest time first. */
export function pruneShared(core: Core, limit: number): number {
  const { sharedMaxBytes, sharedKeepMs } = core.options.limits;
  let dropped = 0;
  if (sharedKeepMs > 0) dropped += drop(core, core.clock.now() - sharedKeepMs, limit);
  if (sharedMaxBytes === 0) return dropped;
  const { bytes } = core.statement(SUM).get() as { bytes: number };
  return dropped + drop(core, Number.MAX_SAFE_INTEGER, limit - dropped, bytes - sharedMaxBytes);
}

function drop(core: Core, readUntil: number, limit: number, excess = Number.POSITIVE_INFINITY): number {
  if (limit <= 0 || excess <= 0) return 0;
  const rows = core.statement(UNREAD).all(readUntil, limit) as { id: number; size: number }[];
  let freed = 0;
  let count = 0;
  for (const { id, size } of rows) {
    if (freed >= excess) break;
    core.statement(DROP_LINKS).run(id);
    core.statement(DROP).run(id);
    freed += size;
    count++;
  }
  if (freed > 0) core.statement(GROW).run(-freed);
  return count;
}
