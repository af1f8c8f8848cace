// Idempotency, unique keys, limits, queue room, insert: in that order. What is asked meanwhile shares one transaction.
// A plain submission needs no look at anything: it is one statement. The others take the locks of all they look at
// first, in one order, and then decide in memory, one submission after the other.

import { JOINED } from "../../codes.ts";
import type { NewJob, RefusalCode, Submission, SubmitAnswer } from "../../store.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Runner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import { NAMES_VERSION } from "../register/names.ts";
import { planlessLock } from "../register/planless.ts";
import { type Entry, insertAtOnce, insertJobs, putUnique, type UniqueRow } from "./insert.ts";
import { insertCompleted } from "./insert-completed.ts";
import { type FirstAnswer, type Place, Room, uniqueName } from "./room.ts";
import { writeWindow } from "./window.ts";

const THE_MOMENT = `SELECT ${NOW} AS now, ${NAMES_VERSION} AS version, set_config('synchronous_commit', $2, true)`;
const PUT_IDEMPOTENT = `INSERT INTO millrace.idempotency (tenant, key, fingerprint, jobs, created_at)
  SELECT t.tenant::int, t.key, t.fingerprint, t.jobs, $5::bigint
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS t (tenant, key, fingerprint, jobs)
  ON CONFLICT (tenant, key) DO UPDATE SET fingerprint = excluded.fingerprint, jobs = excluded.jobs,
  created_at = excluded.created_at`;

const MARK_JOINED = `UPDATE millrace.job SET flags = flags | ${JOINED} WHERE id = ANY($1::bigint[])`;

