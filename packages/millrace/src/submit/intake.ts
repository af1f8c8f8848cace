import type { Events } from "../events/events.ts";
import type { Job } from "../job/job.ts";
import type { Kind, Memory } from "../job/kind/kind.ts";
import type { SubmitOptions } from "../job/options/submit-options.ts";
import type { Acceptances } from "../job/receipt.ts";
import { AppError, messageOf } from "../lib/app-error.ts";
import type { Store } from "../store/store.ts";
import type { CallerTransaction } from "../store/verbs/caller-transaction.ts";
import type { NewJob, RefusalCode, Submission, SubmitAnswer } from "../store/verbs/submission.ts";
import type { Log } from "../telemetry/log/log.ts";
import { submitSpan } from "../telemetry/spans.ts";
import { checkKey, checkTenant, fingerprintOf, prepareOptions, refusal, withPayload } from "./submit.ts";

/** One job of a submission by name. */
export interface JobRequest {
  /** The name of the kind. */
  kind: string;
  /** The payload, as the kind's schema accepts it. */
  payload: unknown;
  /** The options of the submission. */
  options: Omit<SubmitOptions, "tenant" | "idempotencyKey">;
}

/** A submission by the names of the kinds, as it arrives over HTTP. */
export interface SubmitRequests {
  /** The tenant that the jobs belong to. */
  tenant: string;
  /** The jobs, at least one. */
  requests: JobRequest[];
  /** The idempotency key. Without a fingerprint of your own, the jobs' content is compared. Default: none. */
  idempotency?: {
    /** The key, 1 to 255 characters. */
    key: string;
    /** A hash of the request, to tell a repetition from a conflict. Default: a hash of the jobs. */
    fingerprint?: string;
  };
  /** True: the caller has just looked for a shared result, so the kind's `recall` is not called. Default: false. */
  nothingKept?: boolean;
  /** "join": return the job that already does the work, for every kind. Default: what the kind says. */
  ifUnique?: "join";
}

/** A submission of one kind, as code writes it, in the form that submissions by name have. */
export function submissionOf(
  kind: Pick<Kind, "name">,
  payloads: readonly unknown[],
  options: SubmitOptions,
): SubmitRequests {
  if (typeof kind?.name !== "string") {
    throw new AppError("kind-unknown", "submit() needs a kind as its first argument.", {
      hint: "Pass the kind itself, not its name.",
    });
  }
  if (!Array.isArray(payloads)) throw new AppError("invalid-request", "payloads must be an array.");
  const { idempotencyKey, tenant = "default", ...rest } = options;
  return {
    tenant,
    requests: payloads.map((payload) => ({ kind: kind.name, payload, options: rest })),
    ...(idempotencyKey !== undefined && { idempotency: { key: idempotencyKey } }),
  };
}

interface SubmissionAnswer extends Acceptances {
  replayed: boolean;
}

/** The jobs as they stood when they were accepted; a replay gives the first answer's again. */
export interface AcceptedJobs extends SubmissionAnswer {
  jobs: Job[];
}

/** What was accepted in a transaction of the caller's. */
export interface AcceptedWithin extends SubmissionAnswer {
  jobIds: string[];
}

export interface IntakeOptions {
  store: Store;
  kinds: ReadonlyMap<string, Kind>;
  maxAttemptsOf(kind: Kind): number;
  /** The shared artifacts as this tenant sees them. */
  memoryOf(tenant: string): Memory;
  log: Log;
  events: Events;
}

