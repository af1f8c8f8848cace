import type { z } from "zod";
import type { CancelMany, JobListQuery, RetryMany } from "../api/job-filter.ts";
import type { SubmitRequest } from "../api/job-shape.ts";
import type { Bytes } from "../lib/bytes.ts";
import { MillraceError } from "./errors.ts";
import type { InputOf, JobOf, KindMap, KindShape, LooseName, ResultOf, SubmittedJobOf } from "./kinds.ts";
import { allJobs, followLogs } from "./pages.ts";
import { ask, askBytes, type Connection } from "./request.ts";
import { jobs } from "./routes.ts";
import { type WaitOptions, waitFor } from "./wait.ts";
import type {
  ArtifactInfo,
  Attempt,
  Explanation,
  Job,
  JobList,
  LogLine,
  ManyAnswer,
  Step,
  SubmittedJob,
} from "./wire.ts";

/** Options of `client.submit()`. */
export type SubmitOptions = Omit<z.input<typeof SubmitRequest>, "kind" | "payload" | "runAt"> & {
  /** Do not start before this time. Pass `runAt` or `delayMs`, not both. Default: now. */
  readonly runAt?: Date | string | undefined;
  /**
   * Makes a repeated submission safe: within 24 hours, the same key and content return the first job again. Default: a
   * random key, so that the client can repeat a request that got no answer.
   */
  readonly idempotencyKey?: string | undefined;
  /** Goes into every log line about the job. Default: a new one. */
  readonly traceId?: string | undefined;
  /** Ends the request when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
};

/** One of many jobs in a single submission. */
export type JobSubmission = Omit<z.input<typeof SubmitRequest>, "runAt"> & {
  readonly runAt?: Date | string | undefined;
};
/** Which jobs to list. All conditions must hold. */
export type JobFilter = z.output<typeof JobListQuery>;
/** Options of every call. */
export interface CallOptions {
  /** Ends the request when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** A job id, or a job that has one. A job with a typed result gives a typed result. */
export type JobRef<Result = unknown> = string | { readonly jobId: string; readonly result?: Result };

/** Changes to a pending job. Missing fields stay as they are. */
export interface JobChange {
  /** Another payload, which gives the job the same keys. Only for a job that has never started. */
  readonly payload?: unknown;
  /** Do not start before this time. */
  readonly runAt?: Date | string | undefined;
  /** Lower numbers run first. */
  readonly priority?: number | undefined;
  /** In place of all tags that the job has. */
  readonly tags?: string[] | undefined;
}

/** Calls about jobs. */
export interface JobCalls<Kinds extends KindMap> {
  /** By name, for a client that knows its kinds. */
  submit<Name extends keyof Kinds & string>(
    kind: Name,
    payload: InputOf<Kinds[Name]>,
    options?: SubmitOptions,
  ): Promise<SubmittedJobOf<ResultOf<Kinds[Name]>>>;
  /** By the kind itself. */
  submit<K extends KindShape>(
    kind: K,
    payload: InputOf<K>,
    options?: SubmitOptions,
  ): Promise<SubmittedJobOf<ResultOf<K>>>;
  /** By name, with the kind's type: `submit<typeof thumbnail>("thumbnail", { url })`. */
  submit<K extends KindShape = never>(
    kind: [K] extends [never] ? LooseName<Kinds> : string,
    payload: [K] extends [never] ? unknown : InputOf<K>,
    options?: SubmitOptions,
  ): Promise<SubmittedJobOf<[K] extends [never] ? unknown : ResultOf<K>>>;
  /** Submits up to 1,000 jobs of any kinds, all or none. */
  submitMany(
    submissions: readonly JobSubmission[],
    options?: Pick<SubmitOptions, "idempotencyKey" | "traceId" | "signal">,
  ): Promise<SubmittedJob[]>;

  /** The job as it is now. Throws `job-not-found`. */
  get(job: JobRef, options?: CallOptions): Promise<Job>;
  /** The job as it is now. Undefined if there is none. */
  find(job: JobRef, options?: CallOptions): Promise<Job | undefined>;
  /**
   * Waits for the end of a job and returns it in any final state. Survives dropped connections, restarts and 502, 503
   * and 504.
   */
  wait<Result = unknown>(job: JobRef<Result>, options?: WaitOptions): Promise<JobOf<Result>>;
  /** Waits for the end of a job and returns its result. Throws `job-failed` or `job-cancelled`. */
  result<Result = unknown>(job: JobRef<Result>, options?: WaitOptions): Promise<Result>;

  /** Cancels a pending or running job. */
  cancel(job: JobRef, options?: CallOptions & { readonly reason?: string }): Promise<Job>;
  /** Submits the work of a failed or cancelled job again, as a new job. `from` is "failed-stage" by default. */
  retry(
    job: JobRef,
    options?: CallOptions & { readonly payload?: unknown; readonly from?: "failed-stage" | "start" },
  ): Promise<Job>;
  /** Puts a held job back in the queue. `answer` is any JSON for its processor. */
  release(job: JobRef, options?: CallOptions & { readonly answer?: unknown }): Promise<Job>;
  /** Changes a pending job: its time, priority and tags, and its payload if it has never started. */
  update(job: JobRef, change: JobChange, options?: CallOptions): Promise<Job>;
  /** All jobs that match, newest first, as the text of a CSV file or as one JSON object per line. */
  exportList(
    filter: Omit<JobFilter, "limit" | "offset" | "cursor" | "brief" | "inProgress"> & {
      /** The format of the file. */
      readonly format: "csv" | "ndjson";
    },
    options?: CallOptions,
  ): Promise<Bytes>;
  /** Starts a scheduled or retried job now instead of at its time. */
  runNow(job: JobRef, options?: CallOptions): Promise<Job>;
  /** Deletes a finished job and everything stored with it. */
  forget(job: JobRef, options?: CallOptions): Promise<void>;
  /** Cancels many jobs, by ids or by a filter. */
  cancelMany(request: z.input<typeof CancelMany>, options?: CallOptions): Promise<ManyAnswer>;
  /** Revives many failed or cancelled jobs, by ids or by a filter. */
  retryMany(request: z.input<typeof RetryMany>, options?: CallOptions): Promise<ManyAnswer>;

  /** One page of jobs, newest first. */
  list(filter?: JobFilter, options?: CallOptions): Promise<JobList>;
  /** All jobs that match, read page by page as you iterate. */
  jobs(filter?: JobFilter, options?: CallOptions): AsyncGenerator<Job, void, undefined>;
  /** Why the job does not run, in words. The reason that decides comes first. */
  explain(job: JobRef, options?: CallOptions): Promise<Explanation>;
  /** All attempts at all stages of the job, oldest first. */
  attempts(job: JobRef, options?: CallOptions): Promise<Attempt[]>;
  /** The lines that the job's processors wrote, oldest first. `after` is the id of the last line you have. */
  logs(job: JobRef, options?: CallOptions & { readonly after?: number; readonly limit?: number }): Promise<LogLine[]>;
  /** The job's log lines as they are written, until the job ends. */
  followLogs(
    job: JobRef,
    options?: CallOptions & { readonly after?: number },
  ): AsyncGenerator<LogLine, void, undefined>;
  /** What the steps of the job have stored. */
  steps(job: JobRef, options?: CallOptions): Promise<Step[]>;
  /** The names, types and sizes of the job's artifacts. */
  artifacts(job: JobRef, options?: CallOptions): Promise<ArtifactInfo[]>;
  /**
   * The bytes of one artifact. The type is `application/octet-stream` if a browser could run the bytes; `artifacts()`
   * has the original.
   */
  artifact(
    job: JobRef,
    name: string,
    options?: CallOptions,
  ): Promise<{ readonly bytes: Bytes; readonly contentType: string }>;
}

export function jobCalls<Kinds extends KindMap>(connection: Connection): JobCalls<Kinds> {
  async function submit(kind: string | KindShape, payload: unknown, options: SubmitOptions = {}) {
    const { idempotencyKey, traceId, signal, ...rest } = options;
    const body = onWire({ kind: typeof kind === "string" ? kind : kind.name, payload, ...rest });
    const answer = await ask(connection, jobs.submit, { body, ...repeatable(idempotencyKey, traceId), signal });
    return answer as SubmittedJob;
  }
  async function wait(job: JobRef, options: WaitOptions = {}) {
    return waitFor(connection, idOf(job), options);
  }
  const one = (job: JobRef, { signal }: CallOptions = {}) => ({ params: { jobId: idOf(job) }, signal });

  return {
    submit: submit as JobCalls<Kinds>["submit"],
    submitMany: async (submissions, { idempotencyKey, traceId, signal } = {}) => {
      const body = submissions.map(onWire);
      const answer = await ask(connection, jobs.submit, { body, ...repeatable(idempotencyKey, traceId), signal });
      return (answer as { jobs: SubmittedJob[] }).jobs;
    },

    get: async (job, options) => ask(connection, jobs.get, one(job, options)),
    find: async (job, options) => ask(connection, jobs.get, one(job, options)).catch(undefinedIfMissing),
    wait: wait as JobCalls<Kinds>["wait"],
    result: async <Result>(job: JobRef<Result>, options?: WaitOptions) => outcome<Result>(await wait(job, options)),

    cancel: async (job, { reason, ...options } = {}) =>
      ask(connection, jobs.cancel, { ...one(job, options), body: reason === undefined ? {} : { reason } }),
    retry: async (job, { payload, from, ...options } = {}) =>
      ask(connection, jobs.retry, {
        ...one(job, options),
        body: { ...(payload !== undefined && { payload }), ...(from !== undefined && { from }) },
      }),
    release: async (job, { answer, ...options } = {}) =>
      ask(connection, jobs.release, { ...one(job, options), body: answer === undefined ? {} : { answer } }),
    update: async (job, { runAt, ...change }, options) =>
      ask(connection, jobs.update, {
        ...one(job, options),
        body: { ...change, ...(runAt !== undefined && { runAt: runAt instanceof Date ? runAt.toISOString() : runAt }) },
      }),
    forget: async (job, options) => ask(connection, jobs.forget, one(job, options)),
    cancelMany: (body, options) => ask(connection, jobs.cancelMany, { body, ...options }),
    retryMany: (body, options) => ask(connection, jobs.retryMany, { body, ...options }),

    list: (query = {}, options) => ask(connection, jobs.list, { query, ...options }),
    jobs: (filter = {}, options = {}) => allJobs(connection, filter, options.signal),
    exportList: async (query, { signal } = {}) => {
      return (await askBytes(connection, jobs.exportList, { query, signal })).bytes;
    },
    runNow: async (job, options) => ask(connection, jobs.runNow, one(job, options)),
    explain: async (job, options) => ask(connection, jobs.explain, one(job, options)),
    attempts: async (job, options) => (await ask(connection, jobs.attempts, one(job, options))).attempts,
    logs: async (job, { after, limit, ...options } = {}) =>
      (await ask(connection, jobs.logs, { ...one(job, options), query: { after, limit } })).logs,
    followLogs: (job, { after, signal } = {}) => followLogs(connection, idOf(job), { after, signal }),
    steps: async (job, options) => (await ask(connection, jobs.steps, one(job, options))).steps,
    artifacts: async (job, options) => (await ask(connection, jobs.artifacts, one(job, options))).artifacts,
    artifact: async (job, name, { signal } = {}) =>
      askBytes(connection, jobs.artifact, { params: { jobId: idOf(job), name }, signal }),
  };
}

export function idOf(job: JobRef): string {
  const id: unknown = typeof job === "string" ? job : job?.jobId;
  if (typeof id === "string") return id;
  const isPromise = typeof job === "object" && job !== null && "then" in job;
  throw new MillraceError(
    "invalid-options",
    isPromise ? "Got a Promise instead of a job." : "A job or its id is needed.",
    {
      hint: isPromise
        ? "Add an await before client.submit()."
        : "Pass the result of submit(), or an id such as job_4fQ81xZa.",
    },
  );
}

function onWire({ runAt, ...submission }: JobSubmission): z.input<typeof SubmitRequest> {
  if (runAt === undefined) return submission;
  return { ...submission, runAt: typeof runAt === "string" ? runAt : runAt.toISOString() };
}

/** The key makes the second of two equal submissions an answer to the first, so a lost answer can be asked for again. */
export function repeatable(idempotencyKey: string = crypto.randomUUID(), traceId?: string) {
  return {
    repeatable: true,
    headers: { "idempotency-key": idempotencyKey, ...(traceId !== undefined && { "x-trace-id": traceId }) },
  };
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof MillraceError && error.status === 404) return undefined;
  throw error;
}

/** The result of a finished job. Throws `job-failed` or `job-cancelled`. */
export function outcome<Result>(job: Job): Result {
  const { jobId, state, error, failure, lastError, traceId } = job;
  if (state === "completed") return job.result as Result;
  const details = { jobId, job, traceId };
  if (state === "cancelled") {
    throw new MillraceError("job-cancelled", `Job ${jobId} was cancelled: ${lastError ?? "no reason given"}`, details);
  }
  throw new MillraceError("job-failed", `Job ${jobId} failed: ${error ?? failure?.message ?? "no reason given"}`, {
    ...details,
    hint: "job.failure has its code and causes. retry() submits its work again as a new job.",
  });
}
