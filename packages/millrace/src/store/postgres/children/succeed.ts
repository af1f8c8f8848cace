// The successor of a job that continues as new takes its place, in the commit that ends the job. Its unique keys are moved, not
// deleted and added, so that no submission finds them free. The caller holds the lock of the job's row.

import { ENDS_BATCH, HAS_EDGES, RUNS_YET } from "../../children/codes.ts";
import { HAS_UNIQUE_KEY } from "../../codes.ts";
import { knownSignalsSince } from "../../decide/successor.ts";
import { HOLDS_KEY } from "../../keys/codes.ts";
import { HAS_SIGNALS, HAS_WAITS, QUEUED } from "../../waits/codes.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { passPlace } from "../keys/places.ts";
import type { LockedRow } from "../read/row.ts";

const LINK_OLD = "UPDATE millrace.finished SET retried_as = $2 WHERE id = $1";
const LINK_NEW = "UPDATE millrace.job SET retry_of = $1 WHERE id = $2";
const TAKE_KEYS = "UPDATE millrace.unique_key SET job = $2 WHERE job = $1";
const TAKE_SIGNALS = `UPDATE millrace.signal SET job = $2 WHERE job = $1 AND state = ${QUEUED}`;
const COPY_SIGNALS = `INSERT INTO millrace.signal (job, name, value, at, sent_by, key, state, reason)
  SELECT $2::bigint, name, value, at, sent_by, key, state, reason
  FROM millrace.signal
  WHERE job = $1 AND state <> ${QUEUED} AND key IS NOT NULL AND at > $3
  ORDER BY id`;
const TAKE_PLACES = `UPDATE millrace.edge SET job = $2 WHERE job = $1 AND state = ${RUNS_YET}`;
const TAKE_BATCH = "UPDATE millrace.batch SET callback = $2 WHERE callback = $1";
/** These edges are what `ctx.dependencies()` reads. */
const TAKE_EDGES = `UPDATE millrace.edge SET owner = $2
  WHERE wait IN (SELECT id FROM millrace.wait WHERE job = $1 AND type = 'after')
  RETURNING id`;
const TAKE_WAIT = "UPDATE millrace.wait SET job = $2 WHERE job = $1 AND type = 'after'";
const MARK = `UPDATE millrace.job SET flags = flags | ${HAS_WAITS | HAS_EDGES} WHERE id = $1`;

export async function succeed(core: Core, tx: StatementRunner, old: LockedRow, key: number): Promise<void> {
  const { id, flags, now } = old;
  await tx.run(LINK_OLD, [id, key]);
  await tx.run(LINK_NEW, [id, key]);
  await tx.run(TAKE_PLACES, [id, key]);
  if (flags & HAS_UNIQUE_KEY) await tx.run(TAKE_KEYS, [id, key]);
  if (flags & HAS_SIGNALS) {
    await tx.run(COPY_SIGNALS, [id, key, knownSignalsSince(now, core.options.limits.idempotencyMs)]);
    await tx.run(TAKE_SIGNALS, [id, key]);
  }
  if (flags & HOLDS_KEY) await passPlace(tx, id, key);
  if (flags & ENDS_BATCH) await tx.run(TAKE_BATCH, [id, key]);
  if (!(flags & HAS_EDGES) || (await tx.run(TAKE_EDGES, [id, key])).length === 0) return;
  await tx.run(TAKE_WAIT, [id, key]);
  await tx.run(MARK, [key]);
}
