import { type FittingEvent, matchHash } from "../../decide/waits.ts";
import type { StatementRunner } from "../connection/connection.ts";

const WAIT = `SELECT job, tenant, topic, match_keys AS keys, match_hash AS hash, published_since AS since
  FROM millrace.wait
  WHERE id = $1`;
/** The job has not had it: no wait of the job was answered by it. */
const CANDIDATES = `SELECT id, fields
  FROM millrace.event
  WHERE tenant = $1 AND topic = $2 AND at >= $3 AND expires_at > $4 AND id > $6
    AND NOT EXISTS (SELECT 1 FROM millrace.wait WHERE wait.job = $5 AND type = 'event' AND source = event.id)
  ORDER BY id
  LIMIT $7`;

/** How many events are read at once: most waits take one of the first. */
const LOOK_AHEAD = 100;

/** A job that starts to wait for a topic shares this lock until its wait is stored. A publication takes it alone. */
export function topicLock(tenant: number, topic: string): string {
  return `topic ${tenant} ${topic}`;
}

/** The oldest event that the wait may take. */
export async function fittingEvent(tx: StatementRunner, wait: number, now: number): Promise<FittingEvent | undefined> {
  const [found] = await tx.run<{
    job: number;
    tenant: number;
    topic: string;
    keys: string;
    hash: string;
    since: number;
  }>(WAIT, [wait]);
  if (!found) return undefined;
  const { job, tenant, topic, keys, hash, since } = found;
  for (let after = 0; ; ) {
    const values = [tenant, topic, since, now, job, after, LOOK_AHEAD];
    const rows = await tx.run<{ id: number; fields: string }>(CANDIDATES, values);
    const event = rows.find(({ fields }) => matchHash(keys, JSON.parse(fields)) === hash);
    if (event) return { wait, ...event };
    if (rows.length < LOOK_AHEAD) return undefined;
    after = rows.at(-1)?.id as number;
  }
}
