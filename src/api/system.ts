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
    kind: z.string(),
    paused: z.boolean(),
    /** False: no process that is alive has a pool for it. */
    served: z.boolean(),
    payloadSchema: z
      .unknown()
      .optional()
      .meta({ description: "JSON Schema of the payload, where its schema can tell." }),
    examples: z.array(z.unknown()).optional(),
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
    slot: z.int(),
    state: z.enum(["idle", "busy", "error"]),
    jobId: JobId.optional(),
    tenant: z.string().optional(),
    since: Moment.optional(),
    deadline: Moment.optional(),
    reason: z.string().optional(),
  })
  .meta({ id: "Processor" });

export const PoolInfo = z
  .strictObject({
    pool: z.string(),
    kind: z.string(),
    stage: z.string(),
    size: z.int(),
    instance: z.string(),
    /** Its last sign of life. */
    seenAt: Moment,
    queueSize: z.int(),
    processors: z.array(ProcessorInfo),
  })
  .meta({ id: "Pool" });

export const Schedule = z
  .strictObject({
    name: z.string(),
    cron: z.string(),
    timeZone: z.string(),
    kind: z.string(),
    tenant: z.string(),
    payload: z.unknown(),
    priority: z.int().optional(),
    tags: z.array(z.string()).optional(),
    overlap: z.enum(["skip", "allow"]),
    missed: z.enum(["once", "skip"]),
    paused: z.boolean(),
    nextAt: Moment,
    nextFires: z.array(Moment),
    lastAt: Moment.optional(),
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
    successRate: z
      .number()
      .nullable()
      .meta({ description: "Of the attempts that ended lately; null before the first." }),
    retries: z.int(),
    completed: z.int(),
    failed: z.int(),
  })
  .meta({ id: "StageMetrics" });

export const Metrics = z
  .strictObject({
    jobsSubmitted: z.int(),
    jobsCompleted: z.int(),
    jobsFailed: z.int(),
    jobsCancelled: z.int(),
    attemptsFailed: z.int(),
    submissionsRefused: z.int(),
    leasesExpired: z.int(),
    pending: z.int(),
    running: z.int(),
    done: z.int(),
    failed: z.int(),
    dlq: z.int(),
    perStage: z.record(z.string(), StageMetrics),
    perTenant: z.record(
      z.string(),
      z.strictObject({ submitted: z.int(), completed: z.int(), failed: z.int(), refused: z.int() }),
    ),
    eventLoopDelayMs: Percentiles,
    database: z.strictObject({ databaseBytes: z.int(), walBytes: z.int() }),
    process: z.strictObject({ rssBytes: z.int(), uptimeSeconds: z.number() }),
    unserved: z.array(z.string()),
  })
  .meta({ id: "Metrics" });

const Count = z.int();

export const FigurePoint = z
  .strictObject({
    at: Moment,
    submitted: Count,
    completed: Count,
    failed: Count,
    cancelled: Count,
    attemptsFailed: Count,
    refused: Count,
    pending: Count,
    running: Count,
    dlq: Count,
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
    perTenant: z.record(
      z.string(),
      z.strictObject({ submitted: Count, completed: Count, failed: Count, refused: Count }),
    ),
  })
  .meta({
    id: "FigurePoint",
    description: "The figures at one moment. What was counted is counted since the start: take differences.",
  });

export const UnservedStage = z
  .strictObject({
    kind: z.string(),
    stage: z
      .string()
      .nullable()
      .meta({ description: "null: the kind has no plan yet, because it has never had a worker." }),
    jobs: z.int(),
    lastServedBy: z.string().optional().meta({ description: "The newest deployment that had the stage." }),
  })
  .meta({ id: "UnservedStage" });

export const Deployment = z
  .strictObject({
    label: z.string(),
    number: z
      .int()
      .optional()
      .meta({ description: "The highest number is the newest. Missing: it has never had a worker." }),
    plans: z.array(z.strictObject({ kind: z.string(), stages: z.array(z.string()) })),
    processes: z.array(z.string()).meta({ description: "The names of its living worker processes." }),
    jobs: z.strictObject({
      pending: z.int().meta({ description: "Jobs with a stage ahead that no other living deployment serves." }),
      running: z.int().meta({ description: "Jobs that its processes run." }),
    }),
    removable: z.boolean().meta({ description: "Drained: stopping its processes leaves no job behind." }),
  })
  .meta({ id: "Deployment" });

