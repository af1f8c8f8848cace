import { z } from "zod";
import { JobId, Moment, Name, QueryInt, Tag, Tenant, Text } from "./common.ts";
import { route } from "./route.ts";

const StandingCounts = z.strictObject({
  scheduled: z.int(),
  ready: z.int(),
  suspect: z.int(),
  held: z.int(),
  running: z.int(),
  completed: z.int(),
  failed: z.int(),
  rejected: z.int(),
  cancelled: z.int(),
});

export const KindInfo = z
  .strictObject({
    /** The name of the kind. */
    kind: z.string(),
    /** True: no jobs of it are claimed until it is resumed. */
    paused: z.boolean(),
    /** False: no living process has a pool for every stage of it. */
    served: z.boolean(),
    payloadSchema: z
      .unknown()
      .optional()
      .meta({ description: "The JSON Schema of the payload, if its schema library can produce one." }),
    /** Payloads to start from. */
    examples: z.array(z.unknown()).optional(),
    /** The stages in order, with their settings and counts. */
    stages: z.array(
      z.strictObject({
        stage: z.string(),
        processors: z.int().optional(),
        timeoutMs: z.int().optional(),
        maxAttempts: z.int().optional(),
        isolation: z.enum(["inline", "process"]).optional(),
        pace: z.strictObject({ count: z.int(), perMs: z.int() }).optional(),
        queueMax: z.int().optional(),
        counts: StandingCounts,
      }),
    ),
  })
  .meta({ id: "Kind" });

export const ProcessorInfo = z
  .strictObject({
    /** The number of the processor in its pool. */
    slot: z.int(),
    /** What it does. "error": it hangs, or its module does not load. */
    state: z.enum(["idle", "busy", "error"]),
    /** The job it works on. */
    jobId: JobId.optional(),
    /** The tenant of that job. */
    tenant: z.string().optional(),
    /** Since when it works on it. */
    since: Moment.optional(),
    /** When the attempt times out. */
    deadline: Moment.optional(),
    /** Why it is in the state "error". */
    reason: z.string().optional(),
  })
  .meta({ id: "Processor" });

export const PoolInfo = z
  .strictObject({
    /** The name of the pool: `kind/stage`. */
    pool: z.string(),
    /** The kind. */
    kind: z.string(),
    /** The stage. */
    stage: z.string(),
    /** The number of processors. */
    size: z.int(),
    /** The name of the process. */
    instance: z.string(),
    /** When the process was last heard of. */
    seenAt: Moment,
    /** Due jobs that wait for a processor. */
    queueSize: z.int(),
    /** Each processor with what it does. */
    processors: z.array(ProcessorInfo),
  })
  .meta({ id: "Pool" });

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

const Percentiles = z.strictObject({ p50: z.number(), p95: z.number(), p99: z.number() });

export const StageMetrics = z
  .strictObject({
    queueSize: z.int(),
    processors: z.strictObject({ idle: z.int(), busy: z.int(), error: z.int() }),
    waitMs: Percentiles,
    runMs: Percentiles,
    successRate: z.number().nullable().meta({ description: "Percentiles of recent attempts. null before the first." }),
    retries: z.int(),
    completed: z.int(),
    failed: z.int(),
  })
  .meta({ id: "StageMetrics" });

export const Metrics = z
  .strictObject({
    /** Jobs that were submitted. */
    jobsSubmitted: z.int(),
    /** Jobs that completed. */
    jobsCompleted: z.int(),
    /** Jobs that failed. */
    jobsFailed: z.int(),
    /** Jobs that were cancelled. */
    jobsCancelled: z.int(),
    /** Attempts that failed. */
    attemptsFailed: z.int(),
    /** Submissions that were refused because of a limit or a conflict. */
    submissionsRefused: z.int(),
    /** Jobs that were taken back from a process that stopped responding. */
    leasesExpired: z.int(),
    /** Jobs that wait. */
    pending: z.int(),
    /** Jobs that run. */
    running: z.int(),
    /** Jobs that completed and are still kept. */
    done: z.int(),
    /** Jobs that failed and are still kept, including rejected ones. */
    failed: z.int(),
    /** Dead letters. */
    dlq: z.int(),
    /** The figures of each stage, by `kind/stage`. */
    perStage: z.record(z.string(), StageMetrics),
    /** Submitted, completed, failed and refused jobs, by tenant. */
    perTenant: z.record(
      z.string(),
      z.strictObject({ submitted: z.int(), completed: z.int(), failed: z.int(), refused: z.int() }),
    ),
    /** How late the event loop of the process is, in milliseconds. */
    eventLoopDelayMs: Percentiles,
    /** The size of the database, and of the write-ahead log on SQLite, in bytes. */
    database: z.strictObject({ databaseBytes: z.int(), walBytes: z.int() }),
    /** The memory of the process in bytes, and its age in seconds. */
    process: z.strictObject({ rssBytes: z.int(), uptimeSeconds: z.number() }),
    /** Stages with waiting jobs that no living process serves, as `kind/stage`. */
    unserved: z.array(z.string()),
  })
  .meta({ id: "Metrics" });