/**
 * Takes submissions in: validates them, makes their fingerprint and hands them to the store, which does the rest in one
 * transaction.
 */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  async submit(asked: SubmitRequests): Promise<AcceptedJobs> {
    const { tenant, nothingKept = false } = asked;
    const submission = await this.#prepare(asked, nothingKept ? undefined : this.#options.memoryOf(tenant));
    const { jobs } = submission;
    const answer = this.throwIfRefused(submission, await this.#store(submission));
    const destination = { tenant, plans: answer.type === "accepted" ? answer.plans : undefined };
    const accepted = answer.jobIds.map((id, i) => this.#acceptedJob(id, jobs[i] as NewJob, answer.at, destination));
    const acceptances = acceptancesOf(answer);
    if (answer.type === "replayed") {
      return { jobs: accepted.map((job) => ofFirstTrace(job, answer.traceId)), replayed: true, ...acceptances };
    }
    const { completed = [] } = answer;
    for (const index of completed) accepted[index] = completedJob(accepted[index] as Job, jobs[index] as NewJob);
    const { joined, ways = {} } = acceptances;
    this.#tell(joined.length === 0 ? accepted : accepted.filter((_, index) => !joined.includes(index)));
    // A follower has another standing than a new job.
    const others = [...new Set([...joined, ...Object.keys(ways).map(Number)])];
    if (others.length > 0) await this.#lookUp(accepted, others);
    return { jobs: accepted, replayed: false, ...acceptances };
  }

  /**
   * Submits in a transaction of the caller's. Nothing is reported, because the transaction may still be rolled back,
   * and no result is recalled, because a job is stored in any case.
   */
  async submitWithin(tx: CallerTransaction, asked: SubmitRequests): Promise<AcceptedWithin> {
    const submission = await this.#prepare(asked, undefined);
    const answer = this.throwIfRefused(submission, await this.#options.store.submitWithin(tx, submission));
    return { jobIds: answer.jobIds, replayed: answer.type === "replayed", ...acceptancesOf(answer) };
  }

  /** The submission as the store takes it, without a look for known results. */
  prepare(asked: SubmitRequests): Promise<Submission> {
    return this.#prepare(asked, undefined);
  }

  async #prepare(asked: SubmitRequests, memory: Memory | undefined): Promise<Submission> {
    const { tenant, requests, idempotency, ifUnique } = asked;
    checkTenant(tenant);
    const jobs = await this.#prepareAll(requests, memory);
    if (ifUnique !== undefined) for (const job of jobs) if (job.uniqueKey !== undefined) job.ifUnique = ifUnique;
    if (!idempotency) return { tenant, jobs };
    const key = checkKey(idempotency.key, "idempotency key");
    return { tenant, jobs, idempotency: { key, fingerprint: idempotency.fingerprint ?? fingerprintOf(jobs) } };
  }

  /** Throws and reports what the store refused. */
  throwIfRefused({ tenant, jobs }: Submission, answer: SubmitAnswer): Exclude<SubmitAnswer, { type: "refused" }> {
    if (answer.type !== "refused") return answer;
    this.#refused(tenant, answer.code, jobs);
    throw refusal(answer, jobs.length);
  }

  /** Reads jobs that existed before, because they may have any standing by now. */
  async #lookUp(jobs: Job[], indexes: number[]): Promise<void> {
    const found = await this.#options.store.find(indexes.map((index) => (jobs[index] as Job).id));
    const byId = new Map(found.map((job) => [job.id, job]));
    for (const index of indexes) jobs[index] = byId.get((jobs[index] as Job).id) ?? (jobs[index] as Job);
  }

  async #store(submission: Submission): Promise<SubmitAnswer> {
    const { tenant, jobs } = submission;
    const { kind = "nothing", traceParent } = jobs[0] ?? {};
    const span = submitSpan({ kind, tenant, jobs: jobs.length, traceParent });
    // Its attempts are children of the submission, not of what the submission is a child of.
    if (span) for (const job of jobs) job.traceParent = span.traceParent;
    try {
      const [answer] = await this.#options.store.submit([submission]);
      if (!answer) throw new Error("the store returned no job");
      span?.end(answer.type, answer.type === "refused" ? answer.message : undefined);
      return answer;
    } catch (error) {
      span?.end("error", messageOf(error));
      throw error;
    }
  }

  kind(name: string): Kind {
    const kind = this.#options.kinds.get(name);
    if (kind) return kind;
    const known = [...this.#options.kinds.keys()].join(", ") || "none";
    throw new AppError("kind-unknown", `Unknown kind "${name}".`, { hint: `Known here: ${known}.` });
  }

  async #prepareAll(requests: JobRequest[], memory: Memory | undefined): Promise<NewJob[]> {
    const jobs: NewJob[] = [];
    // Many payloads with the same options, as submitMany has them, are checked and copied once.
    let shared: { of: JobRequest; options: Omit<NewJob, "payload"> } | undefined;
    for (const [i, request] of requests.entries()) {
      const again = shared?.of.kind === request.kind && shared.of.options === request.options;
      try {
        const kind = this.kind(request.kind);
        if (!shared || !again) shared = { of: request, options: prepareOptions(kind, request.options) };
        const job = withPayload(kind, request.payload, shared.options, memory);
        jobs.push(job instanceof Promise ? await job : job);
      } catch (error) {
        throw requests.length > 1 ? named(error, i) : error;
      }
    }
    return jobs;
  }

  #refused(tenant: string, code: RefusalCode, [first]: NewJob[]): void {
    const { log, events } = this.#options;
    events.emit({ type: "refused", tenant, code });
    const traceId = first?.traceId;
    const about = { tenantId: tenant, code, ...(traceId !== undefined && { traceId }) };
    if (code === "rate-limited" || code === "tenant-busy") log.warn("rate limited", about);
    else log.warn("submission refused", about);
  }

  /** The job as the store has just stored it, without a query. */
  #acceptedJob(id: string, job: NewJob, at: number, { tenant, plans }: Destination): Job {
    const kind = this.kind(job.kind);
    const stages = plans?.[job.kind] ?? stageNames(kind);
    const runAt = job.runAt ?? at + (job.delayMs ?? 0);
    return {
      id,
      kind: job.kind,
      stage: stages[0] ?? "",
      stages,
      tenant,
      standing: runAt > at ? "scheduled" : "ready",
      payload: job.payload,
      priority: job.priority ?? 0,
      tags: job.tags ?? [],
      createdAt: at,
      updatedAt: at,
      runAt,
      attempt: 0,
      maxAttempts: job.maxAttempts ?? this.#options.maxAttemptsOf(kind),
      failures: 0,
      failuresTotal: 0,
      crashes: 0,
      ...(job.traceId !== undefined && { traceId: job.traceId }),
    };
  }

  #tell(jobs: Job[]): void {
    const { log, events } = this.#options;
    events.emit({ type: "submitted", jobs });
    if (!log.infoEnabled) return;
    for (const { id, kind, tenant, traceId } of jobs) {
      log.info("submitted", { jobId: id, kind, tenantId: tenant, ...(traceId !== undefined && { traceId }) });
    }
  }
}

