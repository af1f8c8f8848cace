import { z } from "zod";
import { Name } from "./common.ts";
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

const KindParams = z.strictObject({ kind: Name });

export const kindRoutes = {
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
};
