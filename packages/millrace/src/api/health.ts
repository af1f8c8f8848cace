import { z } from "zod";
import { Moment } from "./common.ts";
import { route } from "./route.ts";

export const UnservedStage = z
  .strictObject({
    kind: z.string(),
    stage: z.string().nullable().meta({ description: "null: the kind has never had a worker." }),
    jobs: z.int(),
    lastServedBy: z.string().optional().meta({ description: "The newest deployment that had the stage." }),
  })
  .meta({ id: "UnservedStage" });

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

export const healthRoutes = {
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
};
