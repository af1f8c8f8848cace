// Submissions that arrive together share one transaction. A plain one is a single statement and needs no facts. The others take
// the locks of all they look at first, in one order, load the facts, and are decided in memory, one after the other.

import { setTimeout as delay } from "node:timers/promises";
import { lastWins, type StoredJob } from "../../decide/join.ts";
import { limitsInForce, mayRefuse } from "../../decide/limits/in-force.ts";
import { keyBusy, type Refusal } from "../../decide/refusals.ts";
import {
  type Acceptance,
  acceptanceOf,
  acceptedAnswer,
  decideSubmission,
  type SubmissionDecision,
  startsOf,
} from "../../decide/submission.ts";
import { flagsOf } from "../../keys/codes.ts";
import { firstAnswerOf } from "../../rows/first-answer.ts";
import type { NewJob, Submission, SubmitAnswer } from "../../verbs/submission.ts";
import { NOW } from "../connection/clock.ts";
import type { OwnTransaction, PipelinedTransaction, StatementRunner } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import type { Core } from "../core.ts";
import { placeUnder } from "../followers/callers.ts";
import { type LockedKey, lockUnclaimed } from "../followers/unclaimed.ts";
import { takePlaces } from "../keys/places.ts";
import { NAMES_VERSION } from "../register/names.ts";
import { planlessLock } from "../register/planless.ts";
import { readyTwins } from "../register/twin.ts";
import { Group, onePerCore } from "../thread/group.ts";
import { GroupFacts, type LiveJob, uniqueName } from "./facts.ts";
import { type Entry, insertAtOnce } from "./insert.ts";
import { keyPause, tryLocks } from "./key-locks.ts";
import { limitsOf } from "./limits-of.ts";
import { type AcceptedSubmission, writeAccepted } from "./write-accepted.ts";

const THE_MOMENT = `SELECT ${NOW} AS now, ${NAMES_VERSION} AS version, set_config('synchronous_commit', $2, true)`;
/**
 * Calls that come while transactions are under way share the next one. A submission whose key another transaction holds leaves its
 * group and asks again later, so that no other submission waits for that transaction.
 */
export async function submit(core: Core, submissions: Submission[]): Promise<SubmitAnswer[]> {
  const answers = await askGroup(core, submissions);
  if (!answers.includes(BUSY)) return answers as SubmitAnswer[];
  return Promise.all(
    answers.map((answer, i) => (answer === BUSY ? askAgain(core, submissions[i] as Submission) : answer)),
  );
}

/** Another transaction holds the lock of a key. */
const BUSY = "busy" as const;
type GroupAnswer = SubmitAnswer | typeof BUSY;

async function askAgain(core: Core, submission: Submission): Promise<SubmitAnswer> {
  const until = performance.now() + core.options.limits.lockTimeoutMs;
  const pause = keyPause();
  while (performance.now() < until) {
    await delay(pause.begin());
    const [answer] = await askGroup(core, [submission]);
    if (answer !== undefined && answer !== BUSY) return answer;
  }
  return keyBusy();
}

/**
 * Submits in a transaction of its own and does more in the same commit. Like `submit` it never waits inside a transaction for a key
 * that another transaction holds.
 */
export async function submitAnd<T>(
  core: Core,
  submission: Submission,
  work: (tx: PipelinedTransaction, answer: SubmitAnswer) => Promise<T>,
): Promise<T | Refusal> {
  await readySubmission(core, submission);
  const until = performance.now() + core.options.limits.lockTimeoutMs;
  const pause = keyPause();
  for (;;) {
    const tenants = await core.names.tenants([submission.tenant]);
    await core.names.loadKinds(submission.jobs.map(({ kind }) => kind));
    const asked = { submission, tenant: tenants.get(submission.tenant) as number };
    const done = await core.connections.write.transact(async (tx) => {
      const [answer] = await submitFree(core, tx, [asked]);
      return answer === undefined || answer === BUSY ? BUSY : { value: await work(tx, answer) };
    });
    if (done !== BUSY) return done.value;
    if (performance.now() >= until) return keyBusy();
    await delay(pause.begin());
  }
}