export async function submit(core: Core, submissions: Submission[]): Promise<SubmitAnswer[]> {
  const tenants = await core.names.tenants(submissions.map(({ tenant }) => tenant));
  await core.names.knowKinds(new Set(submissions.flatMap(({ jobs }) => jobs.map(({ kind }) => kind))));
  const asked = submissions.map((submission): Asked => ({ submission, tenant: tenants.get(submission.tenant) ?? 0 }));
  const answers =
    asked.every((each) => isPlain(core, each)) && !hasLimits(core)
      ? await submitPlain(core, asked)
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

function isPlain(core: Core, { submission }: Asked): boolean {
  return (
    submission.idempotency === undefined &&
    submission.jobs.every(
      ({ kind, uniqueKey, completed }) =>
        uniqueKey === undefined && completed === undefined && core.names.firstStage(kind)?.plan !== undefined,
    )
  );
}

function hasLimits({ options: { limits } }: Core): boolean {
  const { queueMax, maxNewJobsPerMinute, maxConcurrentPerTenant, tenantOverflow } = limits;
  return queueMax > 0 || maxNewJobsPerMinute > 0 || (maxConcurrentPerTenant > 0 && tenantOverflow === "reject");
}

async function submitPlain(core: Core, asked: Asked[]): Promise<SubmitAnswer[]> {
  const plans = asked.map((each) => entriesOf(core, each));
  const entries = plans.flatMap((plan) => ("entries" in plan ? plan.entries : []));
  const inserted = entries.length > 0 ? await insertAtOnce(core, entries) : { keys: [], at: core.clock.now() };
  const { keys } = inserted;
  if (keys === null) {
    // A process came or went since the plans were chosen.
    await core.names.load();
    return submit(
      core,
      asked.map(({ submission }) => submission),
    );
  }
  let next = 0;
  return plans.map((plan): SubmitAnswer => {
    if (!("entries" in plan)) return plan;
    const mine = keys.slice(next, next + plan.entries.length);
    next += mine.length;
    return { type: "accepted", jobIds: mine.map(core.ids.encode), at: inserted.at, ...plansOf(core, plan.entries) };
  });
}

function plansOf(core: Core, entries: Entry[]): { plans?: Record<string, string[]> } {
  const plans = core.names.foreignPlans(entries.map(({ stage }) => stage));
  return plans ? { plans } : {};
}

type Refused = Extract<SubmitAnswer, { type: "refused" }>;

function entriesOf(core: Core, { submission, tenant }: Asked): { entries: Entry[] } | Refused {
  const entries: Entry[] = [];
  for (const job of submission.jobs) {
    const stage = core.names.firstStage(job.kind);
    if (!stage) return refuse("kind-unknown", `Unknown kind "${job.kind}".`);
    entries.push({ job, stage, tenant });
  }
  return { entries };
}

async function submitIn(core: Core, tx: Runner, asked: Asked[]): Promise<SubmitAnswer[]> {
  const { plans, now } = await choosePlans(core, tx, asked);
  const room = await Room.look(
    core,
    tx,
    asked,
    plans.flatMap(({ plan }) => ("entries" in plan ? plan.entries : [])),
    now,
  );

  // What is decided for one submission counts for the next, though nothing is written yet.
  const decided = plans.map(({ submission, tenant, plan }): Decided => {
    const replay = room.replay(submission, tenant);
    if (replay) return { ...replay };
    if (!("entries" in plan)) return { answer: plan };
    const places = room.places(plan.entries);
    const added = places.flatMap((place) => (place.of === "new" ? [place.entry] : []));
    const refusal = room.refusal(added, tenant, now);
    if (refusal) return { answer: refusal };
    const first: FirstAnswer = { ...traceOfFirst(submission.jobs) };
    room.take(submission, places, tenant, first, now);
    return { first, places, submission, tenant };
  });

  const accepted = decided.filter((each) => "places" in each);
  await insertAll(core, tx, accepted, now);
  await writeBeside(core, tx, accepted, now);
  return decided.map((each): SubmitAnswer => {
    if ("answer" in each) return each.answer;
    const { keys = [] } = each.first;
    const jobIds = keys.map(core.ids.encode);
    if ("places" in each) {
      const entries = each.places.flatMap((place) => (place.of === "new" ? [place.entry] : []));
      return { type: "accepted", jobIds, at: now, ...specialPlaces(each.places), ...plansOf(core, entries) };
    }
    if (each.conflict === undefined) {
      return { type: "replayed", jobIds, at: each.at, ...(each.first.traceId && { traceId: each.first.traceId }) };
    }
    return refuse("idempotency-conflict", each.conflict, jobIds[0] === undefined ? {} : { jobId: jobIds[0] });
  });
}

interface Chosen extends Asked {
  plan: { entries: Entry[] } | Refused;
}

/** Under the locks of all that is looked at, and by who lives at this moment. */
async function choosePlans(core: Core, tx: Runner, asked: Asked[]): Promise<{ plans: Chosen[]; now: number }> {
  for (;;) {
    const plans = asked.map((each) => ({ ...each, plan: entriesOf(core, each) }));
    await lock(tx, core.connections.target.schema, locksFor(core, plans));
    const values = [core.clock.given, core.durable(true)];
    const [moment] = await tx.run<{ now: number; version: string }>(THE_MOMENT, values);
    if (moment?.version === core.names.version) return { plans, now: moment.now };
    await core.names.load();
  }
}

type Accepted = { first: FirstAnswer; places: Place[]; submission: Submission; tenant: number };
/** Refused; a replay of a first answer, whose keys may be known only once it is written; or accepted. */
type Decided = { answer: SubmitAnswer } | { first: FirstAnswer; at: number; conflict?: string } | Accepted;

function locksFor(core: Core, plans: Chosen[]): string[] {
  const { queueMax, maxNewJobsPerMinute, maxConcurrentPerTenant } = core.options.limits;
  const names: string[] = [];
  for (const { submission, tenant, plan } of plans) {
    if (submission.idempotency) names.push(`idempotency ${tenant} ${submission.idempotency.key}`);
    if (maxNewJobsPerMinute > 0) names.push(`rate ${tenant}`);
    if (maxConcurrentPerTenant > 0) names.push(`places ${tenant}`);
    for (const { job, stage } of "entries" in plan ? plan.entries : []) {
      if (job.uniqueKey !== undefined) names.push(`unique ${uniqueName(stage.kind, tenant, job.uniqueKey)}`);
      if (queueMax > 0) names.push(`queue ${stage.queue}`);
      if (stage.plan === undefined) names.push(planlessLock(stage.kindName));
    }
  }
  return names;
}

/** In the order of the submissions, since a later one may have joined a job of an earlier one. */
async function insertAll(core: Core, tx: Runner, accepted: Accepted[], now: number): Promise<void> {
  const ordinary = accepted.flatMap(({ places }) =>
    places.flatMap((place) => (place.of === "new" && !place.entry.job.completed ? [place.entry] : [])),
  );
  const inserted = ordinary.length > 0 ? await insertJobs(tx, core, ordinary, now) : [];
  let next = 0;
  const joined: number[] = [];
  for (const { first, places } of accepted) {
    const keys: number[] = [];
    first.keys = keys;
    for (const place of places) {
      if (place.of !== "new") {
        const key = place.of === "live" ? place.key : (place.of === "made" ? place.first.keys : keys)?.[place.place];
        keys.push(key as number);
        joined.push(key as number);
      } else if (place.entry.job.completed) keys.push(await insertCompleted(core, tx, place.entry, now));
      else keys.push(inserted[next++] as number);
    }
  }
  // Told apart from a job that only its submitter waits for.
  if (joined.length > 0) await tx.run(MARK_JOINED, [numbers([...new Set(joined)].sort((a, b) => a - b))]);
}

function specialPlaces(places: Place[]): { joined?: number[]; completed?: number[] } {
  const where = (is: (place: Place) => boolean) => places.flatMap((place, i) => (is(place) ? [i] : []));
  const joined = where((place) => place.of !== "new");
  const completed = where((place) => place.of === "new" && place.entry.job.completed !== undefined);
  return { ...(joined.length > 0 && { joined }), ...(completed.length > 0 && { completed }) };
}

async function writeBeside(core: Core, tx: Runner, accepted: Accepted[], now: number): Promise<void> {
  const unique = accepted.flatMap(({ places, tenant, first }) =>
    places.flatMap((place, i): UniqueRow[] => {
      if (place.of !== "new" || place.entry.job.uniqueKey === undefined) return [];
      const { job, stage } = place.entry;
      return [{ kind: stage.kind, tenant, key: job.uniqueKey as string, job: first.keys?.[i] as number }];
    }),
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
  for (const { tenant, places } of accepted) {
    const added = places.filter(({ of }) => of === "new").length;
    passed.set(tenant, (passed.get(tenant) ?? 0) + added);
  }
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
