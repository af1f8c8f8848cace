// What becomes of a submission: idempotency, kinds, unique keys, limits, queue room, in that order. Pure: a store loads the
// facts under its transaction or its locks, asks here, and writes what was decided.

import { flagsOf } from "../keys/codes.ts";
import type { StageRow } from "../plans/catalog.ts";
import type { FirstAnswer } from "../rows/first-answer.ts";
import type { LastWay, LastWays, NewJob, Submission, SubmitAnswer } from "../verbs/submission.ts";
import { type JobSource, keyHolder, type StoredJob, sourcesOf } from "./join.ts";
import type { LimitsInForce } from "./limits/in-force.ts";
import {
  diskFull,
  idempotencyConflict,
  type KeyOwner,
  kindUnknown,
  priorityOfOrdered,
  queueFull,
  type Refusal,
  rateLimited,
  tenantBusy,
  uniqueKeyTaken,
  uniqueKeyTwice,
} from "./refusals.ts";

/**
 * What a decision asks for, each fact only where it matters. `Live` is how the store names a live job that has a unique key.
 * The answers stay true until the decision is written.
 */
export interface SubmissionFacts<Live> {
  readonly now: number;
  /** The limits of the tenant. */
  readonly limits: LimitsInForce;
  readonly isDiskFull: boolean;
  /** The transaction is the caller's, so that no stored job may be changed in it. */
  readonly isCallers?: boolean;
  /** Answers given at or before this moment are forgotten. */
  readonly idempotentSince: number;
  firstAnswer(idempotencyKey: string): KnownAnswer | undefined;
  /** The stage at which a new job of the kind starts; of a job with flags, in the twin of its plan. */
  firstStage(kind: string, flags?: number): StageRow | undefined;
  isShared(key: string): boolean;
  liveJob(kind: number, uniqueKey: string): Live | undefined;
  /** Whether the same commit ends the live job, so that its unique key is free. Missing: it ends none. */
  isEnding?(live: Live): boolean;
  /** The job that waits to get the key when the live job ends. */
  follower(kind: number, uniqueKey: string): Live | undefined;
  /** The job of the key that was never claimed: the follower, or else the live job. Undefined: there is none that may be changed. */
  unclaimed(kind: number, uniqueKey: string): Live | undefined;
  /** The job that stands for a throttle key, whether it lives or not. */
  throttled(kind: number, key: string): Live | undefined;
  ownerOf(live: Live): KeyOwner;
  /** The jobs that the tenant submitted in the period of its rate. */
  newJobs(): { readonly room: number; freeAt(count: number): number };
  /** How many jobs of the tenant run. */
  running(): number;
  /** How many jobs wait in the queue of the stage: those of the tenant, if it has a limit of its own there. */
  waiting(stage: StageRow): number;
  /** Jobs of the stage's kind run in the order of their submission. */
  isOrdered(stage: StageRow): boolean;
}

/** The answer that a submission with an idempotency key got the first time. */
export interface KnownAnswer {
  readonly fingerprint: string;
  readonly first: FirstAnswer;
  readonly at: number;
}

export type SubmissionDecision<Live> =
  | { readonly type: "refused"; readonly answer: Refusal }
  /** `answer` makes it once the jobs of the first answer have their ids. */
  | { readonly type: "known"; readonly known: KnownAnswer; answer(jobIds: string[]): SubmitAnswer }
  | Acceptance<Live>;

export interface Acceptance<Live> {
  readonly type: "accepted";
  /** Where each job's id comes from. Missing: every job is stored. */
  readonly sources?: readonly JobSource<Live>[];
  /** The jobs to store, in the order of the submission. */
  readonly added: readonly StoredJob[];
  /** The first stage of every job, stored or not. */
  readonly starts: readonly StageRow[];
}

export function decideSubmission<Live>(facts: SubmissionFacts<Live>, submission: Submission): SubmissionDecision<Live> {
  const known = knownAnswer(facts, submission);
  if (known) return known;
  if (facts.isDiskFull) return { type: "refused", answer: diskFull() };
  const stored = startsOf(facts, submission.jobs);
  if (!Array.isArray(stored)) return { type: "refused", answer: stored };
  const sources = submission.jobs.some(isSpecial) ? sourcesOf(facts, stored) : undefined;
  const added =
    sources === undefined ? stored : sources.flatMap((source) => (source.from === "new" ? [source.stored] : []));
  const refusal =
    uniqueRefusal(facts, added) ??
    (submission.isExempt
      ? undefined
      : (limitRefusal(facts, submission, added) ?? queueRefusal(facts, submission, added)));
  if (refusal) return { type: "refused", answer: refusal };
  return { type: "accepted", added, starts: stored.map(({ stage }) => stage), ...(sources && { sources }) };
}

/** Each job with the stage at which it starts. */
export function startsOf(
  facts: Pick<SubmissionFacts<unknown>, "firstStage" | "isOrdered">,
  jobs: readonly NewJob[],
): StoredJob[] | Refusal {
  const stored: StoredJob[] = [];
  for (const job of jobs) {
    const stage = facts.firstStage(job.kind, flagsOf(job));
    if (!stage) return kindUnknown(job.kind);
    if (job.priority && facts.isOrdered(stage)) return priorityOfOrdered(job.kind);
    stored.push({ job, stage });
  }
  return stored;
}

