// Changes a job that was never claimed.

import { FOLLOWS, HAS_LARGE_PAYLOAD, JOINED } from "../../codes.ts";
import type { PendingChange } from "../../decide/join.ts";
import { changePending, type PendingTime } from "../../decide/pending/change.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { Core } from "../core.ts";
import { dropPayloadBody, findRow, IN_ROW_CHARS, putPayloadBody } from "../read/row.ts";

const OWN_TIME = "SELECT run_at, latest_at FROM follower WHERE job = ?";
const OF_KEYS = `SELECT (SELECT latest_at FROM unique_key WHERE job = ?1) AS latest_at,
  (SELECT at FROM place WHERE job = ?1) AS arrived_at`;
const SET_OWN_TIME = "UPDATE follower SET run_at = ? WHERE job = ?";
const CHANGE = `UPDATE job SET run_at = ?, standing = ?, expires_at = ?, deadline_at = ?, flags = ?, concurrency_key = ?, updated_at = ?
  WHERE id = ?`;
const SET_PAYLOAD = "UPDATE job SET payload = ?, flags = ? WHERE id = ?";

/** The job waits for its first claim. It counts as joined, because another caller may wait for it. */
export function changeJob(core: Core, key: number, change: PendingChange, now: number): void {
  const row = findRow(core, key);
  if (!row) throw new Error(`job ${key} is not stored`);
  const { payload, runAt, columns, leaves, arrives } = changePending(row, ownTime(core, row), change, now);
  const { run_at, standing, expires_at, deadline_at, concurrency_key } = columns;
  const flags = columns.flags | JOINED;
  core.statement(CHANGE).run(run_at, standing, expires_at, deadline_at, flags, concurrency_key, now, key);
  if (row.flags & FOLLOWS) core.statement(SET_OWN_TIME).run(runAt, key);
  if (standing !== row.standing) core.counts.move(row.stage, row.tenant, row.standing, standing);
  if (payload !== undefined) setPayload(core, { id: key, flags }, payload);
  if (leaves) core.places.leave(key);
  if (arrives) core.places.arrive(key);
  core.wakePools();
}

function ownTime(core: Core, { id, flags, run_at }: JobRow): PendingTime {
  if (flags & FOLLOWS) return core.statement(OWN_TIME).get(id) as unknown as PendingTime;
  const keys = core.statement(OF_KEYS).get(id) as { latest_at: number | null; arrived_at: number | null };
  return { run_at: keys.arrived_at ?? run_at, latest_at: keys.latest_at };
}

/** A payload that is too long for the row is in a table of its own. */
export function setPayload(core: Core, { id, flags }: Pick<JobRow, "id" | "flags">, payload: string): void {
  const isLarge = payload.length > IN_ROW_CHARS;
  const without = flags & ~HAS_LARGE_PAYLOAD;
  if (isLarge) putPayloadBody(core, id, payload);
  else if (flags & HAS_LARGE_PAYLOAD) dropPayloadBody(core, id);
  core.statement(SET_PAYLOAD).run(isLarge ? null : payload, isLarge ? without | HAS_LARGE_PAYLOAD : without, id);
}
