import { checked } from "../lib/options/check.ts";
import { anyText, other } from "../lib/options/option.ts";

const JOB_ID = other<string>("a string such as job_4fQ81xZa", isString);
const JOB_IDS = other<string[]>(
  "an array of strings such as job_4fQ81xZa",
  (value) => Array.isArray(value) && value.every(isString),
);

/**
 * Accepts any string, because one that is not the id of a job names no job. Anything else is a mistake of the program.
 */
export function checkJobId(jobId: string): string {
  return checked("A job id", JOB_ID, jobId);
}

export function checkJobIds(jobIds: string[]): string[] {
  return checked("Job ids", JOB_IDS, jobIds);
}

export function checkNamed(what: string, name: string): string {
  return checked(`The name of ${what}`, anyText(), name);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}
