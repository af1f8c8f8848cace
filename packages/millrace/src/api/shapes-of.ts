// The shapes that routes share, made with the zod of the caller: a schema of one copy of zod does not fit into one of another,
// and a workload has its own copy.

import type { z as Zod } from "zod";
import { SUBMIT_OPTIONS } from "../job/options/submit-options.ts";
import { optionShapes, type SubmissionShapes } from "./option-shapes-of.ts";

/** The milliseconds of 366 days. */
export const YEAR_MS = 366 * 24 * 3_600_000;

const LAST_MOMENT = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A check for requests with `submissionOptions`: `runAt` and `delayMs` exclude each other. Pass both parts to
 * `refine()`.
 */
export const startsOnce = {
  holds: (request: { runAt?: string | undefined; delayMs?: number | undefined }) =>
    request.runAt === undefined || request.delayMs === undefined,
  issue: { path: ["delayMs"], error: "give either runAt or delayMs" },
};

/**
 * The schemas that routes share, made with your own copy of zod: ids, times, text, queries, and the options of a
 * submission.
 *
 * @example
 * ```ts
 * import { shapesOf } from "millrace/shapes";
 * import { z } from "zod";
 *
 * const { JobId, Moment, Text } = shapesOf(z);
 * export const Letter = z.object({ jobId: JobId, sentAt: Moment, text: Text(1_000) });
 * ```
 */
export function shapesOf(z: typeof Zod) {
  const JobId = z
    .string()
    // Ids of today have 8. Longer ones are kept free for several stores that act as one (decision 43).
    .regex(/^job_[0-9A-Za-z]{8,40}$/, "must be a job id: job_ and 8 to 40 letters or digits")
    .meta({
      id: "JobId",
      description: "`job_` and 8 to 40 letters or digits. Treat it as opaque.",
      examples: ["job_4fQ81xZa"],
    });

  /** A job id in an address: any string is taken, since a string of another form is the id of no job, which is a 404. */
  const JobIdInPath = z.string().meta({ wire: { $ref: "#/components/schemas/JobId" } });

  /** Job ids in a body. A string of another form is skipped, as the id of a deleted job is. */
  const JobIds = (most: number) =>
    z.array(Text(200)).min(1).max(most).meta({ description: "Job ids. Unknown ids are skipped." });

  const Moment = z.iso
    .datetime({ offset: true })
    // An offset can lead out of the years that ISO 8601 writes with four digits.
    .refine((text) => !(Date.parse(text) < 0 || Date.parse(text) > LAST_MOMENT), "must be a time from 1970 to 9999")
    .meta({ description: "ISO 8601.", examples: ["2026-11-15T10:00:00.000Z"] });

  const Name = z
    .string()
    .min(1)
    .max(64)
    .regex(/^[a-z][a-z0-9-]*$/, "must have lower-case letters, digits and dashes, and start with a letter");

  /** Text that every store keeps as it is: PostgreSQL takes neither U+0000 nor half of a surrogate pair. */
  const Text = (most: number) =>
    z
      .string()
      .min(1)
      .max(most)
      .refine((text) => text.isWellFormed() && !text.includes("\0"), "must not have U+0000 or an unpaired surrogate");

  const Tag = Text(64);

  const Tenant = z
    .string()
    .min(1)
    .max(64)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/, "must have only letters, digits, dots, colons, dashes and underscores");

  const Milliseconds = (most: number) => z.int().min(1).max(most);

  /** Numbers and switches arrive in a query as strings. `wire` is the type that the API's description shows for them. */
  const QueryInt = (least: number, most: number) =>
    z
      .string()
      .regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)
      .transform(Number)
      .pipe(z.int().min(least).max(most))
      .meta({ wire: { type: "integer", minimum: least, maximum: most } });
  /** `job_4fQ81xZa,job_9aB2kLmN`. */
  const QueryIds = (most: number) =>
    z
      .string()
      .transform((text) => text.split(","))
      .pipe(z.array(Text(200)).min(1).max(most))
      .meta({ wire: { type: "array", items: { $ref: "#/components/schemas/JobId" }, minItems: 1, maxItems: most } });
  const QueryBool = z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .meta({ wire: { type: "boolean" } });

  /** What every submission takes beside its payload. */
  const submissionOptions: SubmissionShapes = optionShapes(z, SUBMIT_OPTIONS, { Moment, Text });

  return {
    JobId,
    JobIdInPath,
    JobIds,
    Moment,
    Name,
    Text,
    Tag,
    Tenant,
    Milliseconds,
    QueryInt,
    QueryIds,
    QueryBool,
    submissionOptions,
  };
}
