// Events go to every job of their tenant that waits for their topic, and are kept for a while for waits that begin later.

import { refuseEvents } from "../../decide/signals.ts";
import { filedUnder } from "../../decide/waits/filed-events.ts";
import { matchHash } from "../../decide/waits.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { TenantSums } from "../../tenant-sums.ts";
import type { Publication, PublishAnswer } from "../../verbs/waits.ts";
import { OPEN } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { answerOpen, wake } from "./waits.ts";

const OF_KEY = "SELECT id FROM event WHERE tenant = ? AND topic = ? AND key = ?";
const KEPT = "SELECT count(*) AS count FROM event WHERE tenant = ?";
const ADD = `INSERT INTO event (tenant, topic, fields, at, expires_at, key, filed) VALUES (?, ?, ?, ?, ?, ?, ?)
  RETURNING id`;
const FILE = "INSERT INTO event_field (entry, at, event) VALUES (?, ?, ?)";
// One step in the index for each set: a million jobs may wait for the topic.
const FIELD_SETS = `WITH RECURSIVE field_set (keys) AS (
    SELECT min(match_keys) FROM wait WHERE tenant = ?1 AND topic = ?2 AND state = ${OPEN} AND type = 'event'
    UNION ALL
    SELECT (SELECT min(match_keys) FROM wait WHERE tenant = ?1 AND topic = ?2 AND state = ${OPEN} AND type = 'event' AND match_keys > field_set.keys)
    FROM field_set
    WHERE field_set.keys IS NOT NULL
  )
  SELECT keys FROM field_set WHERE keys IS NOT NULL`;
const WAITERS = `SELECT job FROM wait WHERE tenant = ? AND topic = ? AND match_keys = ? AND match_hash = ? AND state = ${OPEN}
  AND type = 'event'`;

export function publish(core: Core, publication: Publication): PublishAnswer {
  const { topic, fields, keepMs, key } = publication;
  const tenant = core.names.tenant(publication.tenant);
  const now = core.clock.now();
  const repeated = key === undefined ? undefined : (core.statement(OF_KEY).get(tenant, topic, key) as { id: number });
  if (repeated) return { woken: 0, repeated: true };
  checkRoom(core, tenant);
  const parsed = JSON.parse(fields) as Record<string, unknown>;
  const entries = filedUnder({ tenant, topic }, parsed);
  const values = [tenant, topic, fields, now, now + keepMs, key ?? null, entries ? 1 : 0] as const;
  const { id } = core.statement(ADD).get(...values) as { id: number };
  for (const entry of entries ?? []) core.statement(FILE).run(entry, now, id);
  let woken = 0;
  for (const { keys } of core.statement(FIELD_SETS).all(tenant, topic) as { keys: string }[]) {
    const hash = matchHash(keys, parsed);
    if (hash === undefined) continue;
    for (const { job } of core.statement(WAITERS).all(tenant, topic, keys, hash) as { job: number }[]) {
      const row = findRow(core, job) as JobRow;
      if (answerOpen(core, row, now) && wake(core, row, now)) woken++;
    }
  }
  return { woken, repeated: false };
}

function checkRoom(core: Core, tenant: number): void {
  const sums = keptEvents.get(core) ?? new TenantSums();
  keptEvents.set(core, sums);
  const now = core.clock.monotonic();
  const known = sums.known(tenant, now);
  const kept = known ?? (core.statement(KEPT).get(tenant) as { count: number }).count;
  refuseEvents(core.options.limits, kept);
  sums.learn(tenant, kept + 1, now, { isCounted: known === undefined });
}

const keptEvents = new WeakMap<Core, TenantSums>();

const OLD = "DELETE FROM event WHERE id IN (SELECT id FROM event WHERE expires_at <= ? LIMIT ?) RETURNING id";
const ENTRIES = "DELETE FROM event_field WHERE event = ?";
// An earlier release that runs beside this one deletes events without their entries.
const LEFT_ENTRIES = `DELETE FROM event_field
  WHERE event IN (SELECT event FROM event_field WHERE event < (SELECT min(id) FROM event) ORDER BY event LIMIT ?)`;

/** Waits that took an event have its fields, so nothing is lost with it. */
export function pruneEvents(core: Core, limit: number): number {
  if (limit <= 0) return 0;
  const deleted = core.statement(OLD).all(core.clock.now(), limit) as { id: number }[];
  for (const { id } of deleted) core.statement(ENTRIES).run(id);
  core.statement(LEFT_ENTRIES).run(limit);
  return deleted.length;
}
