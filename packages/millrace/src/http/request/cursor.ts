import { AppError } from "../../lib/app-error.ts";

/** A cursor for the page after this job. Its content is not part of the API. */
export function cursorOf(jobId: string): string {
  return Buffer.from(`before ${jobId}`).toString("base64url");
}

/** The job in a cursor. Throws `invalid-request` for a cursor that is not valid. */
export function idOfCursor(cursor: string): string {
  const [, jobId] = /^before (job_[0-9A-Za-z]{8,40})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  // Decoding is lenient, so only a cursor that we wrote ourselves is accepted.
  if (jobId !== undefined && cursorOf(jobId) === cursor) return jobId;
  throw new AppError("invalid-request", "Invalid cursor.", {
    hint: "Use the `nextCursor` of the previous page unchanged.",
    details: { issues: [{ path: "cursor", message: "is not a valid cursor" }] },
  });
}
