// Rows of outboxes become jobs. The lock of the outbox's row comes first: another process that takes the lease waits for the commit, or
// this one finds another token.

import type { Failure } from "../../../job/failure.ts";
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
import { numbers, texts } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { applyAll } from "../settle/apply.ts";
import { readySubmission, submitEach } from "./submit.ts";

// A term that ends later than any term can was set before the clock was set back.
const LEASE = `INSERT INTO millrace.outbox AS known (name, label, token, holder, expires_at, seen_at, waiting, oldest_ms, trouble)
  VALUES ($2::text, $3::text, 1, $4::text, ${NOW} + $5::bigint, ${NOW}, coalesce($6::bigint, 0), $7::bigint, $8::text)
  ON CONFLICT (name) DO UPDATE
  SET label = excluded.label,
    token = known.token + CASE WHEN known.holder = excluded.holder AND known.expires_at > 0 THEN 0 ELSE 1 END,
    holder = excluded.holder,
    expires_at = excluded.expires_at,
    seen_at = CASE WHEN $6::bigint IS NULL THEN known.seen_at ELSE excluded.seen_at END,
    waiting = coalesce($6::bigint, known.waiting),
    oldest_ms = CASE WHEN $6::bigint IS NULL THEN known.oldest_ms ELSE excluded.oldest_ms END,
    trouble = CASE WHEN $6::bigint IS NULL THEN known.trouble ELSE excluded.trouble END
  WHERE known.holder = excluded.holder OR known.expires_at <= ${NOW} OR known.expires_at > ${NOW} + $5::bigint
  RETURNING token`;
const LEAVE = "UPDATE millrace.outbox SET expires_at = 0 WHERE name = $1 AND token = $2";
const APPLIED = "SELECT id FROM millrace.outbox_applied WHERE outbox = $1 LIMIT 10000";
const LOCK = `SELECT token, set_config('synchronous_commit', $2, true)
  FROM millrace.outbox
  WHERE name = $3 AND token = $4 AND expires_at > ${NOW}
  FOR UPDATE`;
const FORGET = "DELETE FROM millrace.outbox_applied WHERE outbox = $1 AND id = ANY($2::text[])";
const KNOWN = "SELECT id FROM millrace.outbox_applied WHERE outbox = $1 AND id = ANY($2::text[])";
const ADD_APPLIED = "INSERT INTO millrace.outbox_applied (outbox, id) SELECT $1, unnest($2::text[])";
const LOCK_JOBS = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = ANY($2::bigint[]) ORDER BY id FOR UPDATE`;
const ALL = `SELECT name, label, seen_at, waiting, oldest_ms, trouble, ${NOW} AS now FROM millrace.outbox ORDER BY label, name`;

export async function leaseOutbox(core: Core, request: OutboxLeaseRequest): Promise<OutboxLease | undefined> {
  const { name, label, holder, forMs, seen } = request;
  const { write } = core.connections;
  const before = await write.run<{ token: number }>("SELECT token FROM millrace.outbox WHERE name = $1", [name]);
  const [row] = await write.run<{ token: number }>(LEASE, [
    ...[core.clock.given, name, label, holder, forMs],
    ...[seen?.waiting ?? null, seen?.oldestMs ?? null, seen?.trouble ?? null],
  ]);
  if (!row) return undefined;
  const isNew = before[0]?.token !== row.token;
  const applied = isNew ? await write.run<{ id: string }>(APPLIED, [name]) : [];
  return { name, token: row.token, applied: applied.map(({ id }) => id) };
}

export async function leaveOutbox(core: Core, { name, token }: HeldOutbox): Promise<void> {
  await core.connections.write.run(LEAVE, [name, token]);
}

export async function applyOutbox(
  core: Core,
  held: HeldOutbox,
  rows: OutboxRow[],
  forget: string[],
): Promise<OutboxAnswer | "lease-lost"> {
  for (const { submission } of rows) await readySubmission(core, submission);
  const answer = await core.connections.write.transact((tx) => applyIn(core, tx, held, { rows, forget }));
  if (answer !== "lease-lost" && answer.stored > 0) {
    core.voice.say("work");
    core.events.wake();
  }
  return answer;
}

async function applyIn(
  core: Core,
  tx: OwnTransaction,
  { name, token }: HeldOutbox,
  { rows, forget }: { rows: readonly OutboxRow[]; forget: readonly string[] },
): Promise<OutboxAnswer | "lease-lost"> {
  const values = [core.clock.given, core.durable(true), name, token];
  if ((await tx.run(LOCK, values)).length === 0) return "lease-lost";
  if (forget.length > 0) await tx.run(FORGET, [name, texts(forget)]);
  const known = new Set(
    (await tx.run<{ id: string }>(KNOWN, [name, texts(rows.map(({ id }) => id))])).map(({ id }) => id),
  );
  const fresh = rows.filter(({ id }) => !known.has(id));
  const sound = fresh.filter(({ failure }) => failure === undefined);
  const submitted = await submitEach(
    core,
    tx,
    sound.map(({ submission }) => submission),
  );
  const answerOf = new Map(sound.map((row, i) => [row, submitted[i]]));
  const later: OutboxAnswer["later"] = [];
  const stored: string[] = [];
  const dead: { row: OutboxRow; failure: Failure }[] = [];
  for (const row of fresh) {
    const decision = decideRow(row, answerOf.get(row));
    if (decision.type === "stored") stored.push(row.id);
    else if (decision.type === "later") later.push({ id: row.id, message: decision.message });
    else dead.push({ row, failure: decision.failure });
  }
  if (dead.length > 0) {
    for (const { row, message } of await storeDead(core, tx, dead)) {
      if (message === undefined) stored.push(row.id);
      else later.push({ id: row.id, message });
    }
  }
  if (stored.length > 0) await tx.run(ADD_APPLIED, [name, texts(stored)]);
  return { applied: [...known, ...stored], later, stored: stored.length };
}

/** With a message where the store takes no job at all for the moment. */
async function storeDead(
  core: Core,
  tx: OwnTransaction,
  dead: readonly { row: OutboxRow; failure: Failure }[],
): Promise<{ row: OutboxRow; message?: string }[]> {
  const answers = await submitEach(
    core,
    tx,
    dead.map(({ row }) => deadSubmission(row.submission)),
  );
  const failures = new Map<number, Failure>();
  const ended = dead.map(({ row, failure }, i): { row: OutboxRow; message?: string } => {
    const answer = answers[i];
    if (answer?.type !== "accepted") return { row, message: failure.message };
    for (const jobId of answer.jobIds) failures.set(core.ids.decode(jobId) as number, failure);
    return { row };
  });
  const rows = await tx.run<LockedRow>(LOCK_JOBS, [core.clock.given, numbers([...failures.keys()])]);
  await applyAll(
    core,
    tx,
    rows.map((row) => ({ row, change: afterRefusal(standpoint(row), failures.get(row.id) as Failure) })),
  );
  return ended;
}

export async function outboxes(core: Core): Promise<OutboxState[]> {
  const rows = await core.connections.write.run<OutboxStateRow & { now: number }>(ALL, [core.clock.given]);
  return rows.map((row) => outboxStateOf(row, row.now));
}
