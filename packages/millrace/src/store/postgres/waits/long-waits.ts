import {
  type AnsweredWait,
  longWaits as decide,
  LATEST_WAITS,
  OLDEST_WAITS,
  type OldWait,
} from "../../decide/long-waits.ts";
import type { LongWait, LongWaitFilter } from "../../verbs/waits.ts";
import { ANSWERED, OPEN } from "../../waits/codes.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";

// A sleep ends by itself. The latest rows are read by their key, so the look costs the same however many waits are stored.
const ANSWERS = `SELECT stage, type, name, since, answered_at AS "answeredAt"
  FROM (SELECT * FROM millrace.wait ORDER BY id DESC LIMIT ${LATEST_WAITS}) AS latest
  WHERE state = ${ANSWERED} AND type NOT IN ('sleep', 'race')
    AND ($1::text IS NULL OR tenant = (SELECT id FROM millrace.tenant WHERE name = $1))`;
const OLDEST = `SELECT job, stage, type, name, since, ${NOW} AS now
  FROM millrace.wait
  WHERE state = ${OPEN} AND type <> 'sleep'
    AND ($2::text IS NULL OR tenant = (SELECT id FROM millrace.tenant WHERE name = $2))
  ORDER BY since
  LIMIT ${OLDEST_WAITS}`;

export async function longWaits(core: Core, { tenant }: LongWaitFilter): Promise<LongWait[]> {
  const { read } = core.connections;
  const open = await read.run<OldWait & { now: number }>(OLDEST, [core.clock.given, tenant ?? null]);
  const [first] = open;
  if (!first) return [];
  const answered = await read.run<AnsweredWait>(ANSWERS, [tenant ?? null]);
  await core.names.knowStages([...open, ...answered].map(({ stage }) => stage));
  const groups = decide({ answered, open, now: first.now, stageOf: (stage) => core.names.stage(stage) });
  return groups.map(({ job, ...group }) => ({ ...group, jobId: core.ids.encode(job) }));
}
