import { type FittingEvent, matchHash } from "../../decide/waits.ts";
import type { Core } from "../core.ts";

const WAIT = `SELECT job, tenant, topic, match_keys AS keys, match_hash AS hash, published_since AS since FROM wait WHERE id = ?`;
/** The job has not had it: no wait of the job was answered by it. */
const CANDIDATES = `SELECT id, fields FROM event WHERE tenant = ?1 AND topic = ?2 AND at >= ?3 AND expires_at > ?4
    AND id NOT IN (SELECT source FROM wait WHERE job = ?5 AND type = 'event' AND source IS NOT NULL)
  ORDER BY id`;

/** The oldest event that the wait may take. */
export function fittingEvent(core: Core, wait: number, now: number): FittingEvent | undefined {
  const { job, tenant, topic, keys, hash, since } = core.statement(WAIT).get(wait) as {
    job: number;
    tenant: number;
    topic: string;
    keys: string;
    hash: string;
    since: number;
  };
  for (const row of core.statement(CANDIDATES).iterate(tenant, topic, since, now, job)) {
    const { id, fields } = row as { id: number; fields: string };
    if (matchHash(keys, JSON.parse(fields)) === hash) return { wait, id, fields };
  }
  return undefined;
}
