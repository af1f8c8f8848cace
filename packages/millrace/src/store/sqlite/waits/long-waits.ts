import {
  type AnsweredWait,
  longWaits as decide,
  LATEST_WAITS,
  OLDEST_WAITS,
  type OldWait,
} from "../../decide/long-waits.ts";
import type { LongWait, LongWaitFilter } from "../../verbs/waits.ts";
import { ANSWERED, OPEN } from "../../waits/codes.ts";
import type { ReadView } from "../core.ts";

// A sleep ends by itself. The latest rows are read by their key, so the look costs the same however many waits are stored.
const ANSWERS = `SELECT stage, type, name, since, answered_at AS answeredAt
  FROM (SELECT * FROM wait ORDER BY id DESC LIMIT ${LATEST_WAITS})
  WHERE state = ${ANSWERED} AND type NOT IN ('sleep', 'race') AND (?1 IS NULL OR tenant = ?1)`;
const OLDEST = `SELECT job, stage, type, name, since
  FROM wait
  WHERE state = ${OPEN} AND type <> 'sleep' AND (?1 IS NULL OR tenant = ?1)
  ORDER BY since
  LIMIT ${OLDEST_WAITS}`;

export function longWaits(view: ReadView, { tenant }: LongWaitFilter): LongWait[] {
  const number = tenant === undefined ? null : (view.names.findTenant(tenant) ?? -1);
  const groups = decide({
    answered: view.statement(ANSWERS).all(number) as unknown as AnsweredWait[],
    open: view.statement(OLDEST).all(number) as unknown as OldWait[],
    now: view.clock.now(),
    stageOf: (stage) => view.names.stage(stage),
  });
  return groups.map(({ job, ...group }) => ({ ...group, jobId: view.ids.encode(job) }));
}
