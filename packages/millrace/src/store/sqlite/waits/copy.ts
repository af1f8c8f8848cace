import { HAS_SIGNALS, HAS_UNDOS, HAS_WAITS, IS_CONTINUED } from "../../waits/codes.ts";
import type { Core } from "../core.ts";

const SIGNALS = "SELECT id FROM signal WHERE job = ? ORDER BY id";
const COPY_SIGNAL = `INSERT INTO signal (job, name, value, at, sent_by, key, state, reason)
  SELECT ?1, name, value, at, sent_by, key, state, reason FROM signal WHERE id = ?2 RETURNING id`;
const COPY_WAITS = `INSERT INTO wait (job, stage, type, name, state, since, until, tenant, topic, match_keys, match_hash,
    published_since, details, value, answered_at, source)
  SELECT ?1, stage, type, name, state, since, until, tenant, topic, match_keys, match_hash, published_since, details, value,
    answered_at, source FROM wait WHERE job = ?2 ORDER BY id`;
const SET_SOURCE = "UPDATE wait SET source = ?3 WHERE job = ?1 AND type = 'signal' AND source = ?2";
const CONTINUE = `INSERT INTO workflow (job, first_job, ending)
  VALUES (?1, coalesce((SELECT first_job FROM workflow WHERE job = ?2), ?2), (SELECT ending FROM workflow WHERE job = ?2))`;
const COPY_UNDOS = `INSERT INTO undo (job, stage, type, name, handler)
  SELECT ?1, stage, type, name, handler FROM undo WHERE job = ?2 ORDER BY id`;

/** A revived job takes along what the old one waited for and was sent. */
export function copyWaits(core: Core, from: number, to: number, flags: number): void {
  if (flags & IS_CONTINUED) core.statement(CONTINUE).run(to, from);
  if (flags & HAS_UNDOS) core.statement(COPY_UNDOS).run(to, from);
  if (flags & HAS_WAITS) core.statement(COPY_WAITS).run(to, from);
  if (!(flags & HAS_SIGNALS)) return;
  for (const { id } of core.statement(SIGNALS).all(from) as { id: number }[]) {
    const copy = core.statement(COPY_SIGNAL).get(to, id) as { id: number };
    // Copies have higher numbers than all signals of the old job, so no number is used twice.
    if (flags & HAS_WAITS) core.statement(SET_SOURCE).run(to, id, copy.id);
  }
}