const Count = z.int();

export const FigurePoint = z
  .strictObject({
    /** When the figures were taken. */
    at: Moment,
    /** Jobs submitted since the start. */
    submitted: Count,
    /** Jobs completed since the start. */
    completed: Count,
    /** Jobs failed since the start. */
    failed: Count,
    /** Jobs cancelled since the start. */
    cancelled: Count,
    /** Attempts failed since the start. */
    attemptsFailed: Count,
    /** Submissions refused since the start. */
    refused: Count,
    /** Jobs that waited. */
    pending: Count,
    /** Jobs that ran. */
    running: Count,
    /** Dead letters. */
    dlq: Count,
    /** The figures of each stage, by `kind/stage`. Percentiles are in milliseconds. */
    perStage: z.record(
      z.string(),
      z.strictObject({
        queueSize: Count,
        idle: Count,
        busy: Count,
        error: Count,
        completed: Count,
        failed: Count,
        retries: Count,
        waitP50: z.number(),
        waitP95: z.number(),
        runP50: z.number(),
        runP95: z.number(),
      }),
    ),
    /** The figures of each tenant. */
    perTenant: z.record(
      z.string(),
      z.strictObject({ submitted: Count, completed: Count, failed: Count, refused: Count }),
    ),
  })
  .meta({
    id: "FigurePoint",
    description:
      "The figures at one time. Counters count from the start of the process: compare two points for a rate.",
  });

export const UnservedStage = z
  .strictObject({
    kind: z.string(),
    stage: z.string().nullable().meta({ description: "null: the kind has never had a worker." }),
    jobs: z.int(),
    lastServedBy: z.string().optional().meta({ description: "The newest deployment that had the stage." }),
  })
  .meta({ id: "UnservedStage" });

export const Deployment = z
  .strictObject({
    /** The label given to `Millrace.open({ deployment })` or in `DEPLOYMENT`. */
    label: z.string(),
    number: z
      .int()
      .optional()
      .meta({ description: "The newest deployment has the highest number. Missing if it has never had a worker." }),
    /** The kinds that it registered, each with its stages in order. */
    plans: z.array(z.strictObject({ kind: z.string(), stages: z.array(z.string()) })),
    processes: z.array(z.string()).meta({ description: "The names of its living worker processes." }),
    /** The jobs that need this deployment. */
    jobs: z.strictObject({
      pending: z.int().meta({ description: "Jobs that still need a stage that only this deployment serves." }),
      running: z.int().meta({ description: "Jobs that its processes run." }),
      pinned: z.int().meta({ description: "Pending jobs that only its own processes may run." }),
    }),
    removable: z.boolean().meta({ description: "True if it is drained: no job needs its processes." }),
  })
  .meta({ id: "Deployment" });

export const Health = z
  .looseObject({
    status: z.enum(["ok", "degraded", "error"]).meta({
      description: "degraded: the server works, but an operator should act. The HTTP status is 200.",
    }),
    uptime: z.number().meta({ description: "Seconds." }),
    /** When the server answered. */
    timestamp: Moment,
    problems: z.array(z.string()).optional().meta({ description: "Only for the administrator." }),
    unserved: z
      .array(z.string())
      .optional()
      .meta({ description: "Stages with waiting jobs that no living process serves." }),
    /** The same stages, with the number of waiting jobs and the deployment that served them last. */
    unservedStages: z.array(UnservedStage).optional(),
  })
  .meta({ id: "Health" });

