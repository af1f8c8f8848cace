import { z } from "zod";
import { JobId, Moment, Name, QueryInt, Tag, Tenant, Text } from "./common.ts";
import { route } from "./route.ts";

export const Schedule = z
  .strictObject({
    /** The name of the schedule, unique within its tenant. */
    name: z.string(),
    /** The cron expression. */
    cron: z.string(),
    /** The IANA time zone. */
    timeZone: z.string(),
    /** The kind of its jobs. */
    kind: z.string(),
    /** The tenant that its jobs belong to. */
    tenant: z.string(),
    /** The payload of every job. */
    payload: z.unknown(),
    /** The priority of its jobs. */
    priority: z.int().optional(),
    /** The tags of its jobs. */
    tags: z.array(z.string()).optional(),
    /** While the previous job of the schedule has not ended: "skip" submits none, "allow" submits one. */
    overlap: z.enum(["skip", "allow"]),
    /** After times at which no process ran: "once" submits one job for all of them, "skip" none. */
    missed: z.enum(["once", "skip"]),
    /** True: it does not fire. */
    paused: z.boolean(),
    /** When it fires next. */
    nextAt: Moment,
    /** The next times at which it fires. */
    nextFires: z.array(Moment),
    /** When it fired last. */
    lastAt: Moment.optional(),
    /** The id of the job that it submitted last. */
    lastJobId: JobId.optional(),
  })
  .meta({ id: "Schedule" });

const ScheduleBody = z.strictObject({
  cron: z
    .string()
    .min(1)
    .max(100)
    .meta({ examples: ["30 6 * * 1"] }),
  timeZone: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ examples: ["Europe/Berlin"] }),
  kind: Name,
  payload: z.unknown(),
  tenant: Tenant.optional(),
  priority: z.int().min(-1_000_000).max(1_000_000).optional(),
  tags: z.array(Tag).max(20).optional(),
  overlap: z.enum(["skip", "allow"]).optional(),
  missed: z.enum(["once", "skip"]).optional(),
  paused: z.boolean().optional(),
});

const ScheduleParams = z.strictObject({ name: Text(255) });
const ScheduleQuery = z.strictObject({
  tenant: Tenant.optional().meta({
    description: "Only for the administrator, if several tenants have a schedule of this name.",
  }),
});

export const scheduleRoutes = {
  schedules: route({
    method: "GET",
    path: "/schedules",
    tag: "schedules",
    summary: "List schedules with their next runs.",
    access: "admin",
    status: 200,
    answer: z.strictObject({ schedules: z.array(Schedule) }),
  }),
  schedule: route({
    method: "GET",
    path: "/schedules/{name}",
    tag: "schedules",
    summary: "Read one schedule.",
    access: "admin",
    params: ScheduleParams,
    query: ScheduleQuery,
    status: 200,
    answer: Schedule,
  }),
  putSchedule: route({
    method: "PUT",
    path: "/schedules/{name}",
    tag: "schedules",
    summary: "Add a schedule, or replace the tenant's schedule of this name.",
    access: "admin",
    params: ScheduleParams,
    body: ScheduleBody,
    status: 200,
    answer: Schedule,
    errors: ["kind-unknown", "conflict"],
    example: { body: { cron: "30 6 * * 1", timeZone: "Europe/Berlin", kind: "text", payload: { text: "weekly" } } },
  }),
  previewSchedule: route({
    method: "GET",
    path: "/schedule-preview",
    tag: "schedules",
    summary: "The next times at which a rule would fire. Nothing is stored.",
    access: "admin",
    query: z.strictObject({
      cron: z.string().min(1).max(100),
      timeZone: z.string().min(1).max(64).optional().meta({ description: "Default: UTC." }),
      count: QueryInt(1, 20).optional().meta({ description: "Default: 10." }),
    }),
    status: 200,
    answer: z.strictObject({ fires: z.array(Moment) }),
    example: { answer: { fires: ["2026-11-16T05:30:00.000Z", "2026-11-23T05:30:00.000Z"] } },
  }),
  runSchedule: route({
    method: "POST",
    path: "/schedules/{name}/run-now",
    tag: "schedules",
    summary: "Submit the job of a schedule now, beside its runs. The schedule itself does not change.",
    access: "admin",
    params: ScheduleParams,
    query: ScheduleQuery,
    status: 201,
    answer: z.strictObject({ jobId: JobId.meta({ description: "The new job." }) }),
    errors: [
      "kind-unknown",
      "conflict",
      "already-queued",
      "already-processing",
      "in-other-stage",
      "rate-limited",
      "tenant-busy",
      "backpressure",
      "key-busy",
      "disk-full",
    ],
  }),
  removeSchedule: route({
    method: "DELETE",
    path: "/schedules/{name}",
    tag: "schedules",
    summary: "Delete a schedule.",
    access: "admin",
    params: ScheduleParams,
    query: ScheduleQuery,
    status: 204,
  }),
};
