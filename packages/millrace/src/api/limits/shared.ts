import { z } from "zod";
import { Name } from "../common.ts";
import { route } from "../route.ts";

export const SharedLimit = z
  .strictObject({
    /** The name of the limit. */
    name: z.string(),
    total: z.int().meta({ description: "The limit in effect: `set`, else `defined`." }),
    defined: z.int().meta({ description: "The limit in the code of the newest deployment." }),
    set: z.int().optional().meta({ description: "The limit that an operator has set. Missing if there is none." }),
    kinds: z.array(z.string()).meta({ description: "The kinds that use the limit." }),
    running: z.int().meta({ description: "The number of their running jobs." }),
  })
  .meta({ id: "SharedLimit" });

const Params = z.strictObject({ limit: Name });

export const sharedLimitRoutes = {
  limits: route({
    method: "GET",
    path: "/limits",
    tag: "limits",
    summary: "List the limits on running jobs that kinds share.",
    access: "root",
    status: 200,
    answer: z.strictObject({ limits: z.array(SharedLimit) }),
  }),
  setLimit: route({
    method: "PUT",
    path: "/limits/{limit}",
    tag: "limits",
    summary: "Override a shared limit.",
    access: "root",
    params: Params,
    body: z.strictObject({ total: z.int().min(1).max(2_147_483_647) }),
    status: 200,
    answer: SharedLimit,
    errors: ["limit-unknown"],
    example: {
      body: { total: 2 },
      answer: { name: "gpu", total: 2, defined: 4, set: 2, kinds: ["render"], running: 3 },
    },
  }),
  resetLimit: route({
    method: "DELETE",
    path: "/limits/{limit}",
    tag: "limits",
    summary: "Remove the override of a shared limit. The defined number applies again.",
    access: "root",
    params: Params,
    status: 200,
    answer: SharedLimit,
    errors: ["limit-unknown"],
  }),
};