export const Ready = z
  .strictObject({
    ready: z.boolean(),
    timestamp: Moment,
    reasons: z.array(z.string()).optional().meta({ description: "Only for the administrator." }),
  })
  .meta({ id: "Ready" });

export const InstanceInfo = z
  .strictObject({
    /** The name of the process. */
    instance: z.string(),
    /** When it started. */
    startedAt: Moment,
    seenAt: Moment.meta({ description: "When it last reported." }),
    pools: z.array(z.string()).meta({ description: "Empty if the process accepts and shows jobs but runs none." }),
  })
  .meta({ id: "InstanceInfo" });

const KindParams = z.strictObject({ kind: Name });
const DeploymentParams = z.strictObject({ label: Text(100) });
const ScheduleParams = z.strictObject({ name: Text(255) });
const ScheduleQuery = z.strictObject({
  tenant: Tenant.optional().meta({
    description: "Only for the administrator, if several tenants have a schedule of this name.",
  }),
});

export const systemRoutes = {
  health: route({
    method: "GET",
    path: "/health",
    tag: "system",
    summary:
      "Check whether the server works: 200, 200 with `degraded` if an operator should act, or 503 with the reason.",
    access: "open",
    status: 200,
    answer: Health,
    unwell: 503,
  }),
  ready: route({
    method: "GET",
    path: "/ready",
    tag: "system",
    summary: "Check whether the server accepts requests now: 503 while it starts or shuts down.",
    access: "open",
    status: 200,
    answer: Ready,
    unwell: 503,
  }),
  metrics: route({
    method: "GET",
    path: "/metrics",
    tag: "system",
    summary: "Read the figures as JSON, or as Prometheus text if `Accept` asks for it.",
    access: "root",
    status: 200,
    answer: Metrics,
    answerType: "text/plain",
  }),
  metricsHistory: route({
    method: "GET",
    path: "/metrics/history",
    tag: "system",
    summary: "Read the figures of all processes over time, up to a day back, as far as this process has them.",
    access: "root",
    query: z.strictObject({
      minutes: QueryInt(1, 1_440).optional().meta({ description: "Default: 15." }),
      after: Moment.optional().meta({ description: "Only points after this time." }),
    }),
    status: 200,
    answer: z.strictObject({ everyMs: z.int(), points: z.array(FigurePoint) }),
  }),
  kinds: route({
    method: "GET",
    path: "/kinds",
    tag: "system",
    summary: "List kinds with their stages and limits.",
    access: "read",
    status: 200,
    answer: z.strictObject({ kinds: z.array(KindInfo) }),
  }),
  pause: route({
    method: "POST",
    path: "/kinds/{kind}/pause",
    tag: "system",
    summary: "Pause a kind: none of its jobs starts.",
    access: "root",
    params: KindParams,
    status: 200,
    answer: z.strictObject({ kind: z.string(), paused: z.boolean() }),
    errors: ["kind-unknown"],
  }),
  resume: route({
    method: "POST",
    path: "/kinds/{kind}/resume",
    tag: "system",
    summary: "Resume a kind.",
    access: "root",
    params: KindParams,
    status: 200,
    answer: z.strictObject({ kind: z.string(), paused: z.boolean() }),
    errors: ["kind-unknown"],
  }),
  pools: route({
    method: "GET",
    path: "/pools",
    tag: "system",
    summary: "List the processes, with the state of each pool and processor.",
    access: "root",
    status: 200,
    answer: z.strictObject({ pools: z.array(PoolInfo), instances: z.array(InstanceInfo) }),
  }),
  deployments: route({
    method: "GET",
    path: "/deployments",
    tag: "system",
    summary: "List deployments, newest first, and whether they are drained.",
    access: "root",
    status: 200,
    answer: z.strictObject({ deployments: z.array(Deployment) }),
  }),
  unpin: route({
    method: "POST",
    path: "/deployments/{label}/unpin",
    tag: "system",
    summary: "Hand the pinned jobs of a deployment without processes to the newest deployment.",
    access: "root",
    params: DeploymentParams,
    status: 200,
    answer: z.strictObject({ label: z.string() }),
    errors: ["deployment-unknown", "conflict"],
  }),
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
