import { HAS_SIGNALS, HAS_UNDOS, HAS_WAITS, IS_CONTINUED } from "../../waits/codes.ts";
import type { StatementRunner } from "../connection/connection.ts";

const SIGNALS = "SELECT id FROM millrace.signal WHERE job = $1 ORDER BY id";
const COPY_SIGNAL = `INSERT INTO millrace.signal (job, name, value, at, sent_by, key, state, reason)
  SELECT $1, name, value, at, sent_by, key, state, reason FROM millrace.signal WHERE id = $2
  RETURNING id`;
const COPY_WAITS = `INSERT INTO millrace.wait (job, stage, type, name, state, since, until, tenant, topic, match_keys, match_hash,
    published_since, details, value, answered_at, source)
  SELECT $1, stage, type, name, state, since, until, tenant, topic, match_keys, match_hash, published_since, details, value,
    answered_at, source
  FROM millrace.wait
  WHERE job = $2
  ORDER BY id`;
const SET_SOURCE = "UPDATE millrace.wait SET source = $3 WHERE job = $1 AND type = 'signal' AND source = $2";
const CONTINUE = `INSERT INTO millrace.workflow (job, first_job, ending)
  VALUES (
    $1::bigint,
    coalesce((SELECT first_job FROM millrace.workflow WHERE job = $2::bigint), $2::bigint),
    (SELECT ending FROM millrace.workflow WHERE job = $2::bigint)
  )`;
const COPY_UNDOS = `INSERT INTO millrace.undo (job, stage, type, name, handler)
  SELECT $1, stage, type, name, handler
  FROM millrace.undo
  WHERE job = $2
  ORDER BY id`;

/** A revived job takes along what the old one waited for and was sent. */
export async function copyWaits(tx: StatementRunner, from: number, to: number, flags: number): Promise<void> {
  if (flags & IS_CONTINUED) await tx.run(CONTINUE, [to, from]);
  if (flags & HAS_UNDOS) await tx.run(COPY_UNDOS, [to, from]);
  if (flags & HAS_WAITS) await tx.run(COPY_WAITS, [to, from]);
  if (!(flags & HAS_SIGNALS)) return;
  for (const { id } of await tx.run<{ id: number }>(SIGNALS, [from])) {
    const [copy] = await tx.run<{ id: number }>(COPY_SIGNAL, [to, id]);
    // Copies have higher numbers than all signals of the old job, so no number is used twice.
    if (flags & HAS_WAITS) await tx.run(SET_SOURCE, [to, id, copy?.id as number]);
  }
}
