import type { SettledEvent, StageName } from "../events/event.ts";
import type { ClaimedJob } from "../job/lease.ts";
import type { Log } from "../telemetry/log/log.ts";

/** The fields of every log line about an attempt, so that one trace id finds them all. */
export function aboutAttempt({ lease, tenant, traceId }: ClaimedJob, { kind, stage }: StageName) {
  return { jobId: lease.jobId, kind, stage, tenantId: tenant, ...(traceId !== undefined && { traceId }) };
}

/** Logs how an attempt ended, and what became of its job. */
export function logSettled(log: Log, event: SettledEvent): void {
  const { job, outcome, settled, waitMs, runMs } = event;
  const hasFailed = outcome.type === "failed" || outcome.type === "crashed";
  if (settled.written === "lease-lost") {
    return log.warn("result dropped, lease lost", { ...aboutAttempt(job, event), attempt: job.attempt });
  }
  if (settled.nextStage !== undefined) {
    if (!log.infoEnabled) return;
    return log.info("stage advanced", {
      ...aboutAttempt(job, event),
      to: settled.nextStage,
      waitMs,
      runMs: Math.round(runMs),
    });
  }
  if (!log.infoEnabled && !hasFailed) return;
  const about = { ...aboutAttempt(job, event), attempt: job.attempt, waitMs, runMs: Math.round(runMs) };
  if (!hasFailed) return log.info("settled", { ...about, outcome: outcome.type });
  const { code, message, stack } = outcome.failure;
  log.warn("attempt failed", { ...about, code, error: message, ...(stack !== undefined && { stack }) });
  if (settled.standing === "scheduled") {
    log.info("retrying", { ...about, runAt: new Date(settled.runAt ?? 0).toISOString() });
  } else if (settled.standing === "failed") {
    log.error("dead-lettered", { ...about, code, error: message });
  }
}
