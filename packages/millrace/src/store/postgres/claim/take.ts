// How jobs are taken: a row is written for each, or a bundle for all. For rows SKIP LOCKED does what BEGIN IMMEDIATE does in SQLite:
// of several who claim at once each gets others, and nobody waits.

import { suspectShare } from "../../../job/crash.ts";
import type { ClaimRequest } from "../../store.ts";
import { numbers } from "../connection/arrays.ts";
import type { Runner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { JobRow } from "../read/row.ts";
import type { StageRow } from "../register/names.ts";
import { AT, lockClaims, picked, pickValues, runningOf } from "./pick.ts";
import { takeBundle } from "./take-bundle.ts";

const RETURNED = `job.id, job.tenant, job.priority, job.run_at, job.token, job.failures, job.crashes, job.flags, job.created_at,
  job.timeout_ms, job.payload, job.output, job.failure, job.tags, job.trace, picked.tenant_name, picked.n, CASE WHEN picked.n = 1 THEN job.started_at END AS now`;
// A claim need not wait for the disk: if the server dies alone and forgets it, the job is ready again. Its token must not come
// again, though, so it is no smaller than the moment: whoever holds the forgotten one finds it outdated.
const TAKEN = `standing = 4, token = greatest(job.token + 1, ${AT}), holder = $2, attempt = job.failures + job.crashes + 1,
  started_at = ${AT}, updated_at = ${AT}, expires_at = NULL, progress = NULL`;
// By their places in the table, since they are locked: no second look-up by key. As an array, so that the planner does not read
// the whole table for them.
const PICKED = "job.ctid = ANY(ARRAY(SELECT place FROM picked)) AND job.ctid = picked.place";

const NUMBERED = `job.place, tenant_name,
  row_number() OVER (ORDER BY serving.turn, serving.tenant, job.priority, job.run_at, job.id) AS n`;
const TAKE = `WITH ${picked({ columns: NUMBERED, lock: "FOR UPDATE SKIP LOCKED" })},
  taken AS (UPDATE millrace.job SET ${TAKEN}, slot = ($4::int[])[picked.n] FROM picked WHERE ${PICKED} RETURNING ${RETURNED})
  SELECT taken.*, (SELECT count(*)::int FROM serving) AS lanes FROM (SELECT 1) AS one LEFT JOIN taken ON true`;

const TAKE_SUSPECTS = `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
  picked AS MATERIALIZED (SELECT job.place, tenant_name, row_number() OVER (ORDER BY job.crashes DESC, job.priority, job.run_at, job.id) AS n FROM
    (SELECT job.ctid AS place, job.id, crashes, priority, run_at, (SELECT name FROM millrace.tenant WHERE id = job.tenant) AS tenant_name
      FROM settings, millrace.job WHERE standing = 2 AND job.stage = $3 AND ($5::int[] IS NULL OR
      (job.tenant = ANY($5::int[]) AND ${runningOf("job.tenant")} < $6::int))
      ORDER BY crashes DESC, priority, run_at, job.id LIMIT cardinality($4::int[]) FOR UPDATE OF job SKIP LOCKED) AS job)
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
> & {
  tenant_name: string;
  slot: number;
  now: number;
  /** The bundle that it is in. */
  bundle?: number;
  /** What others ask of it while it runs, its own row must tell. */
  needsRow?: boolean;
};

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
const SUSPECT_VALUES = 6;

export interface Rounds {
  stage: StageRow;
  request: ClaimRequest;
  /** The stage has lanes that may have ready jobs. */
  lanes: boolean;
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
  const { taken, lanes } = await takeReady(core, stage, slots);
  core.marks.advance(stage.id, taken);
  return { rows: taken, enough: taken.length > slots.length - Math.max(1, lanes) };
}

export interface AllTaken {
  rows: TakenRow[];
  /** How many of them are suspects. */
  suspectCount: number;
}

/** `tx`: where a bound must hold until the claim has committed. */
export async function takeRounds(core: Core, rounds: Rounds, tx?: Runner): Promise<AllTaken> {
  const all: AllTaken = { rows: [], suspectCount: 0 };
  try {
    await takeInto(all, core, rounds, tx);
  } catch (error) {
    // What the rounds before took is written, and somebody must have it; in a transaction nothing is.
    if (tx || all.rows.length === 0) throw error;
  }
  return all;
}

async function takeInto(all: AllTaken, core: Core, rounds: Rounds, tx?: Runner): Promise<void> {
  const { rows } = all;
  const { stage, request, room, tenants } = rounds;
  const bound = tenants === undefined ? null : numbers(tenants);
  const free = () => request.slots.slice(rows.length, room);
  const startedAt = performance.now();
  if (!rounds.fromMarks) core.marks.forget(stage.id);

  // With a bound on places each suspect is counted before the next is taken.
  const takeSuspects = async (most: number) => {
    while (all.suspectCount < most && rows.length < room) {
      const slots = free().slice(0, bound === null ? most - all.suspectCount : 1);
      const values = pickValues(core, stage, { slots, bound }).slice(0, SUSPECT_VALUES);
      const raw = await (tx ?? core.connections.write).runForArrays<Raw>(TAKE_SUSPECTS, values);
      const { taken } = read(raw, slots);
      if (taken.length === 0) return;
      all.suspectCount += taken.length;
      rows.push(...taken);
    }
  };
  await takeSuspects(Math.min(request.suspects, rounds.lanes ? suspectShare(room, request) : room));

  // What a round found and did not get, another claim took at the same moment: one more look, then it is theirs.
  for (let vain = 0; rows.length < room && vain < 2; ) {
    const slots = free();
    const { taken, lanes } = tx
      ? read(await tx.runForArrays<Raw>(TAKE, pickValues(core, stage, { slots, bound })), slots)
      : await takeReady(core, stage, slots);
    rows.push(...taken);
    core.marks.advance(stage.id, taken);
    // The only lane, and it was read to its end.
    if (lanes === 0 || (lanes === 1 && bound === null && taken.length < slots.length)) break;
    if (taken.length === 0) vain++;
  }
  await takeSuspects(request.suspects);
  if (!rounds.fromMarks) {
    const bundled = rows.some(({ bundle }) => bundle !== undefined);
    core.marks.lookedThrough(stage.id, performance.now() - startedAt, { jobs: rows.length, bundled });
  }
}

/** In a transaction of its own, where nothing bounds the claim. */
async function takeReady(core: Core, stage: StageRow, slots: number[]): Promise<Taken> {
  if (core.bundles.suits(stage, slots.length)) return takeBundle(core, stage, slots);
  const take = { statement: TAKE, values: pickValues(core, stage, { slots, bound: null }) };
  const lock = lockClaims(core, stage, { alone: false });
  const [, raw] = await core.connections.write.together({ transaction: [lock, take] });
  return read(raw as Raw[], slots);
}

export interface Taken {
  taken: TakenRow[];
  /** How many lanes had jobs. */
  lanes: number;
}

function read(raw: Raw[], slots: number[]): Taken {
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
