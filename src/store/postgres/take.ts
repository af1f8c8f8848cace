// How jobs are taken: the lanes with the lowest turn, then the first jobs of each by (priority, run_at, key). SKIP LOCKED does
// what BEGIN IMMEDIATE does in SQLite: of several who claim at once each gets others, and nobody waits.

import type { ClaimRequest } from "../store.ts";
import { numbers } from "./arrays.ts";
import { NOW } from "./clock.ts";
import type { Runner, Value } from "./connection.ts";
import type { Core } from "./core.ts";
import type { Mark } from "./marks.ts";
import type { StageRow } from "./names.ts";
import type { JobRow } from "./row.ts";

const RETURNED = `job.id, job.tenant, job.priority, job.run_at, job.token, job.failures, job.crashes, job.flags, job.created_at,
  job.timeout_ms, job.payload, job.output, job.failure, job.tags, job.trace, picked.tenant_name, picked.n, CASE WHEN picked.n = 1 THEN job.started_at END AS now`;
// The moment is reckoned once: for every row of 250 it cost more than their index entries.
const MOMENT = `moment AS MATERIALIZED (SELECT ${NOW} AS now)`;
const AT = "(SELECT now FROM moment)";
// A claim need not wait for the disk: if the server dies alone and forgets it, the job is ready again. Its token must not come
// again, though, so it is no smaller than the moment: whoever holds the forgotten one finds it outdated.
const TAKEN = `standing = 4, token = greatest(job.token + 1, ${AT}), holder = $2, attempt = job.failures + job.crashes + 1,
  started_at = ${AT}, updated_at = ${AT}, expires_at = NULL, progress = NULL`;
// By their places in the table, since they are locked: no second look-up by key. As an array, so that the planner does not read
// the whole table for them.
const PICKED = "job.ctid = ANY(ARRAY(SELECT place FROM picked)) AND job.ctid = picked.place";

