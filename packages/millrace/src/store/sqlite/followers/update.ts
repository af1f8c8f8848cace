// Changes a pending job from outside.

import { FOLLOWS } from "../../codes.ts";
import { decideUpdate } from "../../decide/pending/update.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { JobUpdate, UpdateAnswer } from "../../verbs/jobs.ts";
import type { Core } from "../core.ts";
import { findRow, toJob } from "../read/row.ts";
import { setPayload } from "./change.ts";

const OWN_TIME = "SELECT run_at FROM follower WHERE job = ?";
const SET_OWN_TIME = "UPDATE follower SET run_at = ? WHERE job = ?";
const UPDATE =
  "UPDATE job SET priority = ?, tags = ?, run_at = ?, standing = ?, expires_at = ?, updated_at = ? WHERE id = ?";

export function update(core: Core, jobId: string, change: JobUpdate): UpdateAnswer {
  const row = findRow(core, core.ids.decode(jobId) ?? -1);
  if (!row) return "not-found";
  const now = core.clock.now();
  const follows = (row.flags & FOLLOWS) !== 0;
  const own = follows ? (core.statement(OWN_TIME).get(row.id) as { run_at: number } | undefined) : undefined;
  const decided = decideUpdate({ row, ownRunAt: own?.run_at, now }, change);
  if ("conflict" in decided) return decided;
  const { priority, tags, run_at, standing, expires_at } = decided.columns;
  core.statement(UPDATE).run(priority, tags, run_at, standing, expires_at, now, row.id);
  if (follows && change.runAt !== undefined) core.statement(SET_OWN_TIME).run(change.runAt, row.id);
  if (standing !== row.standing) core.counts.move(row.stage, row.tenant, row.standing, standing);
  if (change.payload !== undefined) setPayload(core, row, change.payload);
  core.wakePools();
  return { updated: toJob(core, findRow(core, row.id) as JobRow) };
}