function askGroup(core: Core, submissions: Submission[]): Promise<GroupAnswer[]> {
  const jobs = submissions.reduce((sum, submission) => sum + submission.jobs.length, 0);
  return groupOf(core).ask(submissions, jobs);
}

const groupOf = onePerCore(
  (core) =>
    new Group<Submission[], GroupAnswer[]>(async (asks) => {
      const answers = await submitTogether(core, asks.flat());
      return asks.map((ask) => answers.splice(0, ask.length));
    }),
);

async function submitTogether(core: Core, submissions: Submission[]): Promise<GroupAnswer[]> {
  const tenants = await core.names.tenants(submissions.map(({ tenant }) => tenant));
  await core.names.loadKinds(new Set(submissions.flatMap(({ jobs }) => jobs.map(({ kind }) => kind))));
  const asked = submissions.map(
    (submission): PendingSubmission => ({ submission, tenant: tenants.get(submission.tenant) ?? 0 }),
  );
  await readyStarts(core, asked);
  const answers =
    asked.every((each) => isPlain(core, each)) && !haveLimits(core, asked)
      ? await submitPlain(core, asked)
      : await core.connections.write.transact((tx) => submitFree(core, tx, asked));
  if (answers.some((answer) => answer !== BUSY && answer.type === "accepted" && answer.jobIds.length > 0))
    core.voice.say("work");
  // The order of a key is that in which its jobs became visible: a later commit must not come before this one.
  if (submissions.some(({ jobs }) => jobs.some((job) => isOrderedJob(core, job)))) await takePlaces(core);
  return answers;
}

function isOrderedJob(core: Core, { kind, concurrencyKey }: NewJob): boolean {
  const stage = concurrencyKey === undefined ? undefined : core.names.firstStage(kind);
  return stage !== undefined && core.names.isOrdered(stage);
}

/** The submissions whose keys no other transaction holds. */
async function submitFree(core: Core, tx: OwnTransaction, asked: PendingSubmission[]): Promise<GroupAnswer[]> {
  const named = asked.map((each) => ({ ...each, keys: keyNamesOf(core, each) }));
  const busy = await tryLocks(
    tx,
    core.connections.target.schema,
    named.flatMap(({ keys }) => keys),
  );
  if (busy.size === 0) return submitIn(core, tx, asked);
  const isBusy = named.map(({ keys }) => keys.some((key) => busy.has(key)));
  const answers = (
    await submitIn(
      core,
      tx,
      asked.filter((_, i) => !isBusy[i]),
    )
  ).values();
  return isBusy.map((each) => (each ? BUSY : (answers.next().value as SubmitAnswer)));
}

/** Submits each by itself, in a transaction of ours that also does something else. Call `readySubmission` before it. */
export async function submitEach(
  core: Core,
  tx: OwnTransaction,
  submissions: readonly Submission[],
): Promise<SubmitAnswer[]> {
  const tenants = await core.names.tenants(submissions.map(({ tenant }) => tenant));
  await core.names.loadKinds(submissions.flatMap(({ jobs }) => jobs.map(({ kind }) => kind)));
  const asked = submissions.map((submission) => ({ submission, tenant: tenants.get(submission.tenant) as number }));
  return (await submitFree(core, tx, asked)).map((answer) => (answer === BUSY ? keyBusy() : answer));
}

/** Jobs that others wait for start in the twins of their plans. These are made before the transaction. */
export async function readyStarts(core: Core, asked: readonly Pick<PendingSubmission, "submission">[]): Promise<void> {
  const kinds = new Set(
    asked.flatMap(({ submission }) => submission.jobs.flatMap((job) => (flagsOf(job) === 0 ? [] : [job.kind]))),
  );
  if (kinds.size === 0) return;
  await core.names.loadKinds(kinds);
  const stages = [...kinds].flatMap((kind) => core.names.firstStage(kind)?.id ?? []);
  await readyTwins(core, stages, core.clock.now());
}

