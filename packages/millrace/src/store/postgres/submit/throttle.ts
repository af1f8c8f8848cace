// Which job stands for all submissions of a throttle key until a moment, even if it has ended by then.

import { numbers, texts } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { KeyName } from "../followers/follower.ts";
import type { Entry } from "./insert.ts";

const FIND = `SELECT throttle.kind, throttle.tenant, throttle.key, throttle.job
  FROM unnest($1::int[], $2::int[], $3::text[]) AS asked (kind, tenant, key)
    JOIN millrace.throttle ON throttle.kind = asked.kind AND throttle.tenant = asked.tenant AND throttle.key = asked.key
  WHERE until > $4::bigint`;
/** One parameter for each column. */
export const PUT_THROTTLES = `INSERT INTO millrace.throttle (kind, tenant, key, job, until)
  SELECT * FROM unnest($1::int[], $2::int[], $3::text[], $4::bigint[], $5::bigint[])
  ON CONFLICT (kind, tenant, key) DO UPDATE SET job = excluded.job, until = excluded.until`;

export interface ThrottleRow extends KeyName {
  job: number;
}

/** The caller holds the locks of the keys. */
export async function findThrottled(
  tx: StatementRunner,
  entries: readonly Entry[],
  now: number,
): Promise<ThrottleRow[]> {
  const throttled = entries.flatMap(({ job: { throttle }, stage, tenant }) =>
    throttle ? [{ kind: stage.kind, tenant, key: throttle.key }] : [],
  );
  if (throttled.length === 0) return [];
  return tx.run<ThrottleRow>(FIND, [
    numbers(throttled.map(({ kind }) => kind)),
    numbers(throttled.map(({ tenant }) => tenant)),
    texts(throttled.map(({ key }) => key)),
    now,
  ]);
}

/** The parameters for jobs that were stored as the first ones of their keys. */
export function throttleValues(stored: readonly (Entry & { id: number })[], now: number): string[] | undefined {
  const rows = stored.flatMap(({ job: { throttle }, stage, tenant, id }) =>
    throttle ? [{ kind: stage.kind, tenant, key: throttle.key, job: id, until: now + throttle.perMs }] : [],
  );
  if (rows.length === 0) return undefined;
  return [
    numbers(rows.map(({ kind }) => kind)),
    numbers(rows.map(({ tenant }) => tenant)),
    texts(rows.map(({ key }) => key)),
    numbers(rows.map(({ job }) => job)),
    numbers(rows.map(({ until }) => until)),
  ];
}
