import { STANDINGS, type Standing } from "../../../job/job.ts";
import { COMPLETED, HAS_LOGS, HAS_STEPS } from "../../codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { entriesOf, HAS_STREAMS, PARTS_A_PAGE, type PartRow } from "../../streams/codes.ts";
import type { Step } from "../../verbs/attempts.ts";
import type { Pulse, StreamInfo, StreamPage } from "../../verbs/streams.ts";
import { HAS_SIGNALS, HAS_WAITS } from "../../waits/codes.ts";
import type { ReadView } from "../core.ts";

const STANDING = `SELECT standing, (SELECT last FROM stream WHERE job = job.id AND name = ?2) AS last
  FROM job WHERE id = ?1`;
const SAVED_STEPS =
  "SELECT stage, name, saved_at AS savedAt FROM step WHERE job = ? AND saved_at >= ? ORDER BY saved_at, name";
const STREAMS = "SELECT name, last, bytes, created_at AS createdAt FROM stream WHERE job = ? ORDER BY name";
const PARTS = `SELECT number, count, data FROM stream_part WHERE job = ? AND name = ? AND number > ?
  ORDER BY number LIMIT ${PARTS_A_PAGE}`;
const PULSE = "SELECT id, standing, stage, token, flags, updated_at, progress FROM job WHERE id = ?";
const LAST_LOG = "SELECT max(id) AS mark FROM log WHERE job = ?";
const STEPS = "SELECT count(*) AS mark FROM step WHERE job = ?";
const SIGNALS = "SELECT count(*) || '/' || sum(state) AS mark FROM signal WHERE job = ?";
const WAITS = "SELECT count(*) || '/' || sum(state) AS mark FROM wait WHERE job = ?";
const LAST_CHUNKS = "SELECT sum(last) AS mark FROM stream WHERE job = ?";

export function streams(view: ReadView, jobId: string): StreamInfo[] {
  const rows = view.statement(STREAMS).all(view.ids.decode(jobId) ?? -1) as unknown as StreamInfo[];
  return rows.map(({ name, last, bytes, createdAt }) => ({ name, last, bytes, createdAt }));
}

/** The standing is read first: if the job has ended by then, the parts that are read after it are all there are. */
export function readStream(view: ReadView, jobId: string, name: string, after: number): StreamPage | undefined {
  const key = view.ids.decode(jobId) ?? -1;
  const job = view.statement(STANDING).get(key, name) as { standing: number; last: number | null } | undefined;
  if (!job) return undefined;
  const rows = view.statement(PARTS).all(key, name, after) as unknown as PartRow[];
  return {
    entries: entriesOf(rows, after),
    standing: STANDINGS[job.standing] as Standing,
    last: job.last ?? 0,
    isEnd: job.standing >= COMPLETED && rows.length < PARTS_A_PAGE,
  };
}

export function savedSteps(view: ReadView, jobId: string, since: number): Omit<Step, "value">[] {
  const rows = view.statement(SAVED_STEPS).all(view.ids.decode(jobId) ?? -1, since) as {
    stage: number;
    name: string;
    savedAt: number;
  }[];
  return rows.map(({ stage, name, savedAt }) => ({ stage: view.names.stage(stage).name, name, savedAt }));
}

export function pulses(view: ReadView, jobIds: string[]): Pulse[] {
  return jobIds.flatMap((jobId) => {
    const row = view.statement(PULSE).get(view.ids.decode(jobId) ?? -1) as JobRow | undefined;
    if (!row) return [];
    const mark = (flag: number, sql: string) =>
      row.flags & flag ? (view.statement(sql).get(row.id) as { mark: unknown }).mark : 0;
    const { standing, stage, token, updated_at, progress } = row;
    return [
      {
        jobId,
        job: [standing, stage, token, updated_at, progress].join(" "),
        logs: String(mark(HAS_LOGS, LAST_LOG)),
        steps: String(mark(HAS_STEPS, STEPS)),
        signals: String(mark(HAS_SIGNALS, SIGNALS)),
        rest: `${mark(HAS_WAITS, WAITS)} ${mark(HAS_STREAMS, LAST_CHUNKS)}`,
      },
    ];
  });
}