/** What `submitInside` needs, made before its transaction. */
export async function readySubmission(core: Core, submission: Submission): Promise<void> {
  await core.names.tenants([submission.tenant]);
  await readyStarts(core, [{ submission }]);
}

/** Inside a transaction of ours that also does something else (a schedule that fires). It waits for the locks of its keys. */
export async function submitInside(core: Core, tx: OwnTransaction, submission: Submission): Promise<SubmitAnswer> {
  const tenants = await core.names.tenants([submission.tenant]);
  await core.names.loadKinds(submission.jobs.map(({ kind }) => kind));
  const asked = { submission, tenant: tenants.get(submission.tenant) as number };
  await lockKeys(core, tx, [asked]);
  const [answer] = await submitIn(core, tx, [asked]);
  return answer as SubmitAnswer;
}

/** Waits for the locks of all keys: for transactions of ours that no other submission shares. */
async function lockKeys(core: Core, tx: StatementRunner, asked: PendingSubmission[]): Promise<void> {
  const names = asked.flatMap((each) => keyNamesOf(core, each));
  await lock(tx, core.connections.target.schema, names);
}

/** The names of the locks of all keys that a submission uses. */
export function keyNames({ submission, tenant }: PendingSubmission, entries: readonly Entry[]): string[] {
  const { idempotency } = submission;
  const unique = entries.flatMap(({ job, stage }) => {
    const key = job.uniqueKey ?? job.throttle?.key;
    return key === undefined ? [] : [`unique ${uniqueName(stage.kind, tenant, key)}`];
  });
  return idempotency ? [`idempotency ${tenant} ${idempotency.key}`, ...unique] : unique;
}

export function keyNamesOf(core: Core, asked: PendingSubmission): string[] {
  const entries = entriesOf(core, asked);
  return keyNames(asked, Array.isArray(entries) ? entries : []);
}

export interface PendingSubmission {
  submission: Submission;
  tenant: number;
}

function isPlain(core: Core, { submission }: PendingSubmission): boolean {
  return (
    submission.idempotency === undefined &&
    submission.jobs.every(
      ({ kind, uniqueKey, completed, throttle }) =>
        uniqueKey === undefined &&
        completed === undefined &&
        throttle === undefined &&
        core.names.firstStage(kind)?.plan !== undefined,
    )
  );
}

/** A limit can refuse one of the submissions. */
function haveLimits(core: Core, asked: readonly PendingSubmission[]): boolean {
  const { options, names } = core;
  if (names.ownLimits.isEmpty) return mayRefuse(limitsInForce(options.limits));
  return asked.some(({ tenant }) => mayRefuse(limitsOf(core, tenant)));
}

