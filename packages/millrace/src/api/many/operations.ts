import { z } from "zod";
import { JobIds, Moment, QueryBool, QueryInt, Tenant, Text } from "../common.ts";
import { JobFilterQuery } from "../job-filter.ts";
import { route } from "../route.ts";

const ACTIONS = ["revive", "retry", "cancel", "delete", "release", "reprioritise"] as const;

const OperationParams = z.strictObject({ operationId: z.string().min(1).max(64) });

const OperationFilter = z.strictObject({
  ...JobFilterQuery,
  code: Text(64).optional().meta({ description: "The failure's code." }),
  fingerprint: Text(64).optional().meta({ description: "The fingerprint of a cause." }),
  error: Text(5_000).optional().meta({ description: "The complete message of the failure." }),
});

export const Operation = z
  .strictObject({
    id: z.string().nullable().meta({ description: "The id of the operation. `null` for a dry run." }),
    action: z
      .enum([...ACTIONS, "undo"])
      .meta({ description: "What it does to each job. `undo` takes back what another operation did." }),
    filter: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The filter that chose its jobs. `null`: they were named by id." }),
    by: z.string().meta({ description: "Who started it." }),
    tenant: z.string().nullable().meta({ description: "The tenant of its jobs. `null`: jobs of all tenants." }),
    state: z.enum(["running", "paused", "stopped", "completed", "failed"]).meta({ description: "Its state." }),
    total: z.int().meta({ description: "The jobs that it covers, fixed when it was accepted." }),
    done: z.int().meta({ description: "Jobs that it has changed." }),
    skipped: z.int().meta({ description: "Jobs that had left the filter before it came to them." }),
    failed: z.int().meta({ description: "Jobs on which the act was refused." }),
    rate: z.number().meta({ description: "Jobs per second, lately." }),
    errors: z
      .array(
        z.strictObject({
          code: z.string().meta({ description: "The code of the refusal." }),
          message: z.string().meta({ description: "The first refusal in words." }),
          count: z.int().meta({ description: "How many jobs were refused so." }),
          sample: z.string().optional().meta({ description: "The first of these jobs." }),
        }),
      )
      .meta({ description: "The refusals by code, at most 20." }),
    waitsFor: z.string().optional().meta({ description: "Why it makes no progress now." }),
    reason: z.string().optional().meta({ description: "The reason that was given." }),
    perSecond: z.number().optional().meta({ description: "The most jobs per second that were asked for." }),
    undoOf: z.string().optional().meta({ description: "The operation that this one takes back." }),
    undoable: z.boolean().meta({ description: "Whether its work can be taken back now." }),
    startedAt: Moment.meta({ description: "When it was accepted." }),
    updatedAt: Moment.meta({ description: "When it last made progress." }),
    endedAt: Moment.nullable().meta({ description: "When it ended. `null`: it has not ended." }),
  })
  .meta({ id: "Operation", description: "An act on many jobs. It goes on after a restart." });

const example = {
  id: "op_4fQ81xZa",
  action: "revive",
  filter: { code: "timed-out" },
  by: "administrator",
  tenant: null,
  state: "running",
  total: 30_000,
  done: 12_500,
  skipped: 3,
  failed: 0,
  rate: 6_200,
  errors: [],
  undoable: false,
  startedAt: "2026-11-15T10:00:00.000Z",
  updatedAt: "2026-11-15T10:00:02.000Z",
  endedAt: null,
};

function control(what: "pause" | "resume" | "stop" | "undo", summary: string) {
  return route({
    method: "POST",
    path: `/operations/{operationId}/${what}`,
    tag: "operations",
    summary,
    access: "submit",
    params: OperationParams,
    status: 200,
    answer: Operation,
    errors: ["operation-not-found", "conflict"],
    example: { answer: example },
  });
}

export const operationRoutes = {
  start: route({
    method: "POST",
    path: "/operations",
    tag: "operations",
    summary:
      "Revive, retry, cancel, delete, release or reprioritise all jobs that match now. The server goes on with it after this answer, also after a restart. An equal request while one runs, and a dry run, are answered with 200.",
    access: "submit",
    body: z
      .strictObject({
        action: z.enum(ACTIONS).meta({
          description: "`revive` acts on dead letters, `retry` on all jobs that failed or were cancelled.",
        }),
        filter: OperationFilter.optional().meta({ description: "Which jobs. An empty filter needs `all`." }),
        ids: JobIds(1_000).optional().meta({ description: "The jobs by id, in place of a filter." }),
        all: z.boolean().optional().meta({ description: "True: an empty filter is meant, and covers every job." }),
        reason: Text(500).optional().meta({ description: "Why. Cancelled jobs show it." }),
        dryRun: z.boolean().optional().meta({ description: "Count the jobs and change nothing." }),
        perSecond: z.number().min(0.01).max(100_000).optional().meta({ description: "Default: as fast as possible." }),
        from: z
          .enum(["failed-stage", "start"])
          .optional()
          .meta({ description: "Where revived and retried jobs start. Default: failed-stage." }),
        priority: z
          .int()
          .min(-1_000_000)
          .max(1_000_000)
          .optional()
          .meta({ description: "The new priority, for `reprioritise`." }),
        answer: z.unknown().optional().meta({ description: "What `ctx.answers()` gives, for `release`." }),
      })
      .refine(({ ids, filter }) => ids === undefined || filter === undefined, {
        path: ["ids"],
        error: "give ids or a filter, not both",
      }),
    status: 202,
    answer: Operation,
    idempotent: true,
    errors: ["query-timeout", "idempotency-conflict"],
    example: { body: { action: "revive", filter: { code: "timed-out" } }, answer: example },
  }),
  list: route({
    method: "GET",
    path: "/operations",
    tag: "operations",
    summary: "List operations, newest first. They are kept for 30 days.",
    access: "read",
    query: z.strictObject({
      live: QueryBool.optional().meta({ description: "True: only those that have not ended." }),
      tenant: Tenant.optional(),
      limit: QueryInt(1, 200).optional(),
      cursor: z.string().min(1).max(64).optional(),
    }),
    status: 200,
    answer: z.strictObject({ operations: z.array(Operation), nextCursor: z.string().optional() }),
  }),
  find: route({
    method: "GET",
    path: "/operations/{operationId}",
    tag: "operations",
    summary: "Read an operation with its progress.",
    access: "read",
    params: OperationParams,
    status: 200,
    answer: Operation,
    errors: ["operation-not-found"],
    example: { answer: example },
  }),
  pause: control("pause", "Pause an operation."),
  resume: control("resume", "Resume a paused operation."),
  stop: control("stop", "Stop an operation for good. What it has done stays done."),
  undo: control(
    "undo",
    "Take back a revival or retry: an operation cancels the new jobs that have not started, and the old ones stand as before.",
  ),
};
