// Which jobs: the filter of a list, and of acts on many.

import { z } from "zod";
import { JobId, JobIds, Moment, QueryBool, QueryInt, Tag, Text } from "./common.ts";
import { Job } from "./job-shape.ts";

/** The shown words, the states, and what is derived from them. */
const Status = Text(64).meta({
  description: "A status or state as shown on a job, or `running`, `done`, `scheduled`, `retrying`, `held`.",
});

export const JobFilterQuery = {
  status: Status.optional(),
  kind: Text(64).optional(),
  stage: Text(64).optional(),
  tenant: Text(64).optional().meta({ description: "Administrators only." }),
  tag: Tag.optional(),
  since: Moment.optional().meta({ description: "Created at or after." }),
  until: Moment.optional().meta({ description: "Created before." }),
  q: Text(200).optional().meta({ description: "Text in payload, result or error; or a job id." }),
};

export const JobListQuery = z.strictObject({
  ...JobFilterQuery,
  inProgress: QueryBool.optional(),
  brief: QueryBool.optional().meta({
    description: "A payload or result over 1,000 characters is cut, and given as text.",
  }),
  limit: QueryInt(1, 500).optional(),
  offset: QueryInt(0, 1_000_000).optional(),
  cursor: z.string().min(1).max(100).optional(),
});

export const JobList = z
  .strictObject({ jobs: z.array(Job), limit: z.int(), offset: z.int(), nextCursor: z.string().optional() })
  .meta({ id: "JobList" });

/** The same filter in a body, for acts on many jobs. */
export const JobFilterBody = z
  .strictObject({ ...JobFilterQuery })
  .meta({ id: "JobFilter", description: "As the query of `GET /jobs`." });

const Many = {
  ids: JobIds(1_000).optional(),
  filter: JobFilterBody.optional(),
  dryRun: z.boolean().optional().meta({ description: "Only count." }),
};
const oneOfBoth = {
  check: (request: { ids?: unknown; filter?: unknown }) =>
    (request.ids === undefined) !== (request.filter === undefined),
  error: { path: ["ids"], error: "give ids or filter, one of them" },
};
export const CancelMany = z
  .strictObject({ ...Many, reason: Text(500).optional() })
  .refine(oneOfBoth.check, oneOfBoth.error);
export const RetryMany = z.strictObject(Many).refine(oneOfBoth.check, oneOfBoth.error);
export const ManyAnswer = z
  .strictObject({
    matched: z.int(),
    changed: z.int(),
    dryRun: z.boolean(),
    jobIds: z.array(JobId).meta({ description: "The jobs changed, or the new ones; 1,000 at most." }),
  })
  .meta({ id: "ManyAnswer" });
