// A claim that is written as one row for all its jobs (bundles.ts), and what it gives of them.

import { HAS_UNIQUE_KEY } from "../codes.ts";
import type { Core } from "./core.ts";
import type { StageRow } from "./names.ts";
import { AT, lockClaims, picked, pickValues } from "./pick.ts";
import type { Taken, TakenRow } from "./take.ts";

// $11 the bundle's number. No row is locked: whoever ends one of them meanwhile has ended it, and the read that follows does
// not find it. The rows are read after the commit, so that nobody waits for the stage while large payloads are on their way.
const TAKE_BUNDLE = `WITH ${picked({ columns: "job.id" })},
  written AS (INSERT INTO millrace.bundle (holder, number, started_at, jobs)
    SELECT $2::bigint, $11::bigint, ${AT}, array_agg(id) FROM picked HAVING count(*) > 0)
  SELECT (SELECT count(*)::int FROM serving), ${AT}, (SELECT json_object_agg(tenant, tenant_name)::text FROM serving)`;
// Nearly all jobs have nothing that is rare.
const READ_BUNDLE = `SELECT job.id, job.tenant, job.priority, job.run_at, greatest(job.token + 1, bundle.started_at), job.created_at, job.payload,
    CASE WHEN job.failures + job.crashes + job.flags > 0 OR job.expires_at IS NOT NULL OR job.timeout_ms IS NOT NULL OR job.output IS NOT NULL
      OR job.failure IS NOT NULL OR job.tags IS NOT NULL OR job.trace IS NOT NULL
    THEN json_build_array(job.failures, job.crashes, job.flags, job.timeout_ms, job.output, job.failure, job.tags, job.trace, job.expires_at)::text END
  FROM millrace.bundle JOIN millrace.job ON job.id = ANY(bundle.jobs) WHERE bundle.holder = $1 AND number = $2 AND job.standing + 0 = 1`;

type Answer = [lanes: number, now: number, tenants: string | null];
type Raw = [
  id: number,
  tenant: number,
  priority: number,
  run_at: number,
  token: number,
  created_at: number,
  payload: string,
  rare: string | null,
];
type Rare = [
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
const NOTHING_RARE: Rare = [0, 0, 0, null, null, null, null, null, null];

export async function takeBundle(core: Core, stage: StageRow, slots: number[]): Promise<Taken> {
  const bundle = core.bundles.newNumber();
  const values = [...pickValues(core, stage, { slots, bound: null }), bundle];
  try {
    const [, answers, rows] = (await core.connections.write.together({
      transaction: [lockClaims(core, stage, { alone: true }), { statement: TAKE_BUNDLE, values }],
      after: [{ statement: READ_BUNDLE, values: [core.instances.id, bundle] }],
    })) as [unknown, [Answer], Raw[]];
    const [lanes, now, tenants] = answers[0];
    if (rows.length === 0) {
      core.bundles.gaveNothing(bundle);
      return { lanes, taken: [] };
    }
    const names = JSON.parse(tenants ?? "{}") as Record<number, string>;
    rows.sort((a, b) => a[2] - b[2] || a[3] - b[3] || a[0] - b[0]);
    return {
      lanes,
      taken: rows.map((row, i) => takenRow(row, { slot: slots[i] as number, names, now, bundle })),
    };
  } catch (error) {
    // What it took, if it took anything, nobody was given.
    core.bundles.undo([bundle]).catch(() => {}); // and if that fails too, the caretaker does it
    throw error;
  }
}

function takenRow(
  row: Raw,
  { slot, names, now, bundle }: { slot: number; names: Record<number, string>; now: number; bundle: number },
): TakenRow {
  const rare = row[7] === null ? NOTHING_RARE : (JSON.parse(row[7]) as Rare);
  return {
    id: row[0],
    tenant: row[1],
    priority: row[2],
    run_at: row[3],
    token: row[4],
    created_at: row[5],
    payload: row[6],
    failures: rare[0],
    crashes: rare[1],
    flags: rare[2],
    timeout_ms: rare[3],
    output: rare[4],
    failure: rare[5],
    tags: rare[6],
    trace: rare[7],
    tenant_name: names[row[1]] as string,
    slot,
    now,
    bundle,
    needsRow: rare[8] !== null || (rare[2] & HAS_UNIQUE_KEY) !== 0,
  };
}
