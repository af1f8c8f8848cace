import type { z } from "zod";
import { jobRoutes } from "../../api/job.ts";
import type { SubmitRequest } from "../../api/job-shape.ts";
import { acceptedAt } from "../../job/receipt.ts";
import type { JobView } from "../../job/report/view.ts";
import { AppError } from "../../lib/app-error.ts";
import type { JobRequest } from "../../submit/intake.ts";
import { requestFingerprint } from "../../submit/submit.ts";
import { audited, auditedSubmission } from "../auth/audit.ts";
import { type Caller, oneTenant, sees } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { attemptFor, explanationFor, jobFor, logLineFor } from "../redact.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { cursorOf, idOfCursor } from "../request/cursor.ts";
import { filterOf } from "../request/filter.ts";
import { idempotencyOf } from "../request/idempotency.ts";
import { submitOptionsOf } from "../request/submit-options.ts";
import { traceParentOf } from "../trace.ts";

type SubmissionInput = z.output<typeof SubmitRequest>;

/** `closing` is aborted when the server stops, so that waiting requests are answered. */
export function jobHandlers(engine: Engine, closing: AbortSignal): BoundRoute[] {
  return [
    bind(jobRoutes.submit, async ({ body, caller, request, traceId, basePath }) => {
      const tenant = oneTenant(caller);
      const asked = Array.isArray(body) ? body : [body];
      const traceParent = traceParentOf(request);
      const trace = { traceId, ...(traceParent !== undefined && { traceParent }) };
      const {
        jobs: taken,
        replayed,
        ...acceptances
      } = await engine.submitRequests({
        tenant,
        requests: asked.map((each) => jobRequest(each, trace)),
        ...idempotencyOf(request, () => requestFingerprint("POST /jobs", body)),
      });
      // A replay shows the job as it stands now.
      const jobs = replayed ? taken.map((job) => jobFor(caller, job)) : taken;
      const headers = { ...(replayed && { "idempotent-replay": "true" }) };
      if (!replayed) await auditedSubmission(engine, { caller, traceId, request }, tenant, jobs);
      const status = replayed ? 200 : 201;
      const answer = jobs.map((job, i) => ({ ...job, accepted: acceptedAt(i, acceptances), replayed }));
      if (Array.isArray(body)) return { status, headers, body: { jobs: answer } };
      const [job] = answer as [(typeof answer)[0]];
      return { status, headers: { ...headers, location: `${basePath}/jobs/${job.jobId}` }, body: job };
    }),

    bind(jobRoutes.list, async ({ query, caller }) => {
      const limit = query.limit ?? 50;
      const offset = query.offset ?? 0;
      const beforeId = query.cursor === undefined ? undefined : idOfCursor(query.cursor);
      const filter = {
        ...filterOf(query, caller),
        limit: limit + 1,
        offset,
        ...(beforeId !== undefined && { beforeId }),
      };
      const found = await engine.list(filter);
      const page = found.slice(0, limit).map((job) => jobFor(caller, job));
      const jobs = query.brief ? page.map(brief) : page;
      const last = found.length > limit ? jobs.at(-1) : undefined;
      return { body: { jobs, limit, offset, ...(last && { nextCursor: cursorOf(last.jobId) }) } };
    }),

    bind(jobRoutes.get, async ({ params, query, caller, request }) => {
      const job = await findJob(engine, params.jobId, caller);
      const waitMs = (query.wait ?? 0) * 1_000;
      if (waitMs === 0 || (isFinished(job) && job.continuedAs === undefined)) return { body: job };
      const ended = await waited(engine, job, { timeoutMs: waitMs, gone: request.signal, closing });
      return { body: jobFor(caller, ended) };
    }),

    bind(jobRoutes.forget, async ({ params, caller, traceId }) => {
      const { jobId, tenant } = await findJob(engine, params.jobId, caller);
      await engine.forget(jobId);
      await audited(engine, { caller, traceId }, "job forgotten", { target: jobId, tenant });
      return {};
    }),

    bind(jobRoutes.retry, async ({ params, body, caller, traceId, basePath }) => {
      const { jobId, tenant } = await findJob(engine, params.jobId, caller);
      const { payload, from } = body;
      const job = await engine.reviveRequest(jobId, {
        ...(payload !== undefined && { payload }),
        ...(from !== undefined && { from }),
      });
      await audited(engine, { caller, traceId }, "job revived", { target: jobId, tenant });
      return { body: job, headers: { location: `${basePath}/jobs/${job.jobId}` } };
    }),

    bind(jobRoutes.cancel, async ({ params, body, caller, traceId }) => {
      const { jobId, tenant } = await findJob(engine, params.jobId, caller);
      await engine.cancel(jobId, body.reason);
      await audited(engine, { caller, traceId }, "job cancelled", { target: jobId, tenant });
      return { body: await findJob(engine, jobId, caller) };
    }),

    bind(jobRoutes.release, async ({ params, body, caller, traceId }) => {
      const { jobId, tenant } = await findJob(engine, params.jobId, caller);
      await engine.release(jobId, body);
      await audited(engine, { caller, traceId }, "job released", { target: jobId, tenant });
      return { body: await findJob(engine, jobId, caller) };
    }),

    bind(jobRoutes.update, async ({ params, body, caller, traceId }) => {
      const { jobId, tenant } = await findJob(engine, params.jobId, caller);
      const { payload, ...options } = body;
      await engine.update(jobId, { ...submitOptionsOf(options), ...(payload !== undefined && { payload }) });
      const changed = Object.keys(body).sort().join(", ");
      await audited(engine, { caller, traceId }, `job changed: ${changed}`, { target: jobId, tenant });
      return { body: await findJob(engine, jobId, caller) };
    }),

    bind(jobRoutes.runNow, async ({ params, caller, traceId }) => {
      const { jobId, tenant } = await findJob(engine, params.jobId, caller);
      await engine.update(jobId, { runAt: new Date() });
      await audited(engine, { caller, traceId }, "job started early", { target: jobId, tenant });
      return { body: await findJob(engine, jobId, caller) };
    }),

    bind(jobRoutes.explain, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      return { body: explanationFor(caller, await engine.explain(params.jobId)) };
    }),

    bind(jobRoutes.attempts, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      const attempts = await engine.attempts(params.jobId);
      return { body: { attempts: attempts.map((attempt) => attemptFor(caller, attempt)) as never } };
    }),

    bind(jobRoutes.logs, async ({ params, query, caller }) => {
      await findJob(engine, params.jobId, caller);
      const { after, limit } = query;
      const lines = await engine.logs(params.jobId, {
        ...(after !== undefined && { afterId: after }),
        ...(limit !== undefined && { limit }),
      });
      const logs = lines.map(({ data, at, ...line }) => ({
        ...line,
        at: new Date(at).toISOString(),
        ...(data !== undefined && { data: JSON.parse(data) }),
      }));
      return { body: { logs: logs.map((line) => logLineFor(caller, line)) } };
    }),

    bind(jobRoutes.steps, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      const steps = (await engine.steps(params.jobId)).map((step) => ({
        ...step,
        value: JSON.parse(step.value),
        savedAt: new Date(step.savedAt).toISOString(),
      }));
      return { body: { steps } };
    }),
  ];
}

