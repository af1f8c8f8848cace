import { z } from "zod";

export const JobId = z
  .string()
  .regex(/^job_[0-9A-Za-z]{8}$/, "a job id looks like job_ and 8 letters or digits")
  .meta({ id: "JobId", description: "`job_` and 8 base62 characters.", examples: ["job_4fQ81xZa"] });

/** A job id in an address: any string is taken, since a string of another form is the id of no job, which is a 404. */
export const JobIdInPath = z.string().meta({ wire: { $ref: "#/components/schemas/JobId" } });

/** Job ids in a body. A string of another form is skipped, as the id of a deleted job is. */
export const JobIds = (most: number) =>
  z.array(Text(200)).min(1).max(most).meta({ description: "Job ids. Unknown ids are skipped." });

const LAST_MOMENT = Date.parse("9999-12-31T23:59:59.999Z");

export const Moment = z.iso
  .datetime({ offset: true })
  // An offset can lead out of the years that ISO 8601 writes with four digits.
  .refine((text) => !(Date.parse(text) < 0 || Date.parse(text) > LAST_MOMENT), "a moment from 1970 to 9999")
  .meta({ description: "ISO 8601.", examples: ["2026-11-15T10:00:00.000Z"] });

export const Name = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z][a-z0-9-]*$/, "lower-case letters, digits and dashes, a letter first");

/** Text that every store keeps as it is: PostgreSQL takes neither U+0000 nor half of a surrogate pair. */
export const Text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), "has U+0000 or half of a surrogate pair");

export const Tag = Text(64);

export const Tenant = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/, "letters, digits, dots, colons, dashes, underscores");

export const YEAR_MS = 366 * 24 * 3_600_000;
export const Milliseconds = (most: number) => z.int().min(1).max(most);

/** Numbers and switches in a query come as text; `wire` is what they mean, for whoever reads the description. */
export const QueryInt = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .meta({ wire: { type: "integer", minimum: least, maximum: most } });
/** `job_4fQ81xZa,job_9aB2kLmN`. */
export const QueryIds = (most: number) =>
  z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(Text(200)).min(1).max(most))
    .meta({ wire: { type: "array", items: { $ref: "#/components/schemas/JobId" }, minItems: 1, maxItems: most } });
export const QueryBool = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .meta({ wire: { type: "boolean" } });
