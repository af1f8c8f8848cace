// BUNDLE: a claim that writes one row for all its jobs (bundles.ts has the life of a bundle). The jobs are read after the commit,
// so that no other claim waits for the stage while large payloads are on their way to a slow reader.

import { HAS_UNIQUE_KEY, READY } from "../../codes.ts";
import { JOB_COLUMNS, type JobColumn } from "../../columns/job-columns.ts";
import { RARE_COLUMNS, type RareColumn } from "../../rows/claimed-job.ts";
import { numbers } from "../connection/arrays.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import type { PostgresJobRow } from "../read/row.ts";
import { lockStage, MOMENT, type PickParameters, pickedJobs, pickParameters } from "./pick.ts";
import type { ClaimedRow, ClaimStrategy, Round } from "./rounds.ts";

/** No row is locked: a job that another process ends meanwhile has ended, and the read that follows does not find it. */
const WRITE_BUNDLE = statement<PickParameters & { bundle: number }>(`WITH ${pickedJobs({ columns: "job.id" })},
  written AS (
    INSERT INTO millrace.bundle (holder, number, started_at, jobs)
    SELECT :holder::bigint, :bundle::bigint, ${MOMENT}, array_agg(id)
    FROM picked
    HAVING count(*) > 0
  )
  SELECT (SELECT count(*)::int FROM serving) AS lanes,
    ${MOMENT} AS now,
    (SELECT json_object_agg(tenant, tenant_name) FROM serving) AS tenants`);

const IS_STILL_READY = `job.standing + 0 = ${READY}`;
const HAS_RARE = RARE_COLUMNS.map((name) => `job.${name} ${isNullable(name) ? "IS NOT NULL" : "> 0"}`).join(" OR ");
const RARE = `json_build_object(${RARE_COLUMNS.map((name) => `'${name}', job.${name}`).join(", ")})`;
// The server can build a value of one gigabyte at most, so large jobs are read one by one.
const IS_SMALL = "octet_length(job.payload) + coalesce(octet_length(job.output), 0) <= 4096";
// One row with an array for each column: a row for each job took the driver longer than everything else that is done with it. The
// bundle's jobs are a scalar, so that the planner sees the same cost each time and keeps its plan.
const READ_JOBS = statement<BundleName>(`SELECT json_agg(job.id) AS ids,
    json_agg(job.tenant) AS tenants,
    json_agg(job.priority) AS priorities,
    json_agg(job.run_at) AS "runAts",
    json_agg(job.created_at) AS "createdAts",
    json_agg(CASE WHEN ${IS_SMALL} THEN job.payload END) AS payloads,
    json_object_agg(job.id, ${RARE}) FILTER (WHERE (${HAS_RARE}) AND ${IS_SMALL}) AS rare
  FROM millrace.job
  WHERE job.id = ANY((SELECT jobs FROM millrace.bundle WHERE holder = :holder AND number = :bundle)::bigint[])
    AND ${IS_STILL_READY}`);
const READ_LARGE_JOBS = statement<BundleName & { ids: string }>(`SELECT job.id, job.payload, ${RARE} AS rare
  FROM millrace.job
  WHERE job.id = ANY(:ids::bigint[])
    AND ${IS_STILL_READY}
    AND EXISTS (SELECT 1 FROM millrace.bundle WHERE holder = :holder AND number = :bundle)`);
/** Payloads can be 1 MB each: smaller parts keep every answer within the time limit of a statement. */
const LARGE_AT_ONCE = 32;

type BundleName = { holder: number; bundle: number };
type RareValues = Pick<PostgresJobRow, RareColumn>;
type WrittenBundle = { lanes: number; now: number; tenants: Record<number, string> | null };
type LargeJob = { id: number; payload: string; rare: RareValues };

/** All jobs of a bundle, by column. NULL in every column means that none is left. */
interface JobArrays {
  ids: number[] | null;
  tenants: number[];
  priorities: number[];
  runAts: number[];
  createdAts: number[];
  /** Null for a job that is too large and read by itself. */
  payloads: (string | null)[];
  rare: Record<number, RareValues> | null;
}

