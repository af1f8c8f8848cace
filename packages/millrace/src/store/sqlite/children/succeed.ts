// The successor of a job that continues as new takes its place, in the commit that ends the job.

import { ENDS_BATCH, HAS_EDGES, RUNS_YET } from "../../children/codes.ts";
import { HAS_UNIQUE_KEY } from "../../codes.ts";
import { knownSignalsSince } from "../../decide/successor.ts";
import { HOLDS_KEY } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { HAS_SIGNALS, HAS_WAITS, QUEUED } from "../../waits/codes.ts";
import type { Core } from "../core.ts";

const LINK_OLD = "UPDATE job SET retried_as = ?2 WHERE id = ?1";
const LINK_NEW = "UPDATE job SET retry_of = ?1 WHERE id = ?2";
const TAKE_KEYS = "UPDATE unique_key SET job = ?2 WHERE job = ?1";
const TAKE_SIGNALS = `UPDATE signal SET job = ?2 WHERE job = ?1 AND state = ${QUEUED}`;
const COPY_SIGNALS = `INSERT INTO signal (job, name, value, at, sent_by, key, state, reason)
  SELECT ?2, name, value, at, sent_by, key, state, reason FROM signal
  WHERE job = ?1 AND state <> ${QUEUED} AND key IS NOT NULL AND at > ?3 ORDER BY id`;
const TAKE_PLACES = `UPDATE edge SET job = ?2 WHERE job = ?1 AND state = ${RUNS_YET}`;
const TAKE_BATCH = "UPDATE batch SET callback = ?2 WHERE callback = ?1";
/** These edges are what `ctx.dependencies()` reads. */
const TAKE_EDGES = `UPDATE edge SET owner = ?2 WHERE wait IN (SELECT id FROM wait WHERE job = ?1 AND type = 'after')`;
const TAKE_WAIT = "UPDATE wait SET job = ?2 WHERE job = ?1 AND type = 'after'";
const MARK = `UPDATE job SET flags = flags | ${HAS_WAITS | HAS_EDGES} WHERE id = ?`;

export function succeed(core: Core, old: JobRow, key: number, now: number): void {
  const { id, flags } = old;
  core.statement(LINK_OLD).run(id, key);
  core.statement(LINK_NEW).run(id, key);
  core.statement(TAKE_PLACES).run(id, key);
  if (flags & HAS_UNIQUE_KEY) core.statement(TAKE_KEYS).run(id, key);
  if (flags & HAS_SIGNALS) {
    // Copied signals come first, because they are older than those that are unread.
    core.statement(COPY_SIGNALS).run(id, key, knownSignalsSince(now, core.options.limits.idempotencyMs));
    core.statement(TAKE_SIGNALS).run(id, key);
  }
  if (flags & HOLDS_KEY) core.places.pass(id, key);
  if (flags & ENDS_BATCH) core.statement(TAKE_BATCH).run(id, key);
  if (flags & HAS_EDGES && Number(core.statement(TAKE_EDGES).run(id, key).changes) > 0) {
    core.statement(TAKE_WAIT).run(id, key);
    core.statement(MARK).run(key);
  }
  core.wakePools();
}
