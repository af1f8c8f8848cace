// Submissions that arrive together share one transaction. A plain one is a single statement and needs no facts. The others take
// the locks of all they look at first, in one order, load the facts, and are decided in memory, one after the other.

import { JOINED } from "../../codes.ts";
import type { JobSource, StoredJob } from "../../decide/join.ts";
import type { Refusal } from "../../decide/refusals.ts";
import {
  type Accepted,
  acceptedAnswer,
  decideSubmission,
  type SubmissionDecision,
  startsOf,
} from "../../decide/submission.ts";
import { type FirstAnswer, firstAnswerOf } from "../../rows/first-answer.ts";
import type { Submission, SubmitAnswer } from "../../verbs/submission.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Runner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import { NAMES_VERSION } from "../register/names.ts";
import { planlessLock } from "../register/planless.ts";
import { Group, onePerCore } from "../thread/group.ts";
import { GroupFacts, type LiveJob, storedOf, uniqueName } from "./facts.ts";
import { type Entry, insertAtOnce, insertJobs, putUnique, type UniqueRow } from "./insert.ts";
import { insertCompleted } from "./insert-completed.ts";
import { writeWindow } from "./window.ts";

const THE_MOMENT = `SELECT ${NOW} AS now, ${NAMES_VERSION} AS version, set_config('synchronous_commit', $2, true)`;
const PUT_IDEMPOTENT = `INSERT INTO millrace.idempotency (tenant, key, fingerprint, jobs, created_at)
  SELECT t.tenant::int, t.key, t.fingerprint, t.jobs, $5::bigint
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS t (tenant, key, fingerprint, jobs)
  ON CONFLICT (tenant, key) DO UPDATE SET fingerprint = excluded.fingerprint, jobs = excluded.jobs,
  created_at = excluded.created_at`;

const MARK_JOINED = `UPDATE millrace.job SET flags = flags | ${JOINED} WHERE id = ANY($1::bigint[])`;

/** Calls that come while transactions are under way share the next one. */
export function submit(core: Core, submissions: Submission[]): Promise<SubmitAnswer[]> {
  const jobs = submissions.reduce((sum, submission) => sum + submission.jobs.length, 0);
  return groupOf(core).ask(submissions, jobs);
}

const groupOf = onePerCore(
  (core) =>
    new Group<Submission[], SubmitAnswer[]>(async (asks) => {
      const answers = await submitTogether(core, asks.flat());
      return asks.map((ask) => answers.splice(0, ask.length));
    }),
);

async function submitTogether(core: Core, submissions: Submission[]): Promise<SubmitAnswer[]> {
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
  const entries = plans.flatMap((plan) => (Array.isArray(plan) ? plan : []));
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
    if (!Array.isArray(plan)) return plan;
    const jobIds = keys.slice(next, next + plan.length).map(core.ids.encode);
    next += plan.length;
    return acceptedAnswer({}, { jobIds, at: inserted.at, plans: foreignPlans(core, plan) });
  });
}

function foreignPlans(core: Core, stored: readonly StoredJob[]): Record<string, string[]> | undefined {
  return core.names.foreignPlans(stored.map(({ stage }) => stage));
}

/** The jobs of a submission with the stages at which they start. */
function entriesOf(core: Core, { submission, tenant }: Asked): Entry[] | Refusal {
  const stored = startsOf(core.names, submission.jobs);
  return Array.isArray(stored) ? stored.map((each) => ({ ...each, tenant })) : stored;
}

async function submitIn(core: Core, tx: Runner, asked: Asked[]): Promise<SubmitAnswer[]> {
  const { entries, now } = await choosePlans(core, tx, asked);
  const facts = await GroupFacts.load(core, tx, asked, entries, now);

  // What is decided for one submission counts for the next, though nothing is written yet.
  const decided = asked.map(({ submission, tenant }): Decided => {
    const decision = decideSubmission(facts.of(tenant), submission);
    if (decision.type !== "accepted") return decision;
    const first = firstAnswerOf(submission.jobs);
    facts.accept(submission, decision, tenant, first);
    return { ...decision, first, submission, tenant };
  });

  const accepted = decided.filter((each) => each.type === "accepted");
  await insertAll(core, tx, accepted, now);
  await writeBeside(core, tx, accepted, now);
  return decided.map((each): SubmitAnswer => {
    if (each.type === "refused") return each.answer;
    const { keys = [] } = each.type === "known" ? each.known.first : each.first;
    const jobIds = keys.map(core.ids.encode);
    if (each.type === "known") return each.answer(jobIds);
    return acceptedAnswer(each, { jobIds, at: now, plans: core.names.foreignPlans(each.starts) });
  });
}

