// A submission in a transaction of the caller's. No other work may wait until that transaction ends. So it
// locks no lane, no counter and no row of a live job:
//   - A job goes in as scheduled and due. The next look for due jobs, after the commit, makes it ready and wakes its lane.
//   - Queue and rate limits are read without their locks, so they may be exceeded by what is in flight.
//   - A join is a row of its own, not a flag of the job.
// Only submitters of the same unique or idempotency key wait, and they ask again for the lock (key-locks.ts).

import { setTimeout as delay } from "node:timers/promises";
import type { NewFollower, StoredJob } from "../../decide/join.ts";
import { mayRefuse } from "../../decide/limits/in-force.ts";
import { latestAtOf } from "../../decide/pending/change.ts";
import { keyBusy } from "../../decide/refusals.ts";
import { type Acceptance, acceptanceOf, acceptedAnswer, decideSubmission, startsOf } from "../../decide/submission.ts";
import { flagsOf } from "../../keys/codes.ts";
import { type FirstAnswer, firstAnswerOf } from "../../rows/first-answer.ts";
import type { CallerTransaction } from "../../verbs/caller-transaction.ts";
import type { Submission, SubmitAnswer } from "../../verbs/submission.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { CallerRunner } from "../connection/caller-runner.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";
import { placeFollowers } from "../followers/callers.ts";
import { followerToAdd } from "../followers/follower.ts";
import { deliverTo } from "../waits/deliver-signals.ts";
import { checkCaller, explainCaller, noTransaction, otherDatabase, quickCheckOf, rightsFor } from "./check-caller.ts";
import { GroupFacts, type LiveJob, storedOf } from "./facts.ts";
import type { Entry } from "./insert.ts";
import { type InsertedOne, insertOne, insertWithin } from "./insert-within.ts";
import { keyPause, tryLocks } from "./key-locks.ts";
import { limitsOf } from "./limits-of.ts";
import { keyNames, readyStarts } from "./submit.ts";
import { PUT_THROTTLES, throttleValues } from "./throttle.ts";

const THE_MOMENT = `SELECT ${NOW} AS now`;
/**
 * Answers as if each statement had been an upsert: the lock of the key keeps two transactions from using it at once.
 */
const PUT_IDEMPOTENT = `WITH put AS (
    INSERT INTO millrace.idempotency (tenant, key, fingerprint, jobs, created_at)
    VALUES ($1::int, $2::text, $3::text, $4::text, $5::bigint)
    ON CONFLICT (tenant, key) DO UPDATE SET fingerprint = excluded.fingerprint, jobs = excluded.jobs, created_at = excluded.created_at
    RETURNING tenant
  )
  SELECT count(*)::text AS answer FROM put`;
const PUT_UNIQUE = `WITH put AS (
    INSERT INTO millrace.unique_key (kind, tenant, key, job, latest_at)
    SELECT * FROM unnest($1::int[], $2::int[], $3::text[], $4::bigint[], $5::bigint[])
    RETURNING job
  )
  SELECT count(*)::text AS answer FROM put`;
const PUT_JOINED = `WITH put AS (INSERT INTO millrace.joined (job) SELECT unnest($1::bigint[]) RETURNING job)
  SELECT count(*)::text AS answer FROM put`;
const PUT_FOLLOWERS = `WITH put AS (
    INSERT INTO millrace.follower_caller (job, kind, tenant, key, extends, run_at, latest_at, expires_at)
    SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::text[], $5::boolean[], $6::bigint[], $7::bigint[], $8::bigint[])
    RETURNING job
  )
  SELECT count(*)::text AS answer FROM put`;
const PUT_THROTTLES_WITHIN = `WITH put AS (${PUT_THROTTLES} RETURNING job) SELECT count(*)::text AS answer FROM put`;
const PUT_WINDOW = `WITH put AS (
    INSERT INTO millrace.window_caller (owner, at, count) VALUES ($1::int, $2::bigint, $3::int) RETURNING owner
  )
  SELECT count(*)::text AS answer FROM put`;

export async function submitWithin(
  core: Core,
  caller: CallerTransaction,
  submission: Submission,
): Promise<SubmitAnswer> {
  const tx = new CallerRunner(caller, core.connections.target);
  const plain = await plainJob(core, submission);
  if (!plain) {
    const transaction = await checkCaller(core, tx, rightsFor(submission));
    return submitChecked(core, tx, { transaction, submission });
  }
  const { tenant, accepted, entry } = plain;
  const rights = rightsFor(submission);
  const insert = insertOne(core, entry, { now: core.clock.given, transaction: null, version: core.names.version });
  const check = [quickCheckOf(rights), [core.connections.target.schema]] as [string, string[]];
  const [checked, one] = await tx.askBoth<InsertedOne>(check, insert);
  if (one) return store(core, tx, { submission, tenant, accepted, inserted: one });
  const transaction = checked ?? (await explainCaller(core, tx, rights));
  return submitChecked(core, tx, { transaction, submission });
}

