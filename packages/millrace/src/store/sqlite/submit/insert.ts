import { packTrace } from "../../../lib/trace-parent.ts";
import { HAS_LARGE_PAYLOAD, HAS_UNIQUE_KEY, READY, SCHEDULED } from "../../codes.ts";
import type { NewJob } from "../../store.ts";
import type { Core } from "../core.ts";
import { IN_ROW_CHARS, putPayloadBody } from "../read/row.ts";
import type { StageRow } from "../register/names.ts";

export const PUT_UNIQUE = "INSERT INTO unique_key (kind, tenant, key, job) VALUES (?, ?, ?, ?)";

/** Jobs that differ in their payload alone share a statement: 2.0 µs a row instead of 3.2. */
const ROWS = 32;
const INSERT_ONE = insertStatement(1);
const INSERT_MANY = insertStatement(ROWS);

/** What the jobs of a statement share is bound once, as ?1 to ?12; key and payload follow for each row. */
function insertStatement(rows: number): string {
  const values = Array.from({ length: rows }, (_, row) => {
    const key = 13 + row * 2;
    return `(?${key}, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?11, ?12, ?${key + 1})`;
  });
  return `INSERT INTO job (id, stage, tenant, standing, priority, run_at, flags, created_at, updated_at, max_attempts,
    timeout_ms, expires_at, tags, trace, payload) VALUES ${values.join(", ")}`;
}

/** In the order given; their keys. */
export function insertJobs(core: Core, jobs: NewJob[], stages: StageRow[], tenant: number, now: number): number[] {
  const keys: number[] = [];
  for (let i = 0; i < jobs.length; ) {
    const alike = runOfAlike(jobs, i);
    const rows = alike >= ROWS ? ROWS : 1;
    keys.push(...insertRows(core, jobs.slice(i, i + rows), { stage: stages[i] as StageRow, tenant, now }));
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
  const standing = runAt > now ? SCHEDULED : READY;
  const large = isLarge(first);
  const values: (string | number | null)[] = [
    stage.id,
    tenant,
    standing,
    first.priority ?? 0,
    runAt,
    (large ? HAS_LARGE_PAYLOAD : 0) | (first.uniqueKey === undefined ? 0 : HAS_UNIQUE_KEY),
    now,
    first.maxAttempts ?? null,
    first.timeoutMs ?? null,
    first.expiresInMs === undefined ? null : runAt + first.expiresInMs,
    first.tags?.length ? JSON.stringify(first.tags) : null,
    packTrace(first),
  ];
  for (const job of jobs) {
    const key = core.meta.nextJobKey();
    keys.push(key);
    values.push(key, large ? null : job.payload);
    core.counts.enter(stage.id, tenant, standing);
  }
  core.statement(jobs.length === 1 ? INSERT_ONE : INSERT_MANY).run(...values);
  const key = keys.at(-1) as number;
  if (large) putPayloadBody(core, key, first.payload);
  if (first.uniqueKey !== undefined) core.statement(PUT_UNIQUE).run(stage.kind, tenant, first.uniqueKey, key);
  return keys;
}

/** How many jobs from here on, up to what a statement holds, differ in their payload alone. */
function runOfAlike(jobs: NewJob[], from: number): number {
  const first = jobs[from] as NewJob;
  if (first.uniqueKey !== undefined || isLarge(first) || from + ROWS > jobs.length) return 1;
  let length = 1;
  while (length < ROWS && isAlike(first, jobs[from + length] as NewJob)) length++;
  return length;
}

function isAlike(a: NewJob, b: NewJob): boolean {
  return (
    a.kind === b.kind &&
    a.priority === b.priority &&
    a.runAt === b.runAt &&
    a.delayMs === b.delayMs &&
    a.maxAttempts === b.maxAttempts &&
    a.timeoutMs === b.timeoutMs &&
    a.expiresInMs === b.expiresInMs &&
    a.tags === b.tags &&
    a.traceId === b.traceId &&
    a.traceParent === b.traceParent &&
    b.uniqueKey === undefined &&
    !isLarge(b)
  );
}

function isLarge(job: NewJob): boolean {
  return job.payload.length > IN_ROW_CHARS;
}

export function runAtOf(job: NewJob, now: number): number {
  return Math.max(job.runAt ?? now + (job.delayMs ?? 0), 0);
}