function acceptancesOf({
  joined = [],
  ways,
}: Pick<SubmitAnswer & { type: "accepted" }, "joined" | "ways">): Acceptances {
  return { joined, ...(ways && { ways }) };
}

interface Destination {
  tenant: string;
  /** The stages of kinds that got another plan than this process registered. */
  plans: Record<string, string[]> | undefined;
}

const namesOfKind = new WeakMap<Kind, string[]>();

/** Jobs of one kind share one list. */
function stageNames(kind: Kind): string[] {
  const known = namesOfKind.get(kind);
  if (known) return known;
  const names = kind.stages.map((stage) => stage.name);
  namesOfKind.set(kind, names);
  return names;
}

/** A job whose result was known before it was stored. */
function completedJob(job: Job, { completed }: NewJob): Job {
  return { ...job, standing: "completed", finishedAt: job.createdAt, ...(completed && { result: completed.result }) };
}

/** A replay is another request, with a trace of its own; the job has that of the first. */
function ofFirstTrace({ traceId: _ofThisRequest, ...job }: Job, traceId: string | undefined): Job {
  return { ...job, ...(traceId !== undefined && { traceId }) };
}

/** Adds the index of the job that is at fault, if there are several. */
function named(error: unknown, index: number): unknown {
  if (!(error instanceof AppError)) return error;
  const details = { ...error.details, index };
  return new AppError(error.code, `The job at index ${index}: ${error.message}`, {
    ...(error.hint && { hint: error.hint }),
    details,
  });
}
