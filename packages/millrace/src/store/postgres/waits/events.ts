// Events go to every job of their tenant that waits for their topic. A publication takes a lock on the topic until it commits, and
// a suspension shares it. So whichever commits last sees the other. The jobs are woken after the commit of the event; if the
// process dies in between, another one finishes the work.

import { refuseEvents } from "../../decide/signals.ts";
import { filedUnder } from "../../decide/waits/filed-events.ts";
import { matchHash } from "../../decide/waits.ts";
import { TenantSums } from "../../tenant-sums.ts";
import type { Publication, PublishAnswer } from "../../verbs/waits.ts";
import { OPEN } from "../../waits/codes.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { onePerCore } from "../thread/group.ts";
import { topicLock } from "./fitting-event.ts";
import { answerAndWake } from "./waits.ts";

const KEPT = "SELECT count(*)::int AS count FROM millrace.event WHERE tenant = $1";
const ADD = `WITH added AS (
    INSERT INTO millrace.event (tenant, topic, fields, at, expires_at, key, filed)
    VALUES ($2, $3, $4, ${NOW}, ${NOW} + $5::bigint, $6, $7::text[] IS NOT NULL)
    ON CONFLICT (tenant, topic, key) WHERE key IS NOT NULL DO NOTHING
    RETURNING id, at
  ),
  entries AS (
    INSERT INTO millrace.event_field (entry, at, event)
    SELECT entry, added.at, added.id
    FROM added, unnest($7::text[]) AS entry
  )
  SELECT id FROM added`;
// One step in the index for each set: a million jobs may wait for the topic.
const FIELD_SETS = `WITH RECURSIVE field_set (keys) AS (
    SELECT min(match_keys) FROM millrace.wait WHERE tenant = $1 AND topic = $2 AND state = ${OPEN} AND type = 'event'
    UNION ALL
    SELECT (SELECT min(match_keys) FROM millrace.wait WHERE tenant = $1 AND topic = $2 AND state = ${OPEN} AND type = 'event' AND match_keys > field_set.keys)
    FROM field_set
    WHERE field_set.keys IS NOT NULL
  )
  SELECT keys FROM field_set WHERE keys IS NOT NULL`;
const WAITERS = `SELECT job
  FROM millrace.wait
  WHERE tenant = $1 AND topic = $2 AND match_keys = $3 AND match_hash = $4 AND state = ${OPEN} AND type = 'event' AND job > $5
  ORDER BY job
  LIMIT $6`;
const LOCK_JOBS = `SELECT *, ${NOW} AS now
  FROM millrace.job
  WHERE id = ANY($2::bigint[])
  ORDER BY id
  FOR UPDATE`;
const UNSPREAD = `SELECT id, tenant, topic, fields
  FROM millrace.event
  WHERE NOT spread AND at <= ${NOW} - $2::bigint
  ORDER BY id
  LIMIT 100`;
const IS_SPREAD = "UPDATE millrace.event SET spread = true WHERE id = $1";
const OLD = `WITH deleted AS (
    DELETE FROM millrace.event
    WHERE id IN (SELECT id FROM millrace.event WHERE expires_at <= ${NOW} ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id
  ),
  entries AS (DELETE FROM millrace.event_field WHERE event IN (SELECT id FROM deleted))
  SELECT id FROM deleted`;
// An earlier release that runs beside this one deletes events without their entries.
const LEFT_ENTRIES = `DELETE FROM millrace.event_field
  WHERE event IN (
    SELECT event FROM millrace.event_field WHERE event < (SELECT min(id) FROM millrace.event) ORDER BY event LIMIT $1
  )`;

const BATCH = 200;
/** After this time its publisher has woken all jobs, or has died. */
const LEFT_BEHIND_MS = 2_000;

export async function publish(core: Core, publication: Publication): Promise<PublishAnswer> {
  const { topic, fields, keepMs, key } = publication;
  const tenant = (await core.names.tenants([publication.tenant])).get(publication.tenant) as number;
  const parsed = JSON.parse(fields) as Record<string, unknown>;
  const entries = filedUnder({ tenant, topic }, parsed);
  const added = await core.connections.write.transact(async (tx) => {
    await lock(tx, core.connections.target.schema, [topicLock(tenant, topic)]);
    const values = [core.clock.given, tenant, topic, fields, keepMs, key ?? null, entries ? texts(entries) : null];
    const [row] = await tx.run<{ id: number }>(ADD, values);
    // A repeated publication adds nothing, so it is answered without a look at the room.
    if (row) await checkRoom(core, tx, tenant);
    return row?.id;
  });
  if (added === undefined) return { woken: 0, repeated: true };
  return { woken: await spread(core, { id: added, tenant, topic, fields }), repeated: false };
}

const keptEventsOf = onePerCore(() => new TenantSums());

/** Counts the new event too, which its transaction has written. */
async function checkRoom(core: Core, tx: StatementRunner, tenant: number): Promise<void> {
  const sums = keptEventsOf(core);
  const now = core.clock.monotonic();
  const known = sums.known(tenant, now);
  const before = known ?? ((await tx.run<{ count: number }>(KEPT, [tenant]))[0]?.count ?? 1) - 1;
  refuseEvents(core.options.limits, before);
  sums.learn(tenant, before + 1, now, { isCounted: known === undefined });
}

/** Events whose publisher died before it had woken every job. */
export async function spreadLeftovers(core: Core): Promise<void> {
  for (const event of await core.connections.write.run<StoredEvent>(UNSPREAD, [core.clock.given, LEFT_BEHIND_MS])) {
    await spread(core, event);
  }
}

interface StoredEvent {
  id: number;
  tenant: number;
  topic: string;
  fields: string;
}

/** Wakes every job that waits for the event. Doing it twice does no harm: an answered wait is not open. */
async function spread(core: Core, { id, tenant, topic, fields }: StoredEvent): Promise<number> {
  let woken = 0;
  const parsed = JSON.parse(fields) as Record<string, unknown>;
  for (const { keys } of await core.connections.write.run<{ keys: string }>(FIELD_SETS, [tenant, topic])) {
    const hash = matchHash(keys, parsed);
    if (hash === undefined) continue;
    for (let after = 0; ; ) {
      const values = [tenant, topic, keys, hash, after, BATCH];
      const jobs = (await core.connections.write.run<{ job: number }>(WAITERS, values)).map(({ job }) => job);
      woken += await wakeAnswered(core, jobs);
      if (jobs.length < BATCH) break;
      after = jobs.at(-1) as number;
    }
  }
  await core.connections.write.run(IS_SPREAD, [id]);
  return woken;
}

/** Answers the waits of these jobs that can be answered, and wakes the jobs. Returns how many were woken. */
async function wakeAnswered(core: Core, jobs: readonly number[]): Promise<number> {
  if (jobs.length === 0) return 0;
  const woken = await core.connections.write.transact(async (tx) => {
    let count = 0;
    for (const row of await tx.run<LockedRow>(LOCK_JOBS, [core.clock.given, numbers(jobs)])) {
      if (await answerAndWake(tx, row)) count++;
    }
    return count;
  });
  if (woken > 0) core.voice.say("work");
  return woken;
}

/** Waits that took an event have its fields, so nothing is lost with it. */
export async function pruneEvents(core: Core, tx: StatementRunner, limit: number): Promise<number> {
  if (limit <= 0) return 0;
  const [deleted] = await Promise.all([tx.run(OLD, [core.clock.given, limit]), tx.run(LEFT_ENTRIES, [limit])]);
  return deleted.length;
}
