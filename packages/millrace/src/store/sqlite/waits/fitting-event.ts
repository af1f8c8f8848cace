import {
  type KeptEvent,
  lookedUpUnder,
  MOST_COUNTED,
  type OpenEventWait,
  olderOf,
} from "../../decide/waits/filed-events.ts";
import { type FittingEvent, matchHash } from "../../decide/waits.ts";
import type { Core } from "../core.ts";

const WAIT = `SELECT job, tenant, topic, match_keys AS keys, match_hash AS hash, published_since AS since, details AS match
  FROM wait
  WHERE id = ?`;
/** The job has not had it: no wait of the job was answered by it. */
const OPEN_TO = `expires_at > ?3
    AND id NOT IN (SELECT source FROM wait WHERE job = ?4 AND type = 'event' AND source IS NOT NULL)`;
const FILED = `SELECT event.id, event.at, fields
  FROM event_field JOIN event ON event.id = event_field.event
  WHERE entry = ?1 AND event_field.at >= ?2 AND ${OPEN_TO}
  ORDER BY event_field.at, event_field.event`;
const UNFILED = `SELECT id, at, fields
  FROM event
  WHERE tenant = ?1 AND topic = ?5 AND filed = 0 AND at >= ?2 AND ${OPEN_TO}
  ORDER BY at, id`;
const OF_TOPIC = `SELECT id, at, fields
  FROM event
  WHERE tenant = ?1 AND topic = ?5 AND at >= ?2 AND ${OPEN_TO}
  ORDER BY at, id`;
const COUNT = `SELECT count(*) AS count FROM (SELECT 1 FROM event_field WHERE entry = ? AND at >= ? LIMIT ?)`;

/** The oldest event that the wait may take. */
export function fittingEvent(core: Core, wait: number, now: number): FittingEvent | undefined {
  const found = core.statement(WAIT).get(wait) as unknown as OpenEventWait;
  const { job, tenant, topic, since, match } = found;
  const entries = lookedUpUnder(found, match);
  const entry = entries && rarest(core, entries, since);
  const ofTopic = (statement: string) =>
    firstThatFits(found, core.statement(statement).iterate(tenant, since, now, job, topic));
  const event =
    entry === undefined
      ? ofTopic(OF_TOPIC)
      : olderOf(firstThatFits(found, core.statement(FILED).iterate(entry, since, now, job)), ofTopic(UNFILED));
  return event && { wait, id: event.id, fields: event.fields };
}

/** A wait for one order among many of a customer reads the events of the order. Undefined: the wait matches every event. */
function rarest(core: Core, entries: readonly string[], since: number): string | undefined {
  if (entries.length <= 1) return entries[0];
  const counted = entries.map((entry) => {
    const { count } = core.statement(COUNT).get(entry, since, MOST_COUNTED) as { count: number };
    return { entry, count };
  });
  return counted.sort((a, b) => a.count - b.count)[0]?.entry;
}

function firstThatFits({ keys, hash }: OpenEventWait, rows: Iterable<unknown>): KeptEvent | undefined {
  for (const row of rows) {
    const event = row as KeptEvent;
    if (matchHash(keys, JSON.parse(event.fields)) === hash) return event;
  }
  return undefined;
}