interface PlainJob {
  tenant: number;
  accepted: Acceptance<LiveJob>;
  entry: Entry;
}

/** A single job without keys, whose tenant has no limit that could refuse it: the check and the insert travel together. */
async function plainJob(core: Core, submission: Submission): Promise<PlainJob | undefined> {
  const [job] = submission.jobs;
  if (submission.jobs.length !== 1 || !job || flagsOf(job) !== 0) return undefined;
  const tenant = await core.names.findTenant(submission.tenant);
  if (tenant === undefined || mayRefuse(limitsOf(core, tenant))) return undefined;
  await core.names.loadKinds([job.kind]);
  const started = startsOf(core.names, submission.jobs);
  if (!Array.isArray(started)) return undefined;
  const [entry] = started.map((each): Entry => ({ ...each, tenant }));
  if (!entry || keyNames({ submission, tenant }, [entry]).length > 0) return undefined;
  return { tenant, accepted: acceptedPlainly(started), entry };
}

/** Without keys and limits nothing can refuse or join the jobs. */
function acceptedPlainly(started: StoredJob[]): Acceptance<LiveJob> {
  return { type: "accepted", added: started, starts: started.map(({ stage }) => stage) };
}

interface CheckedSubmission {
  /** The number that `checkCaller` returned. */
  transaction: string;
  submission: Submission;
  /** Flags of every new job, which do not change where it starts. */
  flags?: number;
}

/** Submits in a transaction that has been checked. */
export async function submitChecked(
  core: Core,
  tx: CallerRunner,
  { transaction, submission, flags = 0 }: CheckedSubmission,
): Promise<SubmitAnswer> {
  const tenant = (await core.names.tenants([submission.tenant])).get(submission.tenant) as number;
  await core.names.loadKinds(submission.jobs.map(({ kind }) => kind));

  await readyStarts(core, [{ submission }]);
  for (let tries = 0; ; tries++) {
    const started = startsOf(core.names, submission.jobs);
    if (!Array.isArray(started)) return started;
    const decided = await decide(core, tx, submission, tenant, started);
    if (!("accepted" in decided)) return decided.answer;
    const { accepted, now } = decided;
    // Under REPEATABLE READ the transaction may always see an older catalog than this process, so the versions are
    // compared only once.
    const version = tries === 0 ? core.names.version : null;
    const entries = accepted.added.map(
      ({ job, stage }): Entry => ({ job: { ...job, flags: (job.flags ?? 0) | flags }, stage, tenant }),
    );
    const inserted = await insertWithin(core, tx, entries, { now, transaction, version });
    if (!inserted.isSameTransaction) throw noTransaction();
    if (!inserted.isSameStore) throw otherDatabase(undefined, core.connections.target.schema);
    if (!inserted.isSameCatalog) {
      await core.names.load();
      continue;
    }
    return store(core, tx, { submission, tenant, accepted, inserted });
  }
}

type Decision = { answer: SubmitAnswer } | { accepted: Acceptance<LiveJob>; now: number | null };

/** A plain submission needs no facts; another one takes the locks of its keys first. */
async function decide(
  core: Core,
  tx: CallerRunner,
  submission: Submission,
  tenant: number,
  started: StoredJob[],
): Promise<Decision> {
  const entries = started.map((each): Entry => ({ ...each, tenant }));
  const names = keyNames({ submission, tenant }, entries);
  if (names.length === 0 && !mayRefuse(limitsOf(core, tenant))) {
    return { accepted: acceptedPlainly(started), now: core.clock.given };
  }
  if (!(await lockKeys(core, tx, names))) return { answer: keyBusy() };
  const [moment] = await tx.run<{ now: number }>(THE_MOMENT, [core.clock.given]);
  const now = moment?.now as number;
  const facts = await GroupFacts.load(core, tx, [{ submission, tenant }], { entries, now, isCallers: true });
  const decision = decideSubmission(facts.of(tenant), submission);
  if (decision.type === "refused") return { answer: decision.answer };
  if (decision.type === "known") {
    return { answer: decision.answer((decision.known.first.keys ?? []).map(core.ids.encode)) };
  }
  return { accepted: decision, now };
}

/** Asks again for `lockTimeoutMs` at most. */
async function lockKeys(core: Core, tx: CallerRunner, names: string[]): Promise<boolean> {
  const until = performance.now() + core.options.limits.lockTimeoutMs;
  const pause = keyPause();
  for (;;) {
    const busy = await tryLocks(tx, core.connections.target.schema, names);
    if (busy.size === 0) return true;
    if (performance.now() >= until) return false;
    await delay(pause.begin());
  }
}

