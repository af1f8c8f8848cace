// Idempotency, unique keys, limits, queue room, insert: in that order. What is asked meanwhile shares one transaction.
// A plain submission needs no look at anything: it is one statement. The others take the locks of all they look at
// first, in one order, and then decide in memory, one submission after the other.

import type { NewJob, RefusalCode, Submission, SubmitAnswer } from "../store.ts";
import { texts } from "./arrays.ts";
import { NOW } from "./clock.ts";
import type { Runner } from "./connection.ts";
import type { Core } from "./core.ts";
import { type Entry, insertJobs, putUnique, type UniqueRow } from "./insert.ts";
import { lock } from "./locks.ts";
import { type FirstAnswer, Room, uniqueName } from "./room.ts";
import { writeWindow } from "./window.ts";

const THE_MOMENT = `SELECT ${NOW} AS now, set_config('synchronous_commit', $2, true)`;
const PUT_IDEMPOTENT = `INSERT INTO millrace.idempotency (tenant, key, fingerprint, jobs, created_at)
  SELECT t.tenant::int, t.key, t.fingerprint, t.jobs, $5::bigint
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS t (tenant, key, fingerprint, jobs)
  ON CONFLICT (tenant, key) DO UPDATE SET fingerprint = excluded.fingerprint, jobs = excluded.jobs,
  created_at = excluded.created_at`;

export async function submit(core: Core, submissions: Submission[]): Promise<SubmitAnswer[]> {
  const tenants = await core.names.tenants(submissions.map(({ tenant }) => tenant));
  await core.names.knowKinds(new Set(submissions.flatMap(({ jobs }) => jobs.map(({ kind }) => kind))));
  const asked = submissions.map((submission): Asked => ({ submission, tenant: tenants.get(submission.tenant) ?? 0 }));
  const answers =
    asked.every(isPlain) && !hasLimits(core)
      ? await submitPlain(core, core.connections.write, asked, core.clock.given)
      : await core.connections.write.transact((tx) => submitIn(core, tx, asked));
  if (answers.some((answer) => answer.type === "accepted" && answer.jobIds.length > 0)) core.voice.say("work");
  return answers;
}

/** Inside a transaction of somebody else's (a schedule that fires). */
export async function submitWithin(core: Core, tx: Runner, submission: Submission): Promise<SubmitAnswer> {
  const tenants = await core.names.tenants([submission.tenant]);
  await core.names.knowKinds(submission.jobs.map(({ kind }) => kind));
  const [answer] = await submitIn(core, tx, [{ submission, tenant: tenants.get(submission.tenant) as number }]);
  return answer as SubmitAnswer;
}

interface Asked {
  submission: Submission;
  tenant: number;
}

function isPlain({ submission }: Asked): boolean {
  return submission.idempotency === undefined && submission.jobs.every(({ uniqueKey }) => uniqueKey === undefined);
}

function hasLimits({ options: { limits } }: Core): boolean {
  const { queueMax, maxNewJobsPerMinute, maxConcurrentPerTenant, tenantOverflow } = limits;
  return queueMax > 0 || maxNewJobsPerMinute > 0 || (maxConcurrentPerTenant > 0 && tenantOverflow === "reject");
}

async function submitPlain(core: Core, db: Runner, asked: Asked[], now: number | null): Promise<SubmitAnswer[]> {
  const plans = asked.map((each) => entriesOf(core, each));
  const entries = plans.flatMap((plan) => ("entries" in plan ? plan.entries : []));
  const rows = entries.length > 0 ? await insertJobs(db, core, entries, now) : [];
  return plans.map((plan): SubmitAnswer => {
    if (!("entries" in plan)) return plan;
    const mine = rows.splice(0, plan.entries.length);
    return { type: "accepted", jobIds: mine.map(({ id }) => core.ids.encode(id)), at: mine[0]?.at ?? core.clock.now() };
  });
}

type Refused = Extract<SubmitAnswer, { type: "refused" }>;

function entriesOf(core: Core, { submission, tenant }: Asked): { entries: Entry[] } | Refused {
  const entries: Entry[] = [];
  for (const job of submission.jobs) {
    const stage = core.names.firstStage(job.kind);
    if (!stage) return refuse("kind-unknown", `No kind is called "${job.kind}".`);
    entries.push({ job, stage, tenant });
  }
  return { entries };
}

