import { z } from "zod";
import { Scope } from "./access.ts";
import { route } from "./route.ts";

const Held = z.strictObject({ one: z.string(), many: z.string(), path: z.string() });

export const WorkloadInfo = z
  .strictObject({
    workload: z.string().meta({ description: "The name of the workload." }),
    scopes: z
      .array(z.strictObject({ scope: Scope, allows: z.string() }))
      .meta({ description: "Scopes that keys can have for its routes." }),
    pages: z
      .strictObject({
        module: z.string().meta({ description: "The address of the module that the dashboard loads." }),
        styles: z.string().optional(),
        nav: z.array(z.strictObject({ path: z.string(), title: z.string(), icon: z.string().optional() })),
        kinds: z.record(z.string(), z.strictObject({ held: Held.optional() })),
      })
      .optional()
      .meta({ description: "Its pages in the dashboard that the caller may open." }),
  })
  .meta({ id: "Workload", description: "A workload that this server serves." });

export const workloadRoutes = {
  list: route({
    method: "GET",
    path: "/workloads",
    tag: "system",
    summary: "List the workloads of this server, with their scopes and the pages that the caller may open.",
    access: "read",
    status: 200,
    answer: z.strictObject({ workloads: z.array(WorkloadInfo) }),
  }),
  file: route({
    method: "GET",
    path: "/workloads/{workload}/{file}",
    tag: "system",
    summary: "Read a file of a workload's pages: the module, its stylesheet or another file of its build.",
    access: "read",
    params: z.strictObject({ workload: z.string().min(1).max(64), file: z.string().min(1).max(200) }),
    status: 200,
    answerType: "text/javascript",
  }),
};
