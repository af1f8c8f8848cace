import { z } from "zod";

export const JobId = z
  .string()
  .regex(/^job_[0-9A-Za-z]{8}$/, "a job id looks like job_ and 8 letters or digits")
  .meta({ id: "JobId", description: "`job_` and 8 base62 characters.", examples: ["job_4fQ81xZa"] });

export const Moment = z.iso
  .datetime({ offset: true })
  .meta({ description: "ISO 8601.", examples: ["2026-11-15T10:00:00.000Z"] });

export const Name = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z][a-z0-9-]*$/, "lower-case letters, digits and dashes, a letter first");

export const Tag = z.string().min(1).max(64);

const YEAR_MS = 366 * 24 * 3_600_000;
export const Milliseconds = z
  .int()
  .min(1)
  .max(10 * YEAR_MS);

/** Numbers and switches in a query come as text. */
export const QueryInt = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `a whole number from ${least} to ${most}`)
    .transform(Number)
    .pipe(z.int().min(least).max(most));
export const QueryBool = z.enum(["true", "false"]).transform((text) => text === "true");
