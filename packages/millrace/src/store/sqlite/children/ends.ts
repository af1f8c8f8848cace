// How the jobs of a wait ended. Their results are read from their own rows, which stay until the job that waited has ended.

import type { Lease } from "../../../job/lease.ts";
import { ENDED_WELL } from "../../children/codes.ts";
import { HAS_LARGE_RESULT } from "../../codes.ts";
import { type EndRow, endedChild } from "../../rows/child-row.ts";
import type { ChildEnds, ChildReadOptions, ChildWaitName, EndedChild } from "../../verbs/children.ts";
import type { Core } from "../core.ts";
import { heldRow } from "../settle/belongings.ts";

/** The result of a job, wherever it is stored. */
export const RESULT = `CASE WHEN job.flags & ${HAS_LARGE_RESULT} THEN (SELECT value FROM body WHERE body.id = job.id * 2 + 1) ELSE job.output END`;
const WAIT = "SELECT id, source FROM wait WHERE job = ? AND stage = ? AND type = ? AND name = ?";
const DEPENDENCIES = "SELECT id, source FROM wait WHERE job = ? AND type = 'after'";
const BYTES = `SELECT coalesce(sum(length(CAST(${RESULT} AS BLOB))), 0) AS bytes FROM edge JOIN job ON job.id = edge.job
  WHERE edge.wait = ? AND edge.state = ${ENDED_WELL}`;
const ENDS = `SELECT edge.id, edge.job, edge.key, edge.state, job.failure, CASE WHEN ?2 AND edge.state = ${ENDED_WELL} THEN ${RESULT} END AS output
  FROM edge LEFT JOIN job ON job.id = edge.job WHERE edge.wait = ?1 ORDER BY edge.place`;

export function childEnds(
  core: Core,
  lease: Lease,
  { type, name }: ChildWaitName,
  options: ChildReadOptions,
): ChildEnds | "lease-lost" {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  return endsOf(core, core.statement(WAIT).get(row.id, row.stage, type, name) as StoredJoin | undefined, options);
}

export function dependencies(core: Core, lease: Lease, options: ChildReadOptions): ChildEnds | "lease-lost" {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  return endsOf(core, core.statement(DEPENDENCIES).get(row.id) as StoredJoin | undefined, options);
}

interface StoredJoin {
  id: number;
  /** The edge that failed the wait. */
  source: number | null;
}

function endsOf(core: Core, wait: StoredJoin | undefined, { results, maxBytes }: ChildReadOptions): ChildEnds {
  if (!wait) return { children: [] };
  const { bytes } = core.statement(BYTES).get(wait.id) as { bytes: number };
  const isTooLarge = results && bytes > maxBytes;
  const rows = core.statement(ENDS).all(wait.id, results && !isTooLarge ? 1 : 0) as unknown as EndRow[];
  let failed: EndedChild | undefined;
  const children = rows.map((row) => {
    const child = endedChild(row, core.ids.encode);
    if (row.id === wait.source) failed = child;
    return child;
  });
  return { children, ...(failed && { failed }), ...(isTooLarge && { tooLarge: bytes }) };
}
