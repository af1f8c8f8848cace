import { z } from "zod";
import { JobId, JobIds, Moment, QueryBool, QueryIds, QueryInt, Text } from "./common.ts";
import { JobFilterQuery, ManyAnswer } from "./job-filter.ts";
import { route } from "./route.ts";

export const DeadLetter = z
  .strictObject({
    /** The id of the job. */
    jobId: JobId,
    /** The name of its kind. */
    kind: z.string(),
    /** The stage that failed. */
    stage: z.string(),
    /** The payload as it was submitted. */
    payload: z.unknown(),
    /** Failed attempts of the stage. */
    retries: z.int(),
    /** The message of the failure. */
    lastError: z.string(),
    /** When it failed. */
    failedAt: Moment,
    /** The tenant that it belongs to. */
    tenant: z.string(),
  })
  .meta({ id: "DeadLetter" });

export const DeadLetterGroup = z
  .strictObject({
    /** The kind. */
    kind: z.string(),
    /** The stage that failed. */
    stage: z.string(),
    /** The code of the failure. */
    code: z.string(),
    /** The message of the failure. */
    lastError: z.string(),
    /** The number of dead letters. */
    count: z.int(),
    /** When the first one failed. */
    firstAt: Moment,
    /** When the latest one failed. */
    lastAt: Moment,
    /** The id of the newest one. */
    sample: JobId,
  })
  .meta({ id: "DeadLetterGroup", description: "Dead letters with the same kind, stage and error." });

export const DeadLetterCause = z
  .strictObject({
    fingerprint: z
      .string()
      .meta({ description: "The same for all of them. It begins with the version of the patterns." }),
    pattern: z.string().meta({ description: "The message with placeholders such as `<id>`, `<n>` and `<value>`." }),
    /** The kind. */
    kind: z.string(),
    /** The stage that failed. */
    stage: z.string(),
    /** The code of the failure. */
    code: z.string(),
    /** The message of the newest one. */
    lastError: z.string(),
    /** The number of dead letters. */
    count: z.int(),
    variants: z.int().meta({ description: "How many different messages they have." }),
    /** When the first one failed. */
    firstAt: Moment,
    /** When the latest one failed. */
    lastAt: Moment,
    /** The id of the newest one. */
    sample: JobId,
  })
  .meta({
    id: "DeadLetterCause",
    description: "Dead letters whose messages differ only in ids, numbers, quoted values, paths and addresses.",
  });

/** `status` says nothing here: they have all failed. */
const { status: _status, ...DeadLetterFilter } = JobFilterQuery;

const DlqFilter = z.strictObject({
  ...DeadLetterFilter,
  code: Text(64).optional().meta({ description: "The failure's code." }),
  fingerprint: Text(64).optional().meta({ description: "The fingerprint of a cause." }),
  error: Text(5_000).optional().meta({ description: "The complete message of the failure." }),
});

export const dlqRoutes = {
  list: route({
    method: "GET",
    path: "/dlq",
    tag: "dead letters",
    summary: "List dead letters, newest failure first. With `group`, count them by error or by cause.",
    access: "read",
    query: z.strictObject({
      ...DlqFilter.shape,
      group: z.enum(["error", "fingerprint"]).optional().meta({
        description:
          "`error`: groups with the same error, 100 at most. `fingerprint`: groups with the same cause; `q` then searches the causes, and `limit` counts groups.",
      }),
      sort: z.enum(["count", "last", "first", "kind"]).optional().meta({
        description:
          "The order of causes: the most frequent, the latest or the oldest first, or by kind. Default: count.",
      }),
      cursor: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .meta({ description: "`nextCursor` of the previous page of causes." }),
      limit: QueryInt(1, 500).optional(),
      offset: QueryInt(0, 1_000_000).optional(),
    }),
    status: 200,
    answer: z.strictObject({
      /** The dead letters of this page, newest failure first. */
      items: z.array(DeadLetter),
      /** The groups, if they were asked for. */
      groups: z.array(z.union([DeadLetterCause, DeadLetterGroup])).optional(),
      groupCount: z.int().optional().meta({ description: "The number of causes that match." }),
      nextCursor: z.string().optional().meta({ description: "Pass it as `cursor` to read the next page of causes." }),
      /** The number of dead letters that match. */
      total: z.int(),
      /** The size of the page. */
      limit: z.int(),
      /** How many were skipped. */
      offset: z.int(),
    }),
    errors: ["query-timeout"],
  }),
  revive: route({
    method: "POST",
    path: "/dlq/revive",
    tag: "dead letters",
    summary: "Revive dead letters by ids or filter, all at once or at a given rate.",
    access: "submit",
    body: z
      .strictObject({
        ids: JobIds(1_000).optional(),
        filter: DlqFilter.optional(),
        dryRun: z.boolean().optional(),
        perSecond: z
          .number()
          .min(0.01)
          .max(10_000)
          .optional()
          .meta({ description: "Start the new jobs at this rate instead of all at once." }),
        from: z.enum(["failed-stage", "start"]).optional(),
      })
      .refine((request) => (request.ids === undefined) !== (request.filter === undefined), {
        path: ["ids"],
        error: "give either ids or filter",
      }),
    status: 200,
    answer: ManyAnswer,
    deferred: true,
    errors: ["query-timeout"],
    example: {
      body: { filter: { kind: "text", code: "text-failed" }, perSecond: 5 },
      answer: { matched: 2, changed: 2, dryRun: false, jobIds: ["job_4fQ81xZa", "job_9aB2kLmN"] },
    },
  }),
  discard: route({
    method: "DELETE",
    path: "/dlq",
    tag: "dead letters",
    summary: "Discard dead letters by ids or filter. To discard all of them, send `all=true`.",
    access: "submit",
    query: z
      .strictObject({
        ids: QueryIds(500).optional().meta({
          description: "Job ids, separated by commas, at most 500. Ids that are not dead letters are skipped.",
        }),
        ...DlqFilter.shape,
        dryRun: QueryBool.optional(),
        all: QueryBool.optional(),
      })
      .refine(({ ids, dryRun: _dryRun, ...filter }) => ids === undefined || Object.keys(filter).length === 0, {
        path: ["ids"],
        error: "give ids or a filter, not both",
      }),
    status: 200,
    answer: ManyAnswer,
    deferred: true,
    errors: ["query-timeout"],
  }),
};
