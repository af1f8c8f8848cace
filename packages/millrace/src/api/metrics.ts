import { z } from "zod";
import { Moment, QueryInt } from "./common.ts";
import { route } from "./route.ts";

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

export const Waiting = z
  .strictObject({
    /** Jobs that wait to be released. */
    held: z.int(),
    /** Jobs that wait for a sleep, a signal, an event, an approval, other jobs, or their concurrency key. */
    waiting: z.int(),
    /** Jobs that start at a later time, and have not failed. */
    scheduled: z.int(),
    /** Jobs with a failed attempt behind them that wait for their next one. */
    retrying: z.int(),
    /** Due jobs that no living process serves. */
    unserved: z.int(),
    /** Due jobs of kinds that are paused. */
    paused: z.int(),
    /** Due jobs whose kind, stage or tenant runs or starts as many jobs as it may. */
    limited: z.int(),
    /** Due jobs that wait for a free processor. */
    ready: z.int(),
  })
  .meta({
    id: "Waiting",
    description: "Pending jobs by why they do not run: each counts once, by the first that fits.",
  });

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
    /** The same jobs by why they do not run. Each counts once, by the first reason that fits. */
    waiting: Waiting,
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
    /** Jobs submitted so far. */
    submitted: Count,
    /** Jobs completed so far. */
    completed: Count,
    /** Jobs failed so far. */
    failed: Count,
    /** Jobs cancelled so far. */
    cancelled: Count,
    /** Attempts failed so far. */
    attemptsFailed: Count,
    /** Submissions refused so far. */
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
      "The figures at one time. Counters grow from point to point: compare two points of one answer for a rate.",
  });

export const metricsRoutes = {
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
    summary: "Read the figures of all processes over time: up to eight days, also from before a restart.",
    access: "root",
    query: z.strictObject({
      minutes: QueryInt(1, 11_520).optional().meta({ description: "Default: 15." }),
      until: Moment.optional().meta({ description: "The end of the range. Default: now." }),
      after: Moment.optional().meta({ description: "Only points after this time." }),
    }),
    status: 200,
    answer: z.strictObject({
      everyMs: z.int(),
      points: z.array(FigurePoint),
      deployments: z
        .array(z.strictObject({ label: z.string(), at: Moment }))
        .meta({ description: "Versions of the application that were first seen in this time." }),
    }),
  }),
};
