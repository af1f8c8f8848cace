import { z } from "zod";
import { JobIdInPath, Moment } from "../common.ts";
import { JobState } from "../job-shape.ts";
import { route } from "../route.ts";

const JobParams = z.strictObject({ jobId: JobIdInPath });
const LastEventId = z.strictObject({ lastEventId: z.string().min(1).max(200).optional() });

const Stream = z.strictObject({
  name: z.string().meta({ description: "The name in the code." }),
  last: z.int().meta({ description: "The id of its last event." }),
  bytes: z.int().meta({ description: "The bytes that it holds." }),
  createdAt: Moment.meta({ description: "When it was first written to." }),
});

/** What stands in the data of an event of a stream, by the event's name. */
export const StreamEvents = {
  chunk: z.unknown().meta({ description: "A chunk, as the job wrote it." }),
  restart: z.strictObject({ keep: z.int().meta({ description: "Drop all chunks with an id above this one." }) }).meta({
    id: "StreamRestart",
    description: "An attempt failed or was interrupted. Its chunks are taken back and written again.",
  }),
  end: z
    .strictObject({ state: z.enum(["completed", "failed", "cancelled", "deleted"]) })
    .meta({ id: "StreamEnd", description: "The job has ended." }),
};

/** What stands in the data of an event of a job, by the event's name. */
export const JobFeedEvents = {
  state: z.looseObject({ jobId: z.string(), state: JobState }).meta({
    id: "JobFeedState",
    description: "The job as `GET /jobs/{jobId}` shows it, without payload and progress. Sent when it changes.",
  }),
  progress: z
    .strictObject({ value: z.number(), message: z.string().optional() })
    .meta({ id: "JobFeedProgress", description: "The progress of the job." }),
  log: z
    .strictObject({
      id: z.int(),
      at: Moment,
      level: z.enum(["debug", "info", "warn", "error"]),
      message: z.string(),
      data: z.unknown().optional(),
    })
    .meta({ id: "JobFeedLog", description: "A log line." }),
  step: z
    .strictObject({ stage: z.string(), name: z.string(), savedAt: Moment })
    .meta({ id: "JobFeedStep", description: "A step was stored. `GET /jobs/{jobId}/steps` has its value." }),
  signal: z
    .strictObject({
      number: z.int().meta({ description: "Its place among the signals of the job, from 1." }),
      name: z.string(),
      at: Moment,
      state: z.enum(["queued", "taken", "set-aside"]),
      by: z.string().optional(),
      reason: z.string().optional(),
    })
    .meta({ id: "JobFeedSignal", description: "A signal came, was taken, or was set aside." }),
  end: z
    .strictObject({ state: z.enum(["completed", "failed", "cancelled", "deleted"]) })
    .meta({ id: "JobFeedEnd", description: "The job has ended. It is the last event." }),
};

export const streamRoutes = {
  streams: route({
    method: "GET",
    path: "/jobs/{jobId}/streams",
    tag: "streams",
    summary: "The streams of a job.",
    access: "read",
    params: JobParams,
    status: 200,
    answer: z.strictObject({ streams: z.array(Stream) }),
    errors: ["job-not-found"],
  }),
  stream: route({
    method: "GET",
    path: "/jobs/{jobId}/streams/{name}",
    tag: "streams",
    summary:
      "Server-sent events of a stream: `chunk`, `restart` after a failure, `end` with the state of the job. The id is a growing integer; resume with `Last-Event-ID` on any server.",
    access: "read",
    params: z.strictObject({ jobId: JobIdInPath, name: z.string().min(1).max(100) }),
    query: LastEventId,
    status: 200,
    answerType: "text/event-stream",
    events: StreamEvents,
    errors: ["job-not-found"],
  }),
  events: route({
    method: "GET",
    path: "/jobs/{jobId}/events",
    tag: "streams",
    summary:
      "Server-sent events of one job, from all processes: `state`, `progress`, `log`, `step`, `signal`, and `end`. Resume with `Last-Event-ID` on any server.",
    access: "read",
    params: JobParams,
    query: LastEventId,
    status: 200,
    answerType: "text/event-stream",
    events: JobFeedEvents,
    errors: ["job-not-found"],
  }),
  createToken: route({
    method: "POST",
    path: "/jobs/{jobId}/tokens",
    tag: "streams",
    summary: "Create a token that reads this one job, for a browser. Send it as `Authorization: Bearer`.",
    access: "read",
    params: JobParams,
    body: z.strictObject({
      ttlMs: z
        .int()
        .min(1_000)
        .max(7 * 24 * 3_600_000)
        .optional()
        .meta({ description: "How long it works, in milliseconds. Default: 3,600,000, 1 hour." }),
    }),
    bodyOptional: true,
    status: 201,
    answer: z.strictObject({
      /** The token. It is not stored, so it cannot be shown again. */
      token: z.string(),
      /** The job that it reads. */
      jobId: z.string(),
      /** When it stops working. */
      expiresAt: Moment,
    }),
    errors: ["job-not-found", "forbidden"],
    example: { body: { ttlMs: 600_000 } },
  }),
};