/** Under the locks of all that is looked at, and by who lives at this moment. */
async function choosePlans(core: Core, tx: Runner, asked: Asked[]): Promise<{ entries: Entry[]; now: number }> {
  for (;;) {
    const plans = asked.map((each) => ({ ...each, plan: entriesOf(core, each) }));
    await lock(tx, core.connections.target.schema, locksFor(core, plans));
    const values = [core.clock.given, core.durable(true)];
    const [moment] = await tx.run<{ now: number; version: string }>(THE_MOMENT, values);
    const entries = plans.flatMap(({ plan }) => (Array.isArray(plan) ? plan : []));
    if (moment?.version === core.names.version) return { entries, now: moment.now };
    await core.names.load();
  }
}

/** A decision, with what is written for an accepted submission. */
type AcceptedSubmission = Accepted<LiveJob> & { first: FirstAnswer; submission: Submission; tenant: number };
type Decided = Exclude<SubmissionDecision<LiveJob>, Accepted<LiveJob>> | AcceptedSubmission;

function locksFor(core: Core, plans: (Asked & { plan: Entry[] | Refusal })[]): string[] {
  const { queueMax, maxNewJobsPerMinute, maxConcurrentPerTenant } = core.options.limits;
  const names: string[] = [];
  for (const { submission, tenant, plan } of plans) {
    if (submission.idempotency) names.push(`idempotency ${tenant} ${submission.idempotency.key}`);
    if (maxNewJobsPerMinute > 0) names.push(`rate ${tenant}`);
    if (maxConcurrentPerTenant > 0) names.push(`places ${tenant}`);
    for (const { job, stage } of Array.isArray(plan) ? plan : []) {
      if (job.uniqueKey !== undefined) names.push(`unique ${uniqueName(stage.kind, tenant, job.uniqueKey)}`);
      if (queueMax > 0) names.push(`queue ${stage.queue}`);
      if (stage.plan === undefined) names.push(planlessLock(stage.kindName));
    }
  }
  return names;
}

/** In the order of the submissions, since a later one may have joined a job of an earlier one. */
async function insertAll(core: Core, tx: Runner, accepted: AcceptedSubmission[], now: number): Promise<void> {
  const ordinary = accepted.flatMap(({ added, tenant }) =>
    added.filter(({ job }) => !job.completed).map((stored) => ({ ...stored, tenant })),
  );
  const inserted = (ordinary.length > 0 ? await insertJobs(tx, core, ordinary, now) : []).values();
  const joined = new Set<number>();
  for (const { first, sources, added, tenant } of accepted) {
    const keys: number[] = [];
    first.keys = keys;
    for (const source of sources ?? added.map((stored) => ({ from: "new", stored }) as const)) {
      if (source.from !== "new") {
        const key = joinedKey(source, keys);
        keys.push(key);
        joined.add(key);
      } else if (source.stored.job.completed) {
        keys.push(await insertCompleted(core, tx, { ...source.stored, tenant }, now));
      } else keys.push(inserted.next().value as number);
    }
  }
  // Told apart from a job that only its submitter waits for.
  if (joined.size > 0) await tx.run(MARK_JOINED, [numbers([...joined].sort((a, b) => a - b))]);
}

function joinedKey(source: Exclude<JobSource<LiveJob>, { from: "new" }>, keys: readonly number[]): number {
  if (source.from === "earlier") return keys[source.index] as number;
  const { live } = source;
  return live.id ?? (live.made.first.keys?.[live.made.index] as number);
}

async function writeBeside(core: Core, tx: Runner, accepted: AcceptedSubmission[], now: number): Promise<void> {
  const unique = accepted.flatMap(({ tenant, first, ...decision }) =>
    storedOf(decision).flatMap(({ stored: { job, stage }, index }): UniqueRow[] =>
      job.uniqueKey === undefined
        ? []
        : [{ kind: stage.kind, tenant, key: job.uniqueKey, job: first.keys?.[index] as number }],
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
  for (const { tenant, added } of accepted) passed.set(tenant, (passed.get(tenant) ?? 0) + added.length);
  for (const [tenant, jobs] of passed) {
    if (jobs > 0) await writeWindow(tx, { what: "submit", count, perMs: 60_000 }, tenant, now, jobs);
  }
}
