import {
  type KeptEvent,
  lookedUpUnder,
  MOST_COUNTED,
  type OpenEventWait,
  olderOf,
} from "../../decide/waits/filed-events.ts";
import { type FittingEvent, matchHash, matchKeys } from "../../decide/waits.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";

const WAIT = statement<{
  wait: number;
}>(`SELECT job, tenant, topic, match_keys AS keys, match_hash AS hash, published_since AS since, details AS match
  FROM millrace.wait
  WHERE id = :wait`);
/** The job has not had it: no wait of the job was answered by it. */
const OPEN_TO = `expires_at > :now
    AND NOT EXISTS (SELECT 1 FROM millrace.wait WHERE wait.job = :job AND type = 'event' AND source = event.id)`;
const FILED = statement<SearchParameters & { entry: string }>(`SELECT event.id, event.at, fields
  FROM millrace.event_field JOIN millrace.event ON event.id = event_field.event
  WHERE entry = :entry AND (event_field.at, event_field.event) > (:at::bigint, :after::bigint) AND ${OPEN_TO}
  ORDER BY event_field.at, event_field.event
  LIMIT :most`);
const UNFILED = statement<TopicSearch>(`SELECT id, at, fields
  FROM millrace.event
  WHERE tenant = :tenant AND topic = :topic AND NOT filed AND (at, id) > (:at::bigint, :after::bigint) AND ${OPEN_TO}
  ORDER BY at, id
  LIMIT :most`);
const OF_TOPIC = statement<TopicSearch>(`SELECT id, at, fields
  FROM millrace.event
  WHERE tenant = :tenant AND topic = :topic AND (at, id) > (:at::bigint, :after::bigint) AND ${OPEN_TO}
  ORDER BY at, id
  LIMIT :most`);
const COUNT = statement<{ entry: string; since: number; most: number }>(`SELECT count(*)::int AS count
  FROM (SELECT 1 FROM millrace.event_field WHERE entry = :entry AND at >= :since LIMIT :most) AS counted`);

/** How many events are read at once: most waits take one of the first. */
const LOOK_AHEAD = 100;
const NO_KEYS = matchKeys({});

interface SearchParameters {
  now: number;
  job: number;
  /** The event before the first one that is wanted. */
  at: number;
  after: number;
  most: number;
}

type TopicSearch = SearchParameters & Pick<OpenEventWait, "tenant" | "topic">;

/** A job that starts to wait for a topic shares this lock until its wait is stored. A publication takes it alone. */
export function topicLock(tenant: number, topic: string): string {
  return `topic ${tenant} ${topic}`;
}

/** The oldest event that the wait may take. */
export async function fittingEvent(tx: StatementRunner, wait: number, now: number): Promise<FittingEvent | undefined> {
  const [found] = await tx.run<OpenEventWait>(...WAIT({ wait }));
  if (!found) return undefined;
  const { job, tenant, topic } = found;
  const entries = lookedUpUnder(found, found.match);
  const entry = entries && (await rarest(tx, entries, found.since));
  const read = (page: Page) => ({ now, job, tenant, topic, ...page });
  const event =
    entry === undefined
      ? await firstThatFits(found, (page) => tx.run(...OF_TOPIC(read(page))))
      : olderOf(
          ...(await Promise.all([
            firstThatFits(found, (page) => tx.run(...FILED({ now, job, entry, ...page }))),
            firstThatFits(found, (page) => tx.run(...UNFILED(read(page)))),
          ])),
        );
  return event && { wait, id: event.id, fields: event.fields };
}

/** A wait for one order among many of a customer reads the events of the order. Undefined: the wait matches every event. */
async function rarest(tx: StatementRunner, entries: readonly string[], since: number): Promise<string | undefined> {
  if (entries.length <= 1) return entries[0];
  const counted = await Promise.all(
    entries.map(async (entry) => {
      const [row] = await tx.run<{ count: number }>(...COUNT({ entry, since, most: MOST_COUNTED }));
      return { entry, count: row?.count ?? 0 };
    }),
  );
  return counted.sort((a, b) => a.count - b.count)[0]?.entry;
}

type Page = Pick<SearchParameters, "at" | "after" | "most">;

async function firstThatFits(
  { keys, hash, since }: OpenEventWait,
  read: (page: Page) => Promise<KeptEvent[]>,
): Promise<KeptEvent | undefined> {
  // Without a match the first one fits.
  const most = keys === NO_KEYS ? 1 : LOOK_AHEAD;
  for (let page: Page = { at: since, after: -1, most }; ; ) {
    const rows = await read(page);
    const event = rows.find(({ fields }) => matchHash(keys, JSON.parse(fields)) === hash);
    const last = rows.at(-1);
    if (event || !last || rows.length < most) return event;
    page = { ...page, at: last.at, after: last.id };
  }
}
