import { z } from "zod";
import { route } from "./route.ts";

export const liveRoutes = {
  live: route({
    method: "GET",
    path: "/live",
    tag: "live",
    summary:
      "Server-sent events: `job` when one moves, `elsewhere` when another process changed something, `reset` when the reader should load anew. Resume with `Last-Event-ID`.",
    access: "read",
    query: z.strictObject({ lastEventId: z.string().min(1).max(64).optional() }),
    status: 200,
    answerType: "text/event-stream",
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
