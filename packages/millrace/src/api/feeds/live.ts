import { z } from "zod";
import { JobId } from "../common.ts";
import { JobState } from "../job-shape.ts";
import { route } from "../route.ts";

/** What stands in the data of an event, by the event's name. */
export const LiveEvents = {
  job: z
    .strictObject({
      jobId: JobId,
      tenant: z.string(),
      kind: z.string(),
      stage: z.string().meta({ description: "The current state." }),
      state: JobState,
    })
    .meta({
      id: "LiveJob",
      description: "A job was submitted, claimed, settled or cancelled, or moved to its next stage.",
    }),
  pool: z
    .strictObject({
      kind: z.string(),
      stage: z.string(),
      size: z.int().meta({ description: "The number of processors." }),
      busy: z.int(),
      error: z.int().meta({ description: "Processors that cannot work, or whose code did not return." }),
      problem: z.string().optional().meta({ description: "Why the pool does not work." }),
    })
    .meta({
      id: "LivePool",
      description:
        "The busy processors of a pool in this process changed, or the pool began or stopped failing. At most ten times a second.",
    }),
  elsewhere: z.strictObject({}).meta({
    description: "Something changed in another process, or many jobs changed at once. Single jobs are not listed.",
  }),
  reset: z.strictObject({}).meta({
    description:
      "The stream begins here, or events were missed. Load the data again, then continue with the next events.",
  }),
};

export const liveRoutes = {
  live: route({
    method: "GET",
    path: "/live",
    tag: "live",
    summary:
      "Server-sent events: `job` when a job changes, `pool` when the busy processors of a pool change, `elsewhere` when another process changed something, `reset` when the reader must load the data again. Resume with `Last-Event-ID`.",
    access: "read",
    query: z.strictObject({ lastEventId: z.string().min(1).max(64).optional() }),
    status: 200,
    answerType: "text/event-stream",
    events: LiveEvents,
  }),
  openapi: route({
    method: "GET",
    path: "/openapi.json",
    tag: "docs",
    summary: "This API as OpenAPI.",
    access: "open",
    status: 200,
    answerType: "application/json",
  }),
  docs: route({
    method: "GET",
    path: "/docs",
    tag: "docs",
    summary: "This API as a page.",
    access: "open",
    status: 200,
    answerType: "text/html",
  }),
};
