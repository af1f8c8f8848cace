import { COMPLETED, RUNNING } from "../../codes.ts";
import { decideCancellation } from "../../decide/cancellation.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { apply } from "../settle/apply.ts";
import { askCancel } from "../waits/undo.ts";
import { endEdges } from "./edges.ts";

/** Cancels live jobs at the ends of edges. Those that have ended, unseen by an older process, are marked. */
export function cancelEdges(core: Core, keys: readonly number[], reason: string): void {
  const now = core.clock.now();
  for (const key of keys) {
    const row = findRow(core, key);
    if (row && row.standing < COMPLETED) cancelLive(core, row, reason, now);
    else endEdges(core, key, row?.standing ?? COMPLETED, now);
  }
}

/** A processor of this process hears of it at once. */
function cancelLive(core: Core, row: JobRow, reason: string, now: number): void {
  const jobId = core.ids.encode(row.id);
  const { change, asks } = decideCancellation(row, { jobId, reason, unlessJoined: false });
  if (asks) askCancel(core, row, asks, now);
  if (!change) return;
  const held = row.standing === RUNNING ? core.held.get(row.id) : undefined;
  apply(core, row, change, now);
  core.wakePools();
  if (held && held.token === row.token) {
    core.afterCommit(() => core.events.lost([{ jobId, token: held.token, reason: "cancelled" }]));
  }
}