/** A job of a list, without its payload: a page of large payloads would be megabytes. */
function brief(job: JobView): JobView {
  return { ...job, payload: cut(job.payload), ...(job.result !== undefined && { result: cut(job.result) }) };
}

const BRIEF_CHARS = 1_000;

function cut(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  return text.length > BRIEF_CHARS ? `${text.slice(0, BRIEF_CHARS).toWellFormed()}…` : value;
}

/** The job, if the caller may see it. Throws `job-not-found` otherwise. */
export async function findJob(engine: Engine, jobId: string, caller: Caller): Promise<JobView> {
  const job = await engine.find(jobId);
  if (job && sees(caller, job.tenant)) return jobFor(caller, job);
  // The message is the same for a deleted job and for another tenant's, so it reveals nothing.
  throw new AppError("job-not-found", "Job not found", {
    hint:
      "Finished jobs are deleted after JOB_RETENTION_MS (default 7 days), dead letters after DLQ_RETENTION_MS (30 days). " +
      "For a job of another tenant, send X-Tenant-Id, or use --tenant on the command line.",
  });
}

function isFinished(job: JobView): boolean {
  return job.state === "completed" || job.state === "failed" || job.state === "cancelled";
}

interface WaitBounds {
  readonly timeoutMs: number;
  readonly gone: AbortSignal;
  readonly closing: AbortSignal;
}

async function waited(engine: Engine, job: JobView, { timeoutMs, gone, closing }: WaitBounds): Promise<JobView> {
  // AbortSignal.any is not used, because a listener on a signal that lives as long as the server must be removed again.
  const over = new AbortController();
  const end = () => over.abort();
  for (const signal of [gone, closing]) signal.addEventListener("abort", end, { once: true });
  if (gone.aborted || closing.aborted) end();
  try {
    return await engine.wait(job.jobId, { timeoutMs, signal: over.signal });
  } catch (error) {
    if (over.signal.aborted) return job;
    if (!(error instanceof AppError) || error.code !== "wait-timeout") throw error;
    return (await engine.find(job.jobId)) ?? job;
  } finally {
    for (const signal of [gone, closing]) signal.removeEventListener("abort", end);
  }
}

export function jobRequest(asked: SubmissionInput, trace: { traceId: string; traceParent?: string }): JobRequest {
  const { kind, payload, ...options } = asked;
  return { kind, payload, options: { ...trace, ...submitOptionsOf(options) } };
}