// $3 stage, $4 slots, $5 the tenants whose places are locked (NULL: no bound on places), $6 the bound, $7 to $10 the marks to
// start from (marks.ts).
// The planner must not join with the whole backlog, whatever it thinks of the parts (48 ms at 40,000 jobs): the look for any job has
// an order and a LIMIT of its own where EXISTS would do, and the rows to take are named as an array.
// With more tenants than room one job each, with fewer an equal share; what is left over goes to the next round.
const TAKE = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)), ${MOMENT},
  lanes AS MATERIALIZED (SELECT lane.tenant, lane.turn, (SELECT name FROM millrace.tenant WHERE id = lane.tenant) AS tenant_name,
      $6::int - CASE WHEN $5::int[] IS NULL THEN 0 ELSE
      (SELECT count(*) FROM millrace.job WHERE standing = 4 AND job.tenant = lane.tenant) END AS places,
      coalesce(mark.priority, -2147483648) AS from_priority, coalesce(mark.run_at, 0) AS from_run_at, coalesce(mark.id, 0) AS from_id
    FROM settings, millrace.lane LEFT JOIN unnest($7::int[], $8::int[], $9::bigint[], $10::bigint[]) AS mark (tenant, priority, run_at, id)
      ON mark.tenant = lane.tenant, LATERAL (SELECT 1 FROM millrace.job WHERE standing = 1 AND job.stage = $3 AND job.tenant = lane.tenant
      AND (priority, run_at, id) >= (coalesce(mark.priority, -2147483648), coalesce(mark.run_at, 0), coalesce(mark.id, 0))
      ORDER BY priority, run_at, id LIMIT 1) AS any_job WHERE lane.stage = $3 AND lane.active AND ($5::int[] IS NULL OR lane.tenant = ANY($5::int[]))
      AND NOT (SELECT kind.paused FROM millrace.stage JOIN millrace.kind ON kind.id = stage.kind WHERE stage.id = $3)
    ORDER BY lane.turn, lane.tenant LIMIT cardinality($4::int[])),
  serving AS MATERIALIZED (SELECT * FROM lanes WHERE $5::int[] IS NULL OR places > 0),
  share AS MATERIALIZED (SELECT greatest(1, cardinality($4::int[]) / greatest(1, count(*))) AS most FROM serving),
  picked AS MATERIALIZED (SELECT job.place, tenant_name, row_number() OVER (ORDER BY serving.turn, serving.tenant, job.priority, job.run_at, job.id) AS n
    FROM serving, share, LATERAL (SELECT ctid AS place, id, priority, run_at FROM millrace.job WHERE standing = 1 AND job.stage = $3
      AND job.tenant = serving.tenant AND (priority, run_at, id) >= (from_priority, from_run_at, from_id)
      AND (expires_at IS NULL OR expires_at > ${AT}) ORDER BY priority, run_at, id
      LIMIT CASE WHEN $5::int[] IS NULL THEN share.most ELSE least(share.most, serving.places) END FOR UPDATE SKIP LOCKED) AS job),
  turns AS (UPDATE millrace.lane SET turn = nextval('millrace.turn') FROM
    (SELECT lane.stage, lane.tenant FROM millrace.lane JOIN serving ON serving.tenant = lane.tenant WHERE lane.stage = $3
      ORDER BY serving.turn, lane.tenant FOR NO KEY UPDATE OF lane SKIP LOCKED) AS served
    WHERE lane.stage = served.stage AND lane.tenant = served.tenant AND (lane.turn = 0 OR
      (SELECT count(*) FROM (SELECT 1 FROM millrace.lane WHERE lane.stage = $3 AND lane.active LIMIT 2) AS two) > 1)),
  taken AS (UPDATE millrace.job SET ${TAKEN}, slot = ($4::int[])[picked.n] FROM picked WHERE ${PICKED} RETURNING ${RETURNED})
  SELECT taken.*, (SELECT count(*)::int FROM serving) AS lanes FROM (SELECT 1) AS one LEFT JOIN taken ON true`;

const TAKE_SUSPECTS = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)), ${MOMENT},
  picked AS MATERIALIZED (SELECT job.place, tenant_name, row_number() OVER (ORDER BY job.priority, job.run_at, job.id) AS n FROM
    (SELECT job.ctid AS place, job.id, priority, run_at, tenant.name AS tenant_name FROM settings, millrace.job JOIN millrace.tenant
      ON tenant.id = job.tenant WHERE standing = 2 AND job.stage = $3 AND ($5::int[] IS NULL OR
      (job.tenant = ANY($5::int[]) AND (SELECT count(*) FROM millrace.job AS other WHERE other.standing = 4 AND other.tenant = job.tenant) < $6::int))
      ORDER BY priority, run_at, job.id LIMIT cardinality($4::int[]) FOR UPDATE OF job SKIP LOCKED) AS job)
  UPDATE millrace.job SET ${TAKEN}, slot = ($4::int[])[picked.n] FROM picked WHERE ${PICKED} RETURNING ${RETURNED}`;

/** What a claim gives of each job. */
export type TakenRow = Pick<
  JobRow,
  | "id"
  | "tenant"
  | "priority"
  | "run_at"
  | "token"
  | "failures"
  | "crashes"
  | "flags"
  | "created_at"
  | "timeout_ms"
  | "payload"
  | "output"
  | "failure"
  | "tags"
  | "trace"
> & { tenant_name: string; slot: number; now: number };

/** As it comes, in no order; the moment is on the first alone. In the order of RETURNED, and the number of lanes. */
type Raw = [
  id: number | null,
  tenant: number,
  priority: number,
  run_at: number,
  token: number,
  failures: number,
  crashes: number,
  flags: number,
  created_at: number,
  timeout_ms: number | null,
  payload: string,
  output: string | null,
  failure: string | null,
  tags: string | null,
  trace: string | null,
  tenant_name: string,
  n: number,
  now: number | null,
  lanes: number | undefined,
];
const [ID, N, MOMENT_AT, LANES] = [0, 16, 17, 18] as const;

