import { z } from "zod";
import { JobId } from "./common.ts";
import { JobState } from "./job-shape.ts";
import { route } from "./route.ts";

/** What stands in the data of an event, by the event's name. */
export const LiveEvents = {
  job: z
    .strictObject({
      jobId: JobId,
      tenant: z.string(),
      kind: z.string(),
      stage: z.string().meta({ description: "Where it is now." }),
      state: JobState,
    })
    .meta({
      id: "LiveJob",
      description: "A job was submitted, claimed or settled, moved to its next stage, or was cancelled.",
    }),
  pool: z
    .strictObject({
      kind: z.string(),
      stage: z.string(),
      size: z.int().meta({ description: "How many processors it has." }),
      busy: z.int(),
      error: z.int().meta({ description: "Processors that cannot work, or whose code has not returned." }),
      problem: z.string().optional().meta({ description: "What keeps the pool from working." }),
    })
    .meta({
      id: "LivePool",
      description:
        "A pool of the process that answers has other processors at work, or began or ceased to fail; ten times a second at most.",
    }),
  elsewhere: z
    .strictObject({})
    .meta({ description: "Something changed that is not told one by one: in another process, or of many jobs." }),
  reset: z
    .strictObject({})
    .meta({ description: "Changes were missed, or this is the beginning: load anew, then go on from here." }),
};

export const liveRoutes = {
  live: route({
    method: "GET",
    path: "/live",
    tag: "live",
    summary:
      "Server-sent events: `job` when one moves, `pool` when processors take up or end work or fail, `elsewhere` when another process changed something, `reset` when the reader should load anew. Resume with `Last-Event-ID`.",
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
    summary: "This description.",
    access: "open",
    status: 200,
    answerType: "application/json",
  }),
  docs: route({
    method: "GET",
    path: "/docs",
    tag: "docs",
    summary: "This description, to read.",
    access: "open",
    status: 200,
    answerType: "text/html",
  }),
};
