// Rows of outboxes become jobs, parallel to PostgreSQL's.

import { afterRefusal } from "../../../job/lifecycle.ts";
import { deadSubmission, decideRow } from "../../decide/outbox/rows.ts";
import { standpoint } from "../../rows/job-row.ts";
import { type OutboxStateRow, outboxStateOf } from "../../rows/outbox-row.ts";
import type {
  HeldOutbox,
  OutboxAnswer,
  OutboxLease,
  OutboxLeaseRequest,
  OutboxRow,
  OutboxState,
} from "../../verbs/outbox/outboxes.ts";
import type { Core, ReadView } from "../core.ts";
import { findRow } from "../read/row.ts";
import { apply } from "../settle/apply.ts";
import { submit } from "./submit.ts";

const FIND = "SELECT token, holder, expires_at FROM outbox WHERE name = ?";
const PUT = `INSERT INTO outbox (name, label, token, holder, expires_at, seen_at, waiting, oldest_ms, trouble)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
  ON CONFLICT (name) DO UPDATE SET label = ?2, token = ?3, holder = ?4, expires_at = ?5, seen_at = ?6, waiting = ?7, oldest_ms = ?8,
    trouble = ?9`;
const EXTEND = "UPDATE outbox SET expires_at = ? WHERE name = ?";
const LEAVE = "UPDATE outbox SET expires_at = 0 WHERE name = ? AND token = ?";
const APPLIED = "SELECT id FROM outbox_applied WHERE outbox = ? LIMIT 10000";
const IS_APPLIED = "SELECT 1 FROM outbox_applied WHERE outbox = ? AND id = ?";
const ADD_APPLIED = "INSERT INTO outbox_applied (outbox, id) VALUES (?, ?)";
const FORGET = "DELETE FROM outbox_applied WHERE outbox = ? AND id = ?";
const ALL = "SELECT name, label, seen_at, waiting, oldest_ms, trouble FROM outbox ORDER BY label, name";

interface LeaseRow {
  token: number;
  holder: string;
  expires_at: number;
}

export function leaseOutbox(core: Core, request: OutboxLeaseRequest): OutboxLease | undefined {
  const { name, label, holder, forMs, seen } = request;
  const now = core.clock.now();
  const row = core.statement(FIND).get(name) as LeaseRow | undefined;
  const isOurs = row?.holder === holder && row.expires_at > 0;
  // A term that ends later than any term can was set before the clock was set back.
  if (row && !isOurs && row.expires_at > now && row.expires_at <= now + forMs) return undefined;
  const token = isOurs ? row.token : (row?.token ?? 0) + 1;
  if (isOurs && !seen) {
    core.statement(EXTEND).run(now + forMs, name);
  } else {
    const { waiting = 0, oldestMs = null, trouble = null } = seen ?? {};
    core.statement(PUT).run(name, label, token, holder, now + forMs, now, waiting, oldestMs, trouble);
  }
  const applied = isOurs ? [] : (core.statement(APPLIED).all(name) as { id: string }[]).map(({ id }) => id);
  return { name, token, applied };
}

export function leaveOutbox(core: Core, { name, token }: HeldOutbox): void {
  core.statement(LEAVE).run(name, token);
}

export function applyOutbox(
  core: Core,
  { name, token }: HeldOutbox,
  rows: OutboxRow[],
  forget: string[],
): OutboxAnswer | "lease-lost" {
  const held = core.statement(FIND).get(name) as LeaseRow | undefined;
  if (held?.token !== token || held.expires_at <= core.clock.now()) return "lease-lost";
  for (const id of forget) core.statement(FORGET).run(name, id);
  const answer: OutboxAnswer = { applied: [], later: [], stored: 0 };
  for (const row of rows) {
    if (core.statement(IS_APPLIED).get(name, row.id)) {
      answer.applied.push(row.id);
      continue;
    }
    const [submitted] = row.failure ? [] : submit(core, [row.submission]);
    const decision = decideRow(row, submitted);
    if (decision.type === "later") {
      answer.later.push({ id: row.id, message: decision.message });
      continue;
    }
    if (decision.type === "dead" && !storeDead(core, row, decision.failure)) {
      answer.later.push({ id: row.id, message: decision.failure.message });
      continue;
    }
    core.statement(ADD_APPLIED).run(name, row.id);
    answer.applied.push(row.id);
    answer.stored++;
  }
  if (answer.stored > 0) core.wakePools();
  return answer;
}

/** False: the store takes no job at all for the moment. */
function storeDead(core: Core, { submission }: OutboxRow, failure: Parameters<typeof afterRefusal>[1]): boolean {
  const [submitted] = submit(core, [deadSubmission(submission)]);
  if (submitted?.type !== "accepted") return false;
  for (const jobId of submitted.jobIds) {
    const row = findRow(core, core.ids.decode(jobId) as number);
    if (!row) throw new Error(`job ${jobId} of an outbox is not stored`);
    apply(core, row, afterRefusal(standpoint(row), failure), core.clock.now());
  }
  return true;
}

export function outboxes(core: ReadView): OutboxState[] {
  const now = core.clock.now();
  return (core.statement(ALL).all() as unknown as OutboxStateRow[]).map((row) => outboxStateOf(row, now));
}
