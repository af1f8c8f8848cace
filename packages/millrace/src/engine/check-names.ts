import { AppError } from "../lib/app-error.ts";

/** A string that is no id names no job; anything else is a mistake of the program. */
export function checkJobId(jobId: string): string {
  if (typeof jobId === "string") return jobId;
  throw new AppError("invalid-request", "A job id must be a string such as job_4fQ81xZa.");
}

export function checkJobIds(jobIds: string[]): string[] {
  if (Array.isArray(jobIds) && jobIds.every((each) => typeof each === "string")) return jobIds;
  throw new AppError("invalid-request", "Job ids must be an array of strings such as job_4fQ81xZa.");
}

export function checkNamed(what: string, name: string): string {
  if (typeof name === "string") return name;
  throw new AppError("invalid-request", `The name of ${what} must be a string.`);
}