export interface Rounds {
  stage: StageRow;
  request: ClaimRequest;
  /** How many of the stage's jobs are suspect, as far as known. */
  suspects: number;
  room: number;
  /** Whose places are locked; missing: no bound on places. */
  tenants?: number[] | undefined;
  /** Start where the last claim ended. */
  fromMarks: boolean;
}

/** One round from the marks. `enough`: every lane gave its share, though a few processors may have stayed free. */
export async function takeOnce(
  core: Core,
  stage: StageRow,
  { slots }: ClaimRequest,
): Promise<{ rows: TakenRow[]; enough: boolean }> {
  const values = [null, core.instances.id, stage.id, numbers(slots), null, 0, ...markValues(core.marks.of(stage.id))];
  const { taken, lanes } = await run(core.connections.write, TAKE, values, slots);
  core.marks.advance(stage.id, taken);
  return { rows: taken, enough: taken.length > slots.length - Math.max(1, lanes) };
}

export async function takeRounds(core: Core, db: Runner, rounds: Rounds): Promise<TakenRow[]> {
  const { stage, request, room, tenants } = rounds;
  const rows: TakenRow[] = [];
  const cap = core.options.limits.maxConcurrentPerTenant;
  const bound = tenants === undefined ? null : numbers(tenants);
  const values = (slots: number[]) => [core.clock.given, core.instances.id, stage.id, numbers(slots), bound, cap];
  const free = () => request.slots.slice(rows.length, room);
  const startedAt = performance.now();
  if (!rounds.fromMarks) core.marks.forget(stage.id);

  // With a bound on places each suspect is counted before the next is taken.
  const suspects = rounds.suspects === 0 ? 0 : Math.min(request.suspects, room);
  while (rows.length < suspects) {
    const slots = free().slice(0, bound === null ? suspects - rows.length : 1);
    const { taken } = await run(db, TAKE_SUSPECTS, values(slots), slots);
    if (taken.length === 0) break;
    rows.push(...taken);
  }

  // What a round found and did not get, another claim took at the same moment: one more look, then it is theirs.
  for (let vain = 0; rows.length < room && vain < 2; ) {
    const slots = free();
    const { taken, lanes } = await run(db, TAKE, [...values(slots), ...markValues(core.marks.of(stage.id))], slots);
    rows.push(...taken);
    core.marks.advance(stage.id, taken);
    // The only lane, and it was read to its end.
    if (lanes === 0 || (lanes === 1 && bound === null && taken.length < slots.length)) break;
    if (taken.length === 0) vain++;
  }
  if (!rounds.fromMarks) core.marks.lookedThrough(stage.id, performance.now() - startedAt, rows.length);
  return rows;
}

async function run(db: Runner, statement: string, values: Value[], slots: number[]) {
  const raw = await db.runForArrays<Raw>(statement, values);
  const lanes = raw[0]?.[LANES] ?? 0;
  if (raw[0]?.[ID] === null) return { lanes, taken: [] }; // the row that only tells of the lanes
  raw.sort((a, b) => a[N] - b[N]);
  const now = raw[0]?.[MOMENT_AT] ?? 0;
  return { lanes, taken: raw.map((row) => takenRow(row, slots[row[N] - 1] as number, now)) };
}

function takenRow(row: Raw, slot: number, now: number): TakenRow {
  return {
    id: row[ID] as number,
    tenant: row[1],
    priority: row[2],
    run_at: row[3],
    token: row[4],
    failures: row[5],
    crashes: row[6],
    flags: row[7],
    created_at: row[8],
    timeout_ms: row[9],
    payload: row[10],
    output: row[11],
    failure: row[12],
    tags: row[13],
    trace: row[14],
    tenant_name: row[15],
    slot,
    now,
  };
}

function markValues(marks: readonly Mark[]): Value[] {
  return [
    numbers(marks.map(({ tenant }) => tenant)),
    numbers(marks.map(({ priority }) => priority)),
    numbers(marks.map(({ run_at }) => run_at)),
    numbers(marks.map(({ id }) => id)),
  ];
}
