import { AppError } from "../../lib/app-error.ts";

const RETENTION =
  "Finished jobs are deleted after finishedRetentionMs (default 7 days), dead letters after deadLetterRetentionMs (30 days).";

export function jobNotFound(jobId?: string): AppError {
  const isId = jobId === undefined || /^job_[0-9A-Za-z]+$/.test(jobId);
  const hint = isId ? RETENTION : `"${jobId.slice(0, 64)}" is not a job id. Ids look like job_4fQ81xZa.`;
  return new AppError("job-not-found", "Job not found.", { hint });
}
