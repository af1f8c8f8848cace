// Which jobs: the filter of a list, and of acts on many.

import { z } from "zod";
import { JobId, JobIds, Moment, QueryBool, QueryInt, Tag, Text } from "./common.ts";
import { Job } from "./job-shape.ts";

/** The shown words, the states, and what is derived from them. */
const Status = Text(64).meta({
  description:
    "A status or state of a job, or `running`, `done`, `scheduled`, `retrying`, `held`, `dead-letter`. `failed` includes dead letters that were revived.",
});

export const JobFilterQuery = {
  /** A status or state as shown on a job, or `running`, `done`, `scheduled`, `retrying`, `held` or `dead-letter`. Default: any. */
  status: Status.optional(),
  /** The name of the kind. Default: any. */
  kind: Text(64).optional(),
  /** The name of the current stage. Default: any. */
  stage: Text(64).optional(),
  tenant: Text(64).optional().meta({ description: "Administrators only." }),
  /** A tag that the job has. Default: any. */
  tag: Tag.optional(),
  waitsFor: Text(300).optional().meta({
    description:
      "What the job waits for: `sleep`, `signal`, `event`, `approval`, `children`, `hold` or `after`, alone or with a name, such as `signal:paid`.",
  }),
  parent: Text(64).optional().meta({
    description: "Jobs that the job with this id started, or that it depends on in a flow.",
  }),
  batch: Text(64).optional().meta({ description: "Members of the batch with this id." }),
  since: Moment.optional().meta({ description: "Jobs created at or after this time." }),
  until: Moment.optional().meta({ description: "Jobs created before this time." }),
  q: Text(200).optional().meta({ description: "Jobs with this text in payload, result or error, or with this id." }),
};

export const JobListQuery = z.strictObject({
  ...JobFilterQuery,
  /** True: only jobs that a processor holds now. Default: any. */
  inProgress: QueryBool.optional(),
  brief: QueryBool.optional().meta({
    description: "A payload or result over 1,000 characters is truncated and returned as a string.",
  }),
  /** The size of the page, 1 to 500. Default: 50. */
  limit: QueryInt(1, 500).optional(),
  /** Skip this many jobs. Prefer `cursor` for long lists. Default: 0. */
  offset: QueryInt(0, 1_000_000).optional(),
  /** `nextCursor` of the previous page. Default: start with the newest. */
  cursor: z.string().min(1).max(100).optional(),
});

export const JobList = z
  .strictObject({
    /** The jobs of this page, newest first. */
    jobs: z.array(Job),
    /** The size of the page. */
    limit: z.int(),
    /** How many were skipped. */
    offset: z.int(),
    /** Pass it as `cursor` to read the next page. Missing on the last page. */
    nextCursor: z.string().optional(),
  })
  .meta({ id: "JobList" });

/** The same filter in a body, for acts on many jobs. */
export const JobFilterBody = z
  .strictObject({ ...JobFilterQuery })
  .meta({ id: "JobFilter", description: "The same fields as the query of `GET /jobs`." });

const Many = {
  ids: JobIds(1_000).optional(),
  filter: JobFilterBody.optional(),
  dryRun: z.boolean().optional().meta({ description: "Count the jobs and change nothing." }),
};
const oneOfBoth = {
  check: (request: { ids?: unknown; filter?: unknown }) =>
    (request.ids === undefined) !== (request.filter === undefined),
  error: { path: ["ids"], error: "give either ids or filter" },
};
export const CancelMany = z
  .strictObject({ ...Many, reason: Text(500).optional() })
  .refine(oneOfBoth.check, oneOfBoth.error);
export const RetryMany = z.strictObject(Many).refine(oneOfBoth.check, oneOfBoth.error);
export const ManyAnswer = z
  .strictObject({
    /** The number of jobs that match. */
    matched: z.int(),
    /** The number of jobs that were changed. */
    changed: z.int(),
    /** True: nothing was changed. */
    dryRun: z.boolean(),
    jobIds: z.array(JobId).meta({ description: "The changed or new jobs, at most 1,000." }),
    operation: z.strictObject({ id: z.string() }).optional().meta({
      description: "More than 1,000 jobs match: this operation does the rest, and the answer has status 202.",
    }),
  })
  .meta({ id: "ManyAnswer" });
