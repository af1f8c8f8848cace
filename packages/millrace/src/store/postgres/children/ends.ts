// How the jobs of a wait ended. Their results are read from their own rows, which stay until the job that waited has ended.

import type { Lease } from "../../../job/lease.ts";
import { ENDED_WELL } from "../../children/codes.ts";
import { type EndRow, endedChild } from "../../rows/child-row.ts";
import type { ChildEnds, ChildReadOptions, ChildWaitName, EndedChild } from "../../verbs/children.ts";
import type { Core } from "../core.ts";
import { RUNS } from "../read/row.ts";

const HELD = `SELECT stage FROM millrace.job WHERE id = $1 AND token = $2 AND ${RUNS}`;
const WAIT = "SELECT id, source FROM millrace.wait WHERE job = $1 AND stage = $2 AND type = $3 AND name = $4";
const DEPENDENCIES = "SELECT id, source FROM millrace.wait WHERE job = $1 AND type = 'after'";
const BYTES = `SELECT coalesce(sum(octet_length(finished.output)), 0)::bigint AS bytes
  FROM millrace.edge JOIN millrace.finished ON finished.id = edge.job WHERE edge.wait = $1 AND edge.state = ${ENDED_WELL}`;
const ENDS = `SELECT edge.id, edge.job, edge.key, edge.state, finished.failure,
    CASE WHEN $2::boolean AND edge.state = ${ENDED_WELL} THEN finished.output END AS output
  FROM millrace.edge LEFT JOIN millrace.finished ON finished.id = edge.job
  WHERE edge.wait = $1 ORDER BY edge.place`;

export async function childEnds(
  core: Core,
  lease: Lease,
  { type, name }: ChildWaitName,
  options: ChildReadOptions,
): Promise<ChildEnds | "lease-lost"> {
  const held = await heldJob(core, lease);
  if (!held) return "lease-lost";
  const [wait] = await core.connections.write.run<StoredJoin>(WAIT, [held.key, held.stage, type, name]);
  return endsOf(core, wait, options);
}

export async function dependencies(
  core: Core,
  lease: Lease,
  options: ChildReadOptions,
): Promise<ChildEnds | "lease-lost"> {
  const held = await heldJob(core, lease);
  if (!held) return "lease-lost";
  const [wait] = await core.connections.write.run<StoredJoin>(DEPENDENCIES, [held.key]);
  return endsOf(core, wait, options);
}

async function heldJob(core: Core, lease: Lease): Promise<{ key: number; stage: number } | undefined> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  const [row] = await core.connections.write.run<{ stage: number }>(HELD, [key, lease.token]);
  return row && { key, stage: row.stage };
}

interface StoredJoin {
  id: number;
  /** The edge that failed the wait. */
  source: number | null;
}

async function endsOf(
  core: Core,
  wait: StoredJoin | undefined,
  { results, maxBytes }: ChildReadOptions,
): Promise<ChildEnds> {
  if (!wait) return { children: [] };
  const { write } = core.connections;
  const [size] = results ? await write.run<{ bytes: number }>(BYTES, [wait.id]) : [];
  const isTooLarge = (size?.bytes ?? 0) > maxBytes;
  const rows = await write.run<EndRow>(ENDS, [wait.id, results && !isTooLarge]);
  let failed: EndedChild | undefined;
  const children = rows.map((row) => {
    const child = endedChild(row, core.ids.encode);
    if (row.id === wait.source) failed = child;
    return child;
  });
  return { children, ...(failed && { failed }), ...(isTooLarge && { tooLarge: size?.bytes ?? 0 }) };
}
