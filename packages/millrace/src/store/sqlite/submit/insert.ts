import { HAS_LARGE_PAYLOAD, HAS_UNIQUE_KEY, READY, SCHEDULED } from "../../codes.ts";
import { listOf } from "../../columns/column.ts";
import { type JobColumnName, SUBMITTED_COLUMNS, submittedValue } from "../../columns/job-columns.ts";
import type { StoredJob } from "../../decide/join.ts";
import { latestAtOf } from "../../decide/pending/change.ts";
import { runAtOf } from "../../decide/submission.ts";
import { flagsOf, needsKey } from "../../keys/codes.ts";
import type { NewJob } from "../../verbs/submission.ts";
import type { Core } from "../core.ts";
import { IN_ROW_CHARS, putPayloadBody } from "../read/row.ts";
import type { StageRow } from "../register/names.ts";

export const PUT_UNIQUE = "INSERT INTO unique_key (kind, tenant, key, job) VALUES (?, ?, ?, ?)";

const PUT_UNIQUE_KEY = "INSERT INTO unique_key (kind, tenant, key, job, latest_at) VALUES (?, ?, ?, ?, ?)";

/** Jobs that differ in their payload alone share a statement: 2.0 µs a row instead of 3.2. */
const ROWS = 32;
const OPTIONS = SUBMITTED_COLUMNS.filter(({ name }) => name !== "payload");
/** What the jobs of a statement share is bound once; key and payload follow for each row. */
const SHARED = [
  ...(["stage", "tenant", "standing", "run_at", "flags", "created_at", "updated_at"] satisfies JobColumnName[]),
  ...OPTIONS.map(({ name }) => name),
];
const INSERT_ONE = insertStatement(1);
const INSERT_MANY = insertStatement(ROWS);

function insertStatement(rows: number): string {
  const shared = SHARED.map((_, i) => `?${i + 1}`).join(", ");
  const values = Array.from({ length: rows }, (_, row) => {
    const key = SHARED.length + 1 + row * 2;
    return `(${shared}, ?${key}, ?${key + 1})`;
  });
  return `INSERT INTO job (${listOf(SHARED)}, id, payload) VALUES ${values.join(", ")}`;
}

/** Inserts the jobs in the given order and returns their keys. */
export function insertJobs(core: Core, stored: readonly StoredJob[], tenant: number, now: number): number[] {
  const keys: number[] = [];
  for (let i = 0; i < stored.length; ) {
    const rows = startsRunOfAlike(stored, i) ? ROWS : 1;
    const { stage } = stored[i] as StoredJob;
    const jobs = stored.slice(i, i + rows).map(({ job }) => job);
    keys.push(...insertRows(core, jobs, { stage, tenant, now }));
    i += rows;
  }
  return keys;
}

function insertRows(
  core: Core,
  jobs: NewJob[],
  { stage, tenant, now }: { stage: StageRow; tenant: number; now: number },
): number[] {
  const keys: number[] = [];
  const [first] = jobs as [NewJob];
  const runAt = runAtOf(first, now);
  const large = isLarge(first);
  const flags = (large ? HAS_LARGE_PAYLOAD : 0) | (first.uniqueKey === undefined ? 0 : HAS_UNIQUE_KEY) | flagsOf(first);
  const isKeyed = needsKey(flags);
  const standing = runAt > now || isKeyed ? SCHEDULED : READY;
  const values: (string | number | null)[] = [stage.id, tenant, standing, runAt, flags, now, now];
  const moment = { runAt, now };
  for (const column of OPTIONS) values.push(submittedValue(column, first, moment));
  for (const job of jobs) {
    const key = core.meta.nextJobKey();
    keys.push(key);
    values.push(key, large ? null : job.payload);
    core.counts.enter(stage.id, tenant, standing);
    if (isKeyed && runAt <= now) core.places.arrive(key);
  }
  core.statement(jobs.length === 1 ? INSERT_ONE : INSERT_MANY).run(...values);
  const key = keys.at(-1) as number;
  if (large) putPayloadBody(core, key, first.payload);
  if (first.uniqueKey !== undefined) {
    core.statement(PUT_UNIQUE_KEY).run(stage.kind, tenant, first.uniqueKey, key, latestAtOf(first, now));
  }
  return keys;
}

/** True if the next jobs, as many as one statement holds, differ only in their payload. */
function startsRunOfAlike(stored: readonly StoredJob[], from: number): boolean {
  const { job: first } = stored[from] as StoredJob;
  if (first.uniqueKey !== undefined || isLarge(first) || from + ROWS > stored.length) return false;
  for (let i = from + 1; i < from + ROWS; i++) {
    const { job } = stored[i] as StoredJob;
    if (isLarge(job) || !isAlike(first, job)) return false;
  }
  return true;
}

/** Most jobs have a kind and a payload and nothing else, so that this compares one field. */
function isAlike(a: NewJob, b: NewJob): boolean {
  let fields = 0;
  for (const name in a) {
    if (name !== "payload" && a[name as keyof NewJob] !== b[name as keyof NewJob]) return false;
    fields++;
  }
  for (const _ in b) fields--;
  return fields === 0;
}

function isLarge(job: NewJob): boolean {
  return job.payload.length > IN_ROW_CHARS;
}
