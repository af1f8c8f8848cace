import { STANDINGS, type Standing } from "../../../job/job.ts";
import { COMPLETED, HAS_LOGS, HAS_STEPS } from "../../codes.ts";
import { entriesOf, HAS_STREAMS, PARTS_A_PAGE, type PartRow } from "../../streams/codes.ts";
import type { Step } from "../../verbs/attempts.ts";
import type { Pulse, StreamInfo, StreamPage } from "../../verbs/streams.ts";
import { HAS_SIGNALS, HAS_WAITS } from "../../waits/codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { Core } from "../core.ts";

const STANDING = `SELECT standing, (SELECT last FROM millrace.stream WHERE job = every_job.id AND name = $2) AS last
  FROM millrace.every_job
  WHERE id = $1`;
const SAVED_STEPS = `SELECT stage, name, saved_at AS "savedAt"
  FROM millrace.step
  WHERE job = $1 AND saved_at >= $2
  ORDER BY saved_at, name`;
const STREAMS = `SELECT name, last, bytes, created_at AS "createdAt" FROM millrace.stream WHERE job = $1 ORDER BY name`;
const PARTS = `SELECT number, count, data
  FROM millrace.stream_part
  WHERE job = $1 AND name = $2 AND number > $3
  ORDER BY number
  LIMIT ${PARTS_A_PAGE}`;
const mark = (flag: number, query: string) => `CASE WHEN flags & ${flag} > 0 THEN (${query})::text ELSE '0' END`;
const PULSES = `SELECT id,
    concat_ws(' ', standing, stage, token, updated_at, progress) AS job,
    ${mark(HAS_LOGS, "SELECT max(log.id) FROM millrace.log WHERE log.job = every_job.id")} AS logs,
    ${mark(HAS_STEPS, "SELECT count(*) FROM millrace.step WHERE step.job = every_job.id")} AS steps,
    ${mark(HAS_SIGNALS, "SELECT count(*) || '/' || sum(state) FROM millrace.signal WHERE signal.job = every_job.id")} AS signals,
    ${mark(HAS_WAITS, "SELECT count(*) || '/' || sum(state) FROM millrace.wait WHERE wait.job = every_job.id")} || ' ' ||
    ${mark(HAS_STREAMS, "SELECT sum(last) FROM millrace.stream WHERE stream.job = every_job.id")} AS rest
  FROM millrace.every_job
  WHERE id = ANY($1::bigint[])`;

export async function streams(core: Core, jobId: string): Promise<StreamInfo[]> {
  return core.connections.read.run<StreamInfo>(STREAMS, [core.ids.decode(jobId) ?? -1]);
}

/** The standing is read first: if the job has ended by then, the parts that are read after it are all there are. */
export async function readStream(
  core: Core,
  jobId: string,
  name: string,
  after: number,
): Promise<StreamPage | undefined> {
  const key = core.ids.decode(jobId) ?? -1;
  const { read } = core.connections;
  const [job] = await read.run<{ standing: number; last: number | null }>(STANDING, [key, name]);
  if (!job) return undefined;
  const rows = await read.run<PartRow>(PARTS, [key, name, after]);
  return {
    entries: entriesOf(rows, after),
    standing: STANDINGS[job.standing] as Standing,
    last: job.last ?? 0,
    isEnd: job.standing >= COMPLETED && rows.length < PARTS_A_PAGE,
  };
}

export async function savedSteps(core: Core, jobId: string, since: number): Promise<Omit<Step, "value">[]> {
  const key = core.ids.decode(jobId) ?? -1;
  const rows = await core.connections.read.run<{ stage: number; name: string; savedAt: number }>(SAVED_STEPS, [
    key,
    since,
  ]);
  await core.names.knowStages(rows.map(({ stage }) => stage));
  return rows.map(({ stage, name, savedAt }) => ({ stage: core.names.stage(stage).name, name, savedAt }));
}

export async function pulses(core: Core, jobIds: string[]): Promise<Pulse[]> {
  const keys = jobIds.map((jobId) => core.ids.decode(jobId) ?? -1);
  const rows = await core.connections.read.run<Omit<Pulse, "jobId"> & { id: number }>(PULSES, [numbers(keys)]);
  return rows.map(({ id, ...pulse }) => ({ jobId: core.ids.encode(id), ...pulse }));
}
