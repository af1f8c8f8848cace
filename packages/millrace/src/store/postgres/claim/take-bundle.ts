// A claim that is written as one row for all its jobs (bundles.ts), and what it gives of them.

import { HAS_UNIQUE_KEY } from "../../codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";
import { AT, lockClaims, picked, pickValues } from "./pick.ts";
import type { Taken, TakenRow } from "./take.ts";

// $11 the bundle's number. No row is locked: whoever ends one of them meanwhile has ended it, and the read that follows does
// not find it. The rows are read after the commit, so that nobody waits for the stage while large payloads are on their way.
const TAKE_BUNDLE = `WITH ${picked({ columns: "job.id" })},
  written AS (INSERT INTO millrace.bundle (holder, number, started_at, jobs)
    SELECT $2::bigint, $11::bigint, ${AT}, array_agg(id) FROM picked HAVING count(*) > 0)
  SELECT (SELECT count(*)::int FROM serving), ${AT}, (SELECT json_object_agg(tenant, tenant_name) FROM serving)`;
// Nearly all jobs have nothing that is rare.
const IS_RARE = `job.token + job.failures + job.crashes + job.flags > 0 OR job.expires_at IS NOT NULL OR job.timeout_ms IS NOT NULL
  OR job.output IS NOT NULL OR job.failure IS NOT NULL OR job.tags IS NOT NULL OR job.trace IS NOT NULL`;
const RARE = `json_build_array(job.token, job.failures, job.crashes, job.flags, job.timeout_ms, job.output, job.failure, job.tags, job.trace,
  job.expires_at)`;
// A value of the server's holds a gigabyte: what is large comes one by one.
const IS_SMALL = `octet_length(job.payload) + coalesce(octet_length(job.output), 0) <= 4096`;
const STILL_READY = "job.standing + 0 = 1";
// A column each, all jobs in it: a row each took the driver longer than all else that is done with them.
// The bundle as a value of its own, so that the planner sees the same cost every time and plans it once.
const READ_BUNDLE = `SELECT json_agg(job.id), json_agg(job.tenant), json_agg(job.priority), json_agg(job.run_at), json_agg(job.created_at),
    json_agg(CASE WHEN ${IS_SMALL} THEN job.payload END), json_object_agg(job.id, ${RARE}) FILTER (WHERE (${IS_RARE}) AND ${IS_SMALL})
  FROM millrace.job WHERE job.id = ANY((SELECT jobs FROM millrace.bundle WHERE holder = $1 AND number = $2)::bigint[]) AND ${STILL_READY}`;
const READ_LARGE = `SELECT job.id, job.payload, ${RARE} FROM millrace.job WHERE job.id = ANY($3::bigint[]) AND ${STILL_READY}
  AND EXISTS (SELECT 1 FROM millrace.bundle WHERE holder = $1 AND number = $2)`;
/** Of a megabyte each: no answer shall outlast its time. */
const LARGE_AT_ONCE = 32;

type Answer = [lanes: number, now: number, tenants: Record<number, string> | null];
type Columns = [
  id: number[] | null,
  tenant: number[],
  priority: number[],
  run_at: number[],
  created_at: number[],
  payload: (string | null)[],
  rare: Record<number, Rare> | null,
];
type Large = [id: number, payload: string, rare: Rare];
type Rare = [
  token: number,
  failures: number,
  crashes: number,
  flags: number,
  timeout_ms: number | null,
  output: string | null,
  failure: string | null,
  tags: string | null,
  trace: string | null,
  expires_at: number | null,
];
const NOTHING_RARE: Rare = [0, 0, 0, 0, null, null, null, null, null, null];

export async function takeBundle(core: Core, stage: StageRow, slots: number[]): Promise<Taken> {
  const bundle = core.bundles.newNumber();
  const values = [...pickValues(core, stage, { slots, bound: null }), bundle];
  try {
    const [, [answer], [columns]] = (await core.connections.write.together({
      transaction: [lockClaims(core, stage, { alone: true }), { statement: TAKE_BUNDLE, values }],
      after: [{ statement: READ_BUNDLE, values: [core.instances.id, bundle] }],
    })) as [unknown, [Answer], [Columns]];
    const taken = taking({ bundle, slots, answer, columns, large: await readLarge(core, bundle, columns) });
    if (taken.length === 0) core.bundles.gaveNothing(bundle);
    return { lanes: answer[0], taken };
  } catch (error) {
    // What it took, if it took anything, nobody was given.
    core.bundles.undo([bundle]).catch(() => {}); // and if that fails too, the caretaker does it
    throw error;
  }
}

interface Given {
  bundle: number;
  slots: number[];
  answer: Answer;
  columns: Columns;
  /** By its key, what the columns leave out. */
  large: ReadonlyMap<number, Large>;
}

async function readLarge(core: Core, bundle: number, [ids, , , , , payloads]: Columns): Promise<Map<number, Large>> {
  const wanted = (ids ?? []).filter((_, i) => payloads[i] === null);
  const read: Large[] = [];
  for (let from = 0; from < wanted.length; from += LARGE_AT_ONCE) {
    const values = [core.instances.id, bundle, numbers(wanted.slice(from, from + LARGE_AT_ONCE))];
    read.push(...(await core.connections.write.runForArrays<Large>(READ_LARGE, values)));
  }
  return new Map(read.map((each) => [each[0], each]));
}

function taking({ bundle, slots, answer, columns, large }: Given): TakenRow[] {
  const [, now, names] = answer;
  const [ids, tenants, priorities, runAts, createdAts, payloads, rares] = columns;
  if (ids === null) return [];
  const taken: TakenRow[] = [];
  for (const i of inOrder(columns)) {
    const id = ids[i] as number;
    const payload = payloads[i] ?? large.get(id)?.[1];
    if (payload === undefined) continue; // it ended between the two reads
    const tenant = tenants[i] as number;
    const [token, failures, crashes, flags, timeout_ms, output, failure, tags, trace, expires_at] =
      large.get(id)?.[2] ?? rares?.[id] ?? NOTHING_RARE;
    taken.push({
      id,
      tenant,
      priority: priorities[i] as number,
      run_at: runAts[i] as number,
      token: Math.max(token + 1, now),
      created_at: createdAts[i] as number,
      payload,
      failures,
      crashes,
      flags,
      timeout_ms,
      output,
      failure,
      tags,
      trace,
      tenant_name: names?.[tenant] as string,
      slot: slots[taken.length] as number,
      now,
      bundle,
      needsRow: expires_at !== null || (flags & HAS_UNIQUE_KEY) !== 0,
    });
  }
  return taken;
}

/** Their places, by priority, moment and key. They come by key, and mostly that is the order. */
function inOrder([ids, , priorities, runAts]: Columns): number[] {
  const places = (ids ?? []).map((_, i) => i);
  const compare = (a: number, b: number) =>
    at(priorities, a) - at(priorities, b) || at(runAts, a) - at(runAts, b) || at(ids ?? [], a) - at(ids ?? [], b);
  return places.sort(compare);
}

const at = (column: number[], place: number) => column[place] as number;
