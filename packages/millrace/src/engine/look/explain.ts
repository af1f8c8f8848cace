// Why a job does not run, in words. Pure: the store gives the facts of one moment, these functions choose and name reasons.

import { limiterOf } from "../../job/deferral.ts";
import { type Job, stateOf } from "../../job/job.ts";
import type { Explanation, Reason, ReasonCode } from "../../job/report/explanation.ts";
import { type CurrentWait, plainName } from "../../job/wait.ts";
import { unreachable } from "../../lib/unreachable.ts";
import type { Circumstances } from "../../store/verbs/circumstances.ts";
import { holdsKey, nextOfKey, waitsForKey } from "./explain-key.ts";
import { blockers, mayRun, queueReasons } from "./explain-queue.ts";

export function explain(facts: Circumstances): Explanation {
  const { job } = facts;
  const reasons = [...reasonsFor(facts), ...deadline(job)];
  const [first] = reasons;
  const next = first && nextStep(first.code, facts);
  return { jobId: job.id, state: stateOf(job.standing), reasons, ...(next !== undefined && { next }) };
}

function reasonsFor(facts: Circumstances): Reason[] {
  const { job, at } = facts;
  switch (job.standing) {
    case "completed":
    case "cancelled":
    case "failed":
    case "rejected":
      return [ended(job), ...holdsKey(facts)];
    case "running":
      return [running(facts)];
    case "held":
      return [held(job), ...blockers(facts)];
    case "scheduled":
      if (job.waitsFor?.[0]?.type === "key") return [...waitsForKey(facts), ...blockers(facts)];
      if (job.waitsFor) return [waitsFor(job, job.waitsFor), ...blockers(facts)];
      if (job.runAt > at) return [...blockers(facts), later(job)];
      return waiting(facts);
    case "ready":
    case "suspect":
      return waiting(facts);
    default:
      return unreachable(job.standing);
  }
}

/** The reasons for a job that has not ended. */
function deadline({ deadlineAt, finishedAt }: Job): Reason[] {
  if (deadlineAt === undefined || finishedAt !== undefined) return [];
  const until = iso(deadlineAt);
  return [{ code: "deadline", message: `The job fails at ${until} if it has not ended by then.`, until }];
}

/** The reasons for a job that may run by its own time. */
function waiting(facts: Circumstances): Reason[] {
  if (facts.claimedBy !== undefined) {
    const message = "A process has claimed the job and starts it now.";
    return [{ code: "claimed", message, details: { process: facts.claimedBy } }];
  }
  const reasons = [...blockers(facts), ...queueReasons(facts)];
  if (reasons.length > 0) return reasons;
  return [{ code: "ready", message: "The job is ready. A worker claims it within a second." }];
}

function ended({ standing, finishedAt, failure, continuedAs }: Job): Reason {
  const at = iso(finishedAt ?? 0);
  if (standing === "completed") {
    const message =
      continuedAs === undefined ? `The job completed at ${at}.` : `The job continued as ${continuedAs} at ${at}.`;
    return { code: "completed", message };
  }
  const why = failure ? `: ${sentence(failure.message)}` : ".";
  const code = standing === "cancelled" ? "cancelled" : "failed";
  const verb = code === "cancelled" ? "was cancelled" : "failed";
  return { code, message: `The job ${verb} at ${at}${why}`, ...(failure && { details: { failure: failure.code } }) };
}

function running({ job, isHolderLate }: Circumstances): Reason {
  const { stage, attempt, maxAttempts, processor } = job;
  const startedAt = iso(job.startedAt ?? job.updatedAt);
  const details = { stage, attempt, startedAt, ...(processor !== undefined && { processor }) };
  if (isHolderLate) {
    const message = `The job started at ${startedAt}, and its process no longer renews the lease.`;
    return { code: "lease-expired", message, details };
  }
  const message = `The job has been running since ${startedAt} (stage "${stage}", attempt ${attempt} of ${maxAttempts}).`;
  return { code: "running", message, details };
}

function held({ heldFor = "", expiresAt }: Job): Reason {
  const message = `The job is held: ${sentence(heldFor)}`;
  if (expiresAt === undefined) return { code: "held", message };
  return {
    code: "held",
    message: `${message} It fails at ${iso(expiresAt)} unless it is released.`,
    until: iso(expiresAt),
  };
}

/** The wait that the job waits for. The one that began first leads. */
function waitsFor({ id }: Job, waits: readonly CurrentWait[]): Reason {
  const sentences = waits.map(waitSentence);
  const ends = waits.flatMap(({ until }) => (until === undefined ? [] : [until]));
  const message =
    sentences.length === 1 ? (sentences[0] as string) : `${sentences.join(" ")} Any one of them wakes the job.`;
  return {
    code: "waiting",
    message,
    ...(ends.length > 0 && { until: iso(Math.min(...ends)) }),
    details: { jobId: id, waits: waits.length, types: [...new Set(waits.map(({ type }) => type))].join(", ") },
  };
}

