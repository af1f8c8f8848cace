import { AppError } from "../lib/app-error.ts";

export function jobNotFound(): AppError {
  return new AppError("job-not-found", "Job not found.", {
    hint: "Finished jobs are deleted after finishedRetentionMs (default 7 days), dead letters after deadLetterRetentionMs (30 days).",
  });
}
