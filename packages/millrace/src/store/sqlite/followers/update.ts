// Changes a pending job from outside.

import { FOLLOWS } from "../../codes.ts";
import { decideUpdate } from "../../decide/pending/update.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { JobUpdate, UpdateAnswer } from "../../verbs/jobs.ts";
import type { Core } from "../core.ts";
import { findRow, toJob } from "../read/row.ts";
import { setPayload } from "./change.ts";

const OWN_TIME = "SELECT run_at FROM follower WHERE job = ?1 UNION ALL SELECT at AS run_at FROM place WHERE job = ?1";
const SET_OWN_TIME = "UPDATE follower SET run_at = ? WHERE job = ?";
const UPDATE =
  "UPDATE job SET priority = ?, tags = ?, run_at = ?, standing = ?, flags = ?, expires_at = ?, updated_at = ? WHERE id = ?";
const SET_PRIORITY = "UPDATE place SET priority = ? WHERE job = ?";

export function update(core: Core, jobId: string, change: JobUpdate): UpdateAnswer {
  const row = findRow(core, core.ids.decode(jobId) ?? -1);
  if (!row) return "not-found";
  const now = core.clock.now();
  const follows = (row.flags & FOLLOWS) !== 0;
  const hasOwnTime = follows || row.concurrency_key !== null;
  const own = hasOwnTime ? (core.statement(OWN_TIME).get(row.id) as { run_at: number } | undefined) : undefined;
  const isOrdered = core.names.isOrdered(core.names.stage(row.stage));
  const decided = decideUpdate({ row, ownRunAt: own?.run_at, isOrdered, now }, change);
  if ("conflict" in decided) return decided;
  const { priority, tags, run_at, standing, flags, expires_at } = decided.columns;
  core.statement(UPDATE).run(priority, tags, run_at, standing, flags, expires_at, now, row.id);
  if (follows && change.runAt !== undefined) core.statement(SET_OWN_TIME).run(change.runAt, row.id);
  if (standing !== row.standing) core.counts.move(row.stage, row.tenant, row.standing, standing);
  if (change.payload !== undefined) setPayload(core, { id: row.id, flags }, change.payload);
  if (row.concurrency_key !== null) core.statement(SET_PRIORITY).run(priority, row.id);
  if (decided.leaves) core.places.leave(row.id);
  if (decided.arrives) core.places.arrive(row.id);
  core.wakePools();
  return { updated: toJob(core, findRow(core, row.id) as JobRow) };
}
