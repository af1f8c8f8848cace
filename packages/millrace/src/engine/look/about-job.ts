import type { Job } from "../../job/job.ts";

/** What every log line of a job says of it, so that one trace id finds them all. */
export function aboutJob({ id, kind, stage, tenant, traceId }: Job): Record<string, string> {
  return { jobId: id, kind, stage, tenantId: tenant, ...(traceId !== undefined && { traceId }) };
}