interface AcceptedWithin {
  submission: Submission;
  tenant: number;
  accepted: Acceptance<LiveJob>;
  inserted: InsertedOne;
}

/** Stores what stands beside the jobs that were inserted, and gives the answer. */
async function store(
  core: Core,
  tx: CallerRunner,
  { submission, tenant, accepted, inserted: { keys: added, at } }: AcceptedWithin,
): Promise<SubmitAnswer> {
  const { keys, joined } = keysOf(accepted, added);
  const unique = storedOf(accepted).filter(({ stored }) => stored.job.uniqueKey !== undefined);
  if (unique.length > 0) {
    await tx.ask(PUT_UNIQUE, [
      numbers(unique.map(({ stored }) => stored.stage.kind)),
      numbers(unique.map(() => tenant)),
      texts(unique.map(({ stored }) => stored.job.uniqueKey)),
      numbers(unique.map(({ index }) => keys[index])),
      numbers(unique.map(({ stored }) => latestAtOf(stored.job, at))),
    ]);
  }
  const entries = storedOf(accepted).map(({ stored, index }) => ({ ...stored, tenant, id: keys[index] as number }));
  const throttles = throttleValues(entries, at);
  if (throttles) await tx.ask(PUT_THROTTLES_WITHIN, throttles);
  const followers = storedOf(accepted).flatMap(({ stored: { stage }, index, follows }) =>
    follows ? [{ follows, kind: stage.kind, id: keys[index] as number }] : [],
  );
  if (followers.length > 0) await putFollowers(tx, followers, { tenant, now: at });
  if (joined.length > 0) await tx.ask(PUT_JOINED, [numbers(joined)]);
  const { idempotency } = submission;
  if (idempotency) {
    const first: FirstAnswer = { ...firstAnswerOf(submission.jobs, acceptanceOf(accepted)), keys };
    await tx.ask(PUT_IDEMPOTENT, [tenant, idempotency.key, idempotency.fingerprint, JSON.stringify(first), at]);
  }
  if (limitsOf(core, tenant).rate && added.length > 0) {
    await tx.ask(PUT_WINDOW, [tenant, at, added.length]);
  }
  return acceptedAnswer(accepted, {
    jobIds: keys.map(core.ids.encode),
    at,
    plans: core.names.foreignPlans(accepted.starts),
  });
}

interface FollowerWithin {
  follows: NewFollower;
  kind: number;
  id: number;
}

/** After the commit, followers/callers.ts gives them their places. */
async function putFollowers(
  tx: CallerRunner,
  followers: readonly FollowerWithin[],
  { tenant, now }: { tenant: number; now: number },
): Promise<void> {
  const added = followers.map(({ follows, kind, id }) => followerToAdd(follows, { id, kind, tenant, now }));
  await tx.ask(PUT_FOLLOWERS, [
    numbers(added.map(({ id }) => id)),
    numbers(added.map(({ kind }) => kind)),
    numbers(added.map(() => tenant)),
    texts(added.map(({ key }) => key)),
    texts(followers.map(({ follows }) => String(follows.job.ifUnique === "extend"))),
    numbers(added.map(({ run_at }) => run_at)),
    numbers(added.map(({ latest_at }) => latest_at)),
    numbers(added.map(({ expires_at }) => expires_at)),
  ]);
}

/** The key of each job of the submission, and the keys of live jobs that it joined. */
function keysOf({ sources }: Acceptance<LiveJob>, added: readonly number[]): { keys: number[]; joined: number[] } {
  if (sources === undefined) return { keys: [...added], joined: [] };
  const keys: number[] = [];
  const joined: number[] = [];
  const next = added.values();
  for (const source of sources) {
    if (source.from === "new") keys.push(next.next().value as number);
    else if (source.from === "earlier") keys.push(keys[source.index] as number);
    else {
      // Every live job of a single submission has a row.
      keys.push(source.live.id as number);
      joined.push(source.live.id as number);
    }
  }
  return { keys, joined };
}

/**
 * A caller's transaction has committed, so there is work for this process and others. Whatever fails is left to the
 * caretaker.
 */
export async function announceWork(core: Core, signalled: readonly string[] = []): Promise<void> {
  const jobs = [...new Set(signalled)].flatMap((jobId) => core.ids.decode(jobId) ?? []);
  for (const job of jobs) await deliverTo(core, job).catch(() => {});
  await placeFollowers(core).catch(() => {});
  core.voice.say("work");
  core.events.wake();
}