export const Health = z
  .looseObject({
    status: z.enum(["ok", "degraded", "error"]).meta({
      description: "degraded: it works, but an operator should act; still HTTP 200.",
    }),
    uptime: z.number().meta({ description: "Seconds." }),
    timestamp: Moment,
    problems: z.array(z.string()).optional().meta({ description: "For the administrator." }),
    unserved: z.array(z.string()).optional().meta({ description: "Stages with jobs that no living process serves." }),
    unservedStages: z.array(UnservedStage).optional(),
  })
  .meta({ id: "Health" });

export const Ready = z
  .strictObject({
    ready: z.boolean(),
    timestamp: Moment,
    reasons: z.array(z.string()).optional().meta({ description: "For the administrator." }),
  })
  .meta({ id: "Ready" });

export const InstanceInfo = z
  .strictObject({
    instance: z.string(),
    startedAt: Moment,
    seenAt: Moment.meta({ description: "Its last sign of life." }),
    pools: z
      .array(z.string())
      .meta({ description: "None: it takes jobs and answers questions, and leaves the work to others." }),
  })
  .meta({ id: "InstanceInfo" });

const KindParams = z.strictObject({ kind: Name });
const DeploymentParams = z.strictObject({ label: Text(100) });
const ScheduleParams = z.strictObject({ name: Text(255) });
const ScheduleQuery = z.strictObject({
  tenant: Tenant.optional().meta({ description: "For the administrator, where several tenants use the name." }),
});

export const systemRoutes = {
  health: route({
    method: "GET",
    path: "/health",
    tag: "system",
    summary: "Whether the server can work; 503 with the reason if not, 200 with `degraded` if it needs an operator.",
    access: "open",
    status: 200,
    answer: Health,
    unwell: 503,
  }),
  ready: route({
    method: "GET",
    path: "/ready",
    tag: "system",
    summary: "Whether to send it requests now; 503 while it shuts down or its processors still start.",
    access: "open",
    status: 200,
    answer: Ready,
    unwell: 503,
  }),
  metrics: route({
    method: "GET",
    path: "/metrics",
    tag: "system",
    summary: "Figures as JSON, or as Prometheus text when the scraper's Accept asks for it.",
    access: "root",
    status: 200,
    answer: Metrics,
    answerType: "text/plain",
  }),
  metricsHistory: route({
    method: "GET",
    path: "/metrics/history",
    tag: "system",
    summary: "What the figures of all processes were in the last minutes, up to a day, as far as this one remembers.",
    access: "root",
    query: z.strictObject({
      minutes: QueryInt(1, 1_440).optional().meta({ description: "Default: 15." }),
      after: Moment.optional().meta({ description: "Only what is newer than this." }),
    }),
    status: 200,
    answer: z.strictObject({ everyMs: z.int(), points: z.array(FigurePoint) }),
  }),
  kinds: route({
    method: "GET",
    path: "/kinds",
    tag: "system",
    summary: "Kinds with their stages and limits.",
    access: "read",
    status: 200,
    answer: z.strictObject({ kinds: z.array(KindInfo) }),
  }),
  pause: route({
    method: "POST",
    path: "/kinds/{kind}/pause",
    tag: "system",
    summary: "Claim no more jobs of this kind.",
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
    summary: "Claim jobs of this kind again.",
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
    summary: "Every instance with its last sign of life, and every pool of it with each processor's state.",
    access: "root",
    status: 200,
    answer: z.strictObject({ pools: z.array(PoolInfo), instances: z.array(InstanceInfo) }),
  }),
  deployments: route({
    method: "GET",
    path: "/deployments",
    tag: "system",
    summary: "What each version of the application registered, newest first, and whether it is drained.",
    access: "root",
    status: 200,
    answer: z.strictObject({ deployments: z.array(Deployment) }),
  }),
  unpin: route({
    method: "POST",
    path: "/deployments/{label}/unpin",
    tag: "system",
    summary: "Hand the pinned jobs of a deployment without processes to the newest one.",
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
    summary: "Schedules with their next fires.",
    access: "admin",
    status: 200,
    answer: z.strictObject({ schedules: z.array(Schedule) }),
  }),
  schedule: route({
    method: "GET",
    path: "/schedules/{name}",
    tag: "schedules",
    summary: "One schedule.",
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
    summary: "Add a schedule, or replace the tenant's schedule of that name.",
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
    summary: "End a schedule.",
    access: "admin",
    params: ScheduleParams,
    query: ScheduleQuery,
    status: 204,
  }),
};