const NOTHING_RARE = Object.fromEntries(RARE_COLUMNS.map((name) => [name, isNullable(name) ? null : 0])) as RareValues;

/** Suits the last stage of a plan, many jobs at once, and jobs that end soon. Jobs that wait are claimed by their rows. */
export const bundle: ClaimStrategy = {
  suits: (core, stage, count) =>
    stage.next === undefined && core.bundles.areWorthwhile(stage.id, count) && !core.names.isTwin(stage),
  async claim(core, stage, slots) {
    const name: BundleName = { holder: core.instances.id, bundle: core.bundles.newNumber() };
    try {
      const write = WRITE_BUNDLE({ ...pickParameters(core, stage, slots), ...name });
      const [, [written], [arrays]] = (await core.connections.write.together({
        transaction: [lockStage(core, stage, { alone: true }), write],
        after: [READ_JOBS(name)],
      })) as [unknown, [WrittenBundle], [JobArrays]];
      const round = roundOf(name, slots, written, arrays, await readLargeJobs(core, name, arrays));
      if (round.rows.length === 0) core.bundles.forgetNumber(name.bundle);
      return round;
    } catch (error) {
      // If the bundle was written, no processor has its jobs. If this statement fails too, the caretaker deletes the
      // bundle.
      core.bundles.undo([name.bundle]).catch(() => {});
      throw error;
    }
  },
};

function isNullable(name: RareColumn): boolean {
  const column: JobColumn = JOB_COLUMNS[name];
  return column.nullable === true;
}

async function readLargeJobs(
  core: Core,
  name: BundleName,
  { ids, payloads }: JobArrays,
): Promise<Map<number, LargeJob>> {
  const large = (ids ?? []).filter((_, i) => payloads[i] === null);
  const read: LargeJob[] = [];
  for (let from = 0; from < large.length; from += LARGE_AT_ONCE) {
    const part = numbers(large.slice(from, from + LARGE_AT_ONCE));
    read.push(...(await core.connections.write.run<LargeJob>(...READ_LARGE_JOBS({ ...name, ids: part }))));
  }
  return new Map(read.map((job) => [job.id, job]));
}

function roundOf(
  { bundle }: BundleName,
  slots: number[],
  { lanes, now, tenants }: WrittenBundle,
  arrays: JobArrays,
  large: ReadonlyMap<number, LargeJob>,
): Round {
  const rows: ClaimedRow[] = [];
  const ids = arrays.ids ?? [];
  for (const i of inOrder(arrays)) {
    const id = ids[i] as number;
    const payload = arrays.payloads[i] ?? large.get(id)?.payload;
    if (payload === undefined) continue; // The job ended between the two reads.
    const tenant = arrays.tenants[i] as number;
    const rare = large.get(id)?.rare ?? arrays.rare?.[id] ?? NOTHING_RARE;
    rows.push({
      ...rare,
      id,
      tenant,
      priority: arrays.priorities[i] as number,
      run_at: arrays.runAts[i] as number,
      created_at: arrays.createdAts[i] as number,
      payload,
      token: Math.max(rare.token + 1, now),
      tenant_name: tenants?.[tenant] as string,
      slot: slots[rows.length] as number,
      now,
      bundle,
      needsRow: rare.expires_at !== null || rare.deadline_at !== null || (rare.flags & HAS_UNIQUE_KEY) !== 0,
    });
  }
  return { rows, lanes };
}

/** The indexes of the jobs by (priority, run_at, id). They come by id, which mostly is that order. */
function inOrder({ ids, priorities, runAts }: JobArrays): number[] {
  const compare = (a: number, b: number) =>
    at(priorities, a) - at(priorities, b) || at(runAts, a) - at(runAts, b) || at(ids ?? [], a) - at(ids ?? [], b);
  return (ids ?? []).map((_, i) => i).sort(compare);
}

const at = (column: number[], index: number) => column[index] as number;
