// Compares the leases that this process believes to hold with those that the store says it holds.

import type { LossReason } from "../../../job/lease.ts";
import { RUNNING } from "../../codes.ts";
import { lossReasonOf } from "../../decide/deadline.ts";
import { CANCEL_ASKED } from "../../waits/codes.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";

const TOKENS_HELD_BY = `SELECT id, token, flags FROM job WHERE standing = ${RUNNING} AND holder = ?`;

interface LostLease {
  jobId: string;
  token: number;
  reason: LossReason;
}

/** Finds leases that this process no longer holds, because the job was cancelled or the process was declared dead. */
export function findLost(core: Core): LostLease[] {
  if (core.held.size === 0) return [];
  const rows = core.statement(TOKENS_HELD_BY).all(core.instances.id) as {
    id: number;
    token: number;
    flags: number;
  }[];
  const tokens = new Map(rows.map((row) => [row.id, row.token]));
  const lost: LostLease[] = [];
  for (const { id, token, flags } of rows) {
    if (flags & CANCEL_ASKED) lost.push({ jobId: core.ids.encode(id), token, reason: "undoing" });
  }
  for (const [key, held] of core.held) {
    if (tokens.get(key) === held.token) continue;
    const row = findRow(core, key);
    lost.push({ jobId: held.jobId, token: held.token, reason: lossReasonOf(row) });
    core.held.delete(key);
  }
  return lost;
}
