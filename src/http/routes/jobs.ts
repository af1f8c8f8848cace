import type { z } from "zod";
import { jobRoutes, type SubmitRequest } from "../../api/job.ts";
import type { JobView } from "../../job/view.ts";
import { AppError } from "../../lib/app-error.ts";
import type { JobRequest } from "../../submit/intake.ts";
import { requestFingerprint } from "../../submit/submit.ts";
import { type Bound, bind } from "../bind.ts";
import { type Caller, oneTenant, sees } from "../caller.ts";
import { cursorOf, idOfCursor } from "../cursor.ts";
import type { Engine } from "../engine.ts";
import { filterOf } from "../filter.ts";
import { idempotencyOf } from "../idempotency.ts";

type Submitted = z.output<typeof SubmitRequest>;

export function jobHandlers(engine: Engine): Bound[] {
  return [
    bind(jobRoutes.submit, async ({ body, caller, request, traceId, traceParent }) => {
      const tenant = oneTenant(caller);
      const asked = Array.isArray(body) ? body : [body];
      const trace = { traceId, ...(traceParent !== undefined && { traceParent }) };
      const { jobs, replayed } = await engine.submitRequests({
        tenant,
        requests: asked.map((each) => jobRequest(each, trace)),
        ...idempotencyOf(request, () => requestFingerprint("POST /jobs", body)),
      });
      const headers = { ...(replayed && { "idempotent-replay": "true" }) };
      const status = replayed ? 200 : 201;
      if (Array.isArray(body)) return { status, headers, body: { jobs } };
      const [job] = jobs as [JobView];
      return { status, headers: { ...headers, location: `/jobs/${job.jobId}` }, body: job };
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
      const jobs = found.slice(0, limit);
      const last = found.length > limit ? jobs.at(-1) : undefined;
      return { body: { jobs, limit, offset, ...(last && { nextCursor: cursorOf(last.jobId) }) } };
    }),

    bind(jobRoutes.get, async ({ params, query, caller, request }) => {
      const job = await findJob(engine, params.jobId, caller);
      const waitMs = (query.wait ?? 0) * 1_000;
      if (waitMs === 0 || isFinished(job)) return { body: job };
      return { body: await waited(engine, job, waitMs, request.signal) };
    }),

    bind(jobRoutes.forget, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      await engine.forget(params.jobId);
      await engine.admin.audit(caller.name, "job forgotten", { target: params.jobId, tenant: caller.tenant });
      return {};
    }),

    bind(jobRoutes.retry, async ({ params, body, caller }) => {
      await findJob(engine, params.jobId, caller);
      const { payload, from } = body;
      const revived = await engine.revive(params.jobId, {
        ...(payload !== undefined && { payload }),
        ...(from !== undefined && { from }),
      });
      await engine.admin.audit(caller.name, "job revived", { target: params.jobId, tenant: caller.tenant });
      const job = (await engine.find(revived.id)) as JobView;
      return { body: job, headers: { location: `/jobs/${job.jobId}` } };
    }),

    bind(jobRoutes.cancel, async ({ params, body, caller }) => {
      await findJob(engine, params.jobId, caller);
      await engine.cancel(params.jobId, body.reason);
      await engine.admin.audit(caller.name, "job cancelled", { target: params.jobId, tenant: caller.tenant });
      return { body: (await engine.find(params.jobId)) as JobView };
    }),

    bind(jobRoutes.release, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      await engine.release(params.jobId);
      await engine.admin.audit(caller.name, "job released", { target: params.jobId, tenant: caller.tenant });
      return { body: (await engine.find(params.jobId)) as JobView };
    }),

    bind(jobRoutes.attempts, async ({ params, caller }) => {
      await findJob(engine, params.jobId, caller);
      return { body: { attempts: (await engine.attempts(params.jobId)) as never } };
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
      return { body: { logs } };
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

/** Another tenant's job is as unknown as one that never was. */
export async function findJob(engine: Engine, jobId: string, caller: Caller): Promise<JobView> {
  const job = await engine.find(jobId);
  if (job && sees(caller, job.tenant)) return job;
  throw new AppError("job-not-found", "Job not found", { hint: "It may have been deleted: see JOB_RETENTION_MS." });
}

function isFinished(job: JobView): boolean {
  return job.state === "completed" || job.state === "failed" || job.state === "cancelled";
}

async function waited(engine: Engine, job: JobView, timeoutMs: number, signal: AbortSignal): Promise<JobView> {
  try {
    return await engine.wait(job.jobId, { timeoutMs, signal });
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== "wait-timeout" && error.code !== "stopping")) throw error;
    return (await engine.find(job.jobId)) ?? job;
  }
}

function jobRequest(asked: Submitted, trace: { traceId: string; traceParent?: string }): JobRequest {
  const { kind, payload, priority, runAt, delayMs, maxRetries, timeoutMs, expiresInMs, tags } = asked;
  return {
    kind,
    payload,
    options: {
      ...trace,
      ...(priority !== undefined && { priority }),
      ...(runAt !== undefined && { runAt: new Date(runAt) }),
      ...(delayMs !== undefined && { delayMs }),
      ...(maxRetries !== undefined && { maxAttempts: maxRetries }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(expiresInMs !== undefined && { expiresInMs }),
      ...(tags !== undefined && { tags }),
    },
  };
}