function knownAnswer<Live>(
  facts: SubmissionFacts<Live>,
  { idempotency }: Submission,
): SubmissionDecision<Live> | undefined {
  const known = idempotency && facts.firstAnswer(idempotency.key);
  if (!known || known.at <= facts.idempotentSince) return undefined;
  const { traceId, joined, ways } = known.first;
  const answer = (jobIds: string[]): SubmitAnswer =>
    known.fingerprint === idempotency.fingerprint
      ? {
          type: "replayed",
          jobIds,
          at: known.at,
          ...(traceId !== undefined && { traceId }),
          ...(joined && { joined }),
          ...(ways && { ways }),
        }
      : idempotencyConflict(idempotency.key, jobIds[0]);
  return { type: "known", known, answer };
}

function isSpecial({ ifUnique, completed, throttle }: NewJob): boolean {
  return ifUnique !== undefined || completed !== undefined || throttle !== undefined;
}

function uniqueRefusal<Live>(facts: SubmissionFacts<Live>, added: readonly StoredJob[]): Refusal | undefined {
  let seen: Set<string> | undefined;
  for (const { job, stage } of added) {
    if (job.uniqueKey === undefined) continue;
    seen ??= new Set();
    const name = `${stage.kind}/${job.uniqueKey}`;
    if (seen.has(name)) return uniqueKeyTwice(job.uniqueKey);
    seen.add(name);
    const live = keyHolder(facts, stage.kind, job.uniqueKey);
    if (live !== undefined) return uniqueKeyTaken(job.uniqueKey, facts.ownerOf(live));
  }
  return undefined;
}

function limitRefusal<Live>(
  facts: SubmissionFacts<Live>,
  { tenant }: Submission,
  added: readonly StoredJob[],
): Refusal | undefined {
  const { limits, now } = facts;
  const count = added.length;
  if (count === 0) return undefined;
  if (limits.rate) {
    const window = facts.newJobs();
    if (window.room < count) {
      return rateLimited(limits, limits.rate, tenant, Math.max(1, window.freeAt(count) - now));
    }
  }
  if (limits.concurrency === 0 || limits.overflow !== "reject") return undefined;
  // A job that is stored as completed never runs.
  if (added.every(({ job }) => job.completed)) return undefined;
  const running = facts.running();
  return running >= limits.concurrency ? tenantBusy(limits, tenant, running) : undefined;
}

/** Only due jobs take room; scheduled ones count once they are due. */
function queueRefusal<Live>(
  facts: SubmissionFacts<Live>,
  { tenant }: Submission,
  added: readonly StoredJob[],
): Refusal | undefined {
  const { limits, now } = facts;
  if (limits.queueMax <= 0) return undefined;
  const wanted = new Map<StageRow, number>();
  for (const { job, stage } of added) if (isDue(job, now)) wanted.set(stage, (wanted.get(stage) ?? 0) + 1);
  for (const [stage, count] of wanted) {
    const waiting = facts.waiting(stage);
    if (waiting + count > limits.queueMax) return queueFull(limits, tenant, stage, waiting);
  }
  return undefined;
}

export function isDue(job: NewJob, now: number): boolean {
  return !job.completed && runAtOf(job, now) <= now;
}

/** When a job that is stored now may start. */
export function runAtOf(job: NewJob, now: number): number {
  return Math.max(job.runAt ?? now + (job.delayMs ?? 0), 0);
}

/** The indexes of the jobs that are not stored, because another job does their work. */
export function joinedIn({ sources = [] }: Pick<Acceptance<unknown>, "sources">): number[] {
  return indexesWhere(sources, ({ from }) => from !== "new");
}

function indexesWhere<T>(all: readonly T[], is: (each: T) => boolean): number[] {
  return all.flatMap((each, i) => (is(each) ? [i] : []));
}

/** How the jobs were accepted that are neither new nor joined. Undefined: there are none. */
export function waysIn({ sources = [] }: Pick<Acceptance<unknown>, "sources">): LastWays | undefined {
  const ways = sources.flatMap((source, i): [number, LastWay][] => {
    if (source.from === "new") return source.follows ? [[i, "follows"]] : [];
    return source.change ? [[i, source.change.way]] : [];
  });
  return ways.length > 0 ? Object.fromEntries(ways) : undefined;
}

/** How the jobs of an accepted submission were accepted. */
export function acceptanceOf(accepted: Pick<Acceptance<unknown>, "sources">): {
  joined: number[];
  ways: LastWays | undefined;
} {
  return { joined: joinedIn(accepted), ways: waysIn(accepted) };
}

/** The answer to an accepted submission. `plans`: the stages of kinds whose jobs got another plan than this process registered. */
export function acceptedAnswer(
  { sources }: Pick<Acceptance<unknown>, "sources">,
  { jobIds, at, plans }: { jobIds: string[]; at: number; plans: Record<string, string[]> | undefined },
): SubmitAnswer {
  if (!sources) return { type: "accepted", jobIds, at, ...(plans && { plans }) };
  const { joined, ways } = acceptanceOf({ sources });
  const completed = indexesWhere(
    sources,
    (source) => source.from === "new" && source.stored.job.completed !== undefined,
  );
  return {
    type: "accepted",
    jobIds,
    at,
    ...(joined.length > 0 && { joined }),
    ...(ways && { ways }),
    ...(completed.length > 0 && { completed }),
    ...(plans && { plans }),
  };
}