async function submitIn(core: Core, tx: Runner, asked: Asked[]): Promise<SubmitAnswer[]> {
  const plans = asked.map((each) => ({ ...each, plan: entriesOf(core, each) }));
  await lock(tx, core.connections.target.schema, locksFor(core, plans));
  const [moment] = await tx.run<{ now: number }>(THE_MOMENT, [core.clock.given, core.durable(true)]);
  const now = moment?.now as number;
  const room = await Room.look(
    core,
    tx,
    asked,
    plans.flatMap(({ plan }) => ("entries" in plan ? plan.entries : [])),
    now,
  );

  // What is decided for one submission counts for the next, though nothing is written yet.
  const decided = plans.map(({ submission, tenant, plan }): Decided => {
    const replay = room.replay(submission, tenant, now);
    if (replay) return { ...replay };
    if (!("entries" in plan)) return { answer: plan };
    const refusal = room.refusal(plan.entries, tenant, now);
    if (refusal) return { answer: refusal };
    const first: FirstAnswer = { ...traceOfFirst(submission.jobs) };
    room.take(submission, plan.entries, tenant, first, now);
    return { first, entries: plan.entries, submission, tenant };
  });

  const accepted = decided.filter((each) => "entries" in each);
  const rows = await insertAll(core, tx, accepted, now);
  for (const { first, entries } of accepted) first.keys = rows.splice(0, entries.length);
  await writeBeside(core, tx, accepted, now);
  return decided.map((each): SubmitAnswer => {
    if ("answer" in each) return each.answer;
    const { keys = [] } = each.first;
    const jobIds = keys.map(core.ids.encode);
    if ("entries" in each) return { type: "accepted", jobIds, at: now };
    if (each.conflict === undefined) {
      return { type: "replayed", jobIds, at: each.at, ...(each.first.traceId && { traceId: each.first.traceId }) };
    }
    return refuse("idempotency-conflict", each.conflict, jobIds[0] === undefined ? {} : { jobId: jobIds[0] });
  });
}

type Accepted = { first: FirstAnswer; entries: Entry[]; submission: Submission; tenant: number };
/** Refused; a replay of a first answer, whose keys may be known only once it is written; or accepted. */
type Decided = { answer: SubmitAnswer } | { first: FirstAnswer; at: number; conflict?: string } | Accepted;

function locksFor(core: Core, plans: (Asked & { plan: { entries: Entry[] } | Refused })[]): string[] {
  const { queueMax, maxNewJobsPerMinute, maxConcurrentPerTenant } = core.options.limits;
  const names: string[] = [];
  for (const { submission, tenant, plan } of plans) {
    if (submission.idempotency) names.push(`idempotency ${tenant} ${submission.idempotency.key}`);
    if (maxNewJobsPerMinute > 0) names.push(`rate ${tenant}`);
    if (maxConcurrentPerTenant > 0) names.push(`places ${tenant}`);
    for (const { job, stage } of "entries" in plan ? plan.entries : []) {
      if (job.uniqueKey !== undefined) names.push(`unique ${uniqueName(stage.kind, tenant, job.uniqueKey)}`);
      if (queueMax > 0) names.push(`queue ${stage.id}`);
    }
  }
  return names;
}

async function insertAll(core: Core, tx: Runner, accepted: Accepted[], now: number): Promise<number[]> {
  const entries = accepted.flatMap((each) => each.entries);
  if (entries.length === 0) return [];
  const rows = await insertJobs(tx, core, entries, now);
  return rows.map(({ id }) => id);
}

async function writeBeside(core: Core, tx: Runner, accepted: Accepted[], now: number): Promise<void> {
  const unique = accepted.flatMap(({ entries, tenant, first }) =>
    entries.flatMap(({ job, stage }, i): UniqueRow[] =>
      job.uniqueKey === undefined
        ? []
        : [{ kind: stage.kind, tenant, key: job.uniqueKey, job: first.keys?.[i] as number }],
    ),
  );
  await putUnique(tx, unique);
  const keyed = accepted.filter(({ submission }) => submission.idempotency !== undefined);
  if (keyed.length > 0) {
    await tx.run(PUT_IDEMPOTENT, [
      texts(keyed.map(({ tenant }) => String(tenant))),
      texts(keyed.map(({ submission }) => submission.idempotency?.key)),
      texts(keyed.map(({ submission }) => submission.idempotency?.fingerprint)),
      texts(keyed.map(({ first }) => JSON.stringify({ ...first, keys: first.keys ?? [] }))),
      now,
    ]);
  }
  const { maxNewJobsPerMinute: count } = core.options.limits;
  if (count === 0) return;
  const passed = new Map<number, number>();
  for (const { tenant, entries } of accepted) passed.set(tenant, (passed.get(tenant) ?? 0) + entries.length);
  for (const [tenant, jobs] of passed) {
    if (jobs > 0) await writeWindow(tx, { what: "submit", count, perMs: 60_000 }, tenant, now, jobs);
  }
}

function traceOfFirst([first]: NewJob[]): { traceId?: string } {
  return first?.traceId === undefined ? {} : { traceId: first.traceId };
}

function refuse(code: RefusalCode, message: string, more: { jobId?: string; retryAfterMs?: number } = {}): Refused {
  return { type: "refused", code, message, ...more };
}