function waitSentence({ type, name = "", since, until }: CurrentWait): string {
  const end =
    until === undefined ? "" : type === "sleep" ? ` It wakes at ${iso(until)}.` : ` It gives up at ${iso(until)}.`;
  const from = `since ${iso(since)}`;
  switch (type) {
    case "sleep":
      return `The job has been sleeping ("${name}") ${from}.${end}`;
    case "signal":
      return `The job has been waiting for the signal "${plainName(name)}" ${from}.${end}`;
    case "event":
      return `The job has been waiting for an event on the topic "${plainName(name)}" ${from}.${end}`;
    case "approval":
      return `The job has been waiting for the approval "${name}" ${from}.${end}`;
    case "children":
      return `The job has been waiting for its children "${name}" ${from}.${end}`;
    case "after":
      return `The job has been waiting for jobs that run before it ${from}.${end}`;
    case "key":
      return `The job has been waiting for its concurrency key "${name}" ${from}.`;
    case "leader":
      return `The job has been waiting ${from} for the end of the live job with the same unique key.`;
    case "hold":
      return `The job has been held ${from}.${end}`;
    default:
      return unreachable(type);
  }
}

/** Why a scheduled job starts later. */
function later({ runAt, deferredFor, failures, crashes, attempt, maxAttempts, failure }: Job): Reason {
  const until = iso(runAt);
  if (deferredFor !== undefined) return deferred(deferredFor, until);
  if (failure && failures + crashes > 0) {
    const message = `Attempt ${attempt} of ${maxAttempts} failed: ${sentence(failure.message)} The next attempt starts at ${until}.`;
    return { code: "retrying", message, until, details: { attempt, maxAttempts, failure: failure.code } };
  }
  return { code: "delayed", message: `The job is scheduled for ${until}.`, until };
}

function deferred(reason: string, until: string): Reason {
  const limiter = limiterOf(reason);
  if (limiter !== undefined) {
    const message = `Limiter "${limiter}" had no room. The job tries again at ${until}.`;
    return { code: "limiter", message, until, details: { limiter } };
  }
  const why = reason === "" ? "." : `: ${sentence(reason)}`;
  return { code: "deferred", message: `The processor deferred the job until ${until}${why}`, until };
}

function nextStep(code: ReasonCode, facts: Circumstances): string | undefined {
  const { job, pinnedTo = "", workers, needs, ownConcurrency } = facts;
  switch (code) {
    case "held":
      return `Release the job: millrace jobs release ${job.id}`;
    case "waiting":
      return nextOfWait(job);
    case "paused":
      return `Resume the kind: millrace resume ${job.kind}`;
    case "no-plan":
    case "no-worker":
      return "Start a process that has this kind with this stage: millrace work --load <file>, or Millrace.open().";
    case "plan-too-new":
      return "Start a worker with the version of Millrace that registered the plan, or a newer one.";
    case "pinned":
      return workers.some((worker) => mayRun(worker, { stage: job.stage, needs }))
        ? `Start deployment "${pinnedTo}" again, or give its jobs to the newest one: millrace deployments unpin ${pinnedTo}`
        : `Start deployment "${pinnedTo}" again.`;
    case "failed":
    case "cancelled":
      if (job.holdsKey)
        return `Submit its work again: millrace jobs retry ${job.id}. Or let the next job run: millrace jobs cancel ${job.id}`;
      return job.retriedAs === undefined
        ? `Submit its work again: millrace jobs retry ${job.id}`
        : `Job ${job.retriedAs} continues its work.`;
    case "lease-expired":
      return "The next process that opens the store takes the job back. Start one.";
    case "tenant-limit":
      return ownConcurrency === undefined
        ? "Wait for one of the tenant's jobs to end, or raise MAX_CONCURRENT_PER_TENANT."
        : `Wait for one of the tenant's jobs to end, or raise its limit: millrace tenants limits ${job.tenant} --concurrency <number>`;
    case "concurrency":
      return "Wait for a running job to end, or raise the limit: millrace limits set, or `concurrency.total` of the kind.";
    case "concurrency-key":
      return nextOfKey(facts);
    case "processors-busy":
      return "Start another worker, or give the stage more processors.";
    default:
      return undefined;
  }
}

function nextOfWait({ id, waitsFor: [wait] = [] }: Job): string | undefined {
  const name = plainName(wait?.name ?? "");
  if (wait?.type === "signal") return `Send the signal: millrace jobs signal ${id} ${name}`;
  if (wait?.type === "event") return `Publish an event: millrace events publish ${name}`;
  return wait?.type === "approval" ? "Decide it: millrace approvals" : undefined;
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Ends the sentence with a full stop, whatever others wrote. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
