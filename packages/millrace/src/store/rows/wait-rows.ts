// Waits, signals and approvals as both stores read them.

import type { StoredWait } from "../../job/wait.ts";
import type { PublicIds } from "../../lib/public-id.ts";
import type { KeptSignal, OpenApproval, WaitOfJob } from "../verbs/waits.ts";
import { approvalId } from "../waits/approval-ids.ts";
import { OPEN, QUEUED, SET_ASIDE, TAKEN, waitStateOf } from "../waits/codes.ts";

export interface WaitRow {
  stage: number;
  type: StoredWait["type"];
  name: string;
  state: number;
  since: number;
  until: number | null;
  value: string | null;
  answered_at: number | null;
}

/** The columns of a `WaitRow`. */
export const WAIT_COLUMNS = "stage, type, name, state, since, until, value, answered_at";

export function storedWaitOf({ type, name, state, since, until, value, answered_at }: WaitRow): StoredWait {
  return {
    type,
    name,
    state: waitStateOf(state),
    since,
    ...(until !== null && { until }),
    ...(value !== null && { value }),
    ...(answered_at !== null && { answeredAt: answered_at }),
  };
}

export function waitOfJob(row: WaitRow, stage: string): WaitOfJob {
  return { ...storedWaitOf(row), stage };
}

const SIGNAL_STATES = { [QUEUED]: "queued", [TAKEN]: "taken", [SET_ASIDE]: "set-aside" } as const;

export interface SignalRow {
  name: string;
  value: string;
  at: number;
  by: string | null;
  state: keyof typeof SIGNAL_STATES;
  reason: string | null;
}

export function keptSignalOf({ name, value, at, by, state, reason }: SignalRow): KeptSignal {
  return {
    name,
    value,
    at,
    state: SIGNAL_STATES[state],
    ...(by !== null && { by }),
    ...(reason !== null && { reason }),
  };
}

export interface ApprovalRow {
  id: number;
  job: number;
  stage: number;
  name: string;
  details: string;
  since: number;
  until: number | null;
  state: number;
}

export function openApprovalOf(
  { id, job, name, details, since, until, state }: ApprovalRow,
  { ids, kind, tenant, now }: { ids: PublicIds; kind: string; tenant: string; now: number },
): OpenApproval {
  const isOver = until !== null && until <= now;
  return {
    id: approvalId(ids, id),
    jobId: ids.encode(job),
    kind,
    tenant,
    name,
    details,
    since,
    ...(until !== null && { until }),
    isOpen: state === OPEN && !isOver,
  };
}
