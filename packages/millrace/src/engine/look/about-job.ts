import type { Job } from "../../job/job.ts";

/** The fields about a job in every log line, so that one trace id finds all lines. */
export function aboutJob({ id, kind, stage, tenant, traceId }: Job): Record<string, string> {
  return { jobId: id, kind, stage, tenantId: tenant, ...(traceId !== undefined && { traceId }) };
}