async function submitPlain(core: Core, asked: PendingSubmission[]): Promise<GroupAnswer[]> {
  const plans = asked.map((each) => entriesOf(core, each));
  const entries = plans.flatMap((plan) => (Array.isArray(plan) ? plan : []));
  const inserted = entries.length > 0 ? await insertAtOnce(core, entries) : { keys: [], at: core.clock.now() };
  const { keys } = inserted;
  if (keys === null) {
    // A process came or went since the plans were chosen. This call has a place in its group, so it must not ask the group
    // again: when both places did so, every later submission of the process waited forever.
    await core.names.load();
    return submitTogether(
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
function entriesOf(core: Core, { submission, tenant }: PendingSubmission): Entry[] | Refusal {
  const stored = startsOf(core.names, submission.jobs);
  return Array.isArray(stored) ? stored.map((each) => ({ ...each, tenant })) : stored;
}

async function submitIn(core: Core, tx: OwnTransaction, asked: PendingSubmission[]): Promise<SubmitAnswer[]> {
  const prepared = await prepareSubmissions(core, tx, asked);
  const { facts, now } = prepared;
  const decided = asked.map((pending): SubmissionOutcome => {
    const decision = decideSubmission(facts.of(pending.tenant), pending.submission);
    return decision.type === "accepted" ? acceptedOf(prepared, pending, decision) : decision;
  });
  await writeAccepted(
    core,
    tx,
    decided.filter((each) => each.type === "accepted"),
    now,
  );
  return decided.map((each): SubmitAnswer => {
    if (each.type === "refused") return each.answer;
    const { keys = [] } = each.type === "known" ? each.known.first : each.first;
    const jobIds = keys.map(core.ids.encode);
    if (each.type === "known") return each.answer(jobIds);
    return acceptedAnswer(each, { jobIds, at: now, plans: core.names.foreignPlans(each.starts) });
  });
}

/** Submissions whose locks are held and whose facts are known. */
export interface PreparedSubmissions {
  readonly facts: GroupFacts;
  readonly now: number;
}

/** The caller holds the locks of the keys. `mayEnd`: the same commit may end jobs that have them. */
export async function prepareSubmissions(
  core: Core,
  tx: OwnTransaction,
  asked: PendingSubmission[],
  { mayEnd = false }: { mayEnd?: boolean } = {},
): Promise<PreparedSubmissions> {
  const { entries, now } = await choosePlans(core, tx, asked);
  const locked = await lockLast(
    core,
    tx,
    mayEnd ? entries.filter(({ job }) => job.uniqueKey) : entries.filter(({ job }) => lastWins(job)),
  );
  return { facts: await GroupFacts.load(core, tx, asked, { entries, now, locked }), now };
}

/** Locks what stands under the keys, with what committed transactions of callers have put there. */
async function lockLast(core: Core, tx: OwnTransaction, entries: readonly Entry[]): Promise<Map<string, LockedKey>> {
  const named = entries.map(({ job, stage, tenant }) => ({ kind: stage.kind, tenant, key: job.uniqueKey as string }));
  const names = [...new Map(named.map((each) => [uniqueName(each.kind, each.tenant, each.key), each])).values()];
  for (const name of names) await placeUnder(core, tx, name);
  return lockUnclaimed(core, tx, names);
}

/** What is accepted for one submission counts for the next, though nothing is written yet. */
export function acceptedOf(
  { facts }: PreparedSubmissions,
  { submission, tenant }: PendingSubmission,
  decision: Acceptance<LiveJob>,
): AcceptedSubmission {
  const first = firstAnswerOf(submission.jobs, acceptanceOf(decision));
  facts.accept(submission, decision, tenant, first);
  return { ...decision, first, submission, tenant };
}

/**
 * Chooses plans under the locks of the limits, by the processes that live at this moment. The caller holds the locks of
 * the keys.
 */
async function choosePlans(
  core: Core,
  tx: StatementRunner,
  asked: PendingSubmission[],
): Promise<{ entries: Entry[]; now: number }> {
  for (;;) {
    const plans = asked.map((each) => ({ ...each, plan: entriesOf(core, each) }));
    await lock(tx, core.connections.target.schema, locksFor(core, plans));
    const values = [core.clock.given, core.durable(true)];
    const [moment] = await tx.run<{ now: number; version: string }>(THE_MOMENT, values);
    const entries = plans.flatMap(({ plan }) => (Array.isArray(plan) ? plan : []));
    if (moment?.version === core.names.version) return { entries, now: moment.now };
    await core.names.load();
    await readyStarts(core, asked);
  }
}

type SubmissionOutcome = Exclude<SubmissionDecision<LiveJob>, Acceptance<LiveJob>> | AcceptedSubmission;

function locksFor(core: Core, plans: (PendingSubmission & { plan: Entry[] | Refusal })[]): string[] {
  const names: string[] = [];
  for (const { tenant, plan } of plans) {
    const { rate, concurrency, queueMax, own } = limitsOf(core, tenant);
    if (rate) names.push(`rate ${tenant}`);
    if (concurrency > 0) names.push(`places ${tenant}`);
    for (const { stage } of Array.isArray(plan) ? plan : []) {
      if (queueMax > 0)
        names.push(own.queueMax === undefined ? `queue ${stage.queue}` : `queue ${stage.queue} ${tenant}`);
      if (stage.plan === undefined) names.push(planlessLock(stage.kindName));
    }
  }
  return names;
}
