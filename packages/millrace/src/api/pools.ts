import { z } from "zod";
import { JobId, Moment, Text } from "./common.ts";
import { route } from "./route.ts";

export const ProcessorInfo = z
  .strictObject({
    /** The number of the processor in its pool. */
    slot: z.int(),
    /** Its state. "error": it hangs, or its module does not load. */
    state: z.enum(["idle", "busy", "error"]),
    /** The job it works on. */
    jobId: JobId.optional(),
    /** The tenant of that job. */
    tenant: z.string().optional(),
    /** Since when it works on it. */
    since: Moment.optional(),
    /** When the attempt times out. */
    deadline: Moment.optional(),
    /** Why it is in the state "error". */
    reason: z.string().optional(),
  })
  .meta({ id: "Processor" });

export const PoolInfo = z
  .strictObject({
    /** The name of the pool: `kind/stage`. */
    pool: z.string(),
    /** The kind. */
    kind: z.string(),
    /** The stage. */
    stage: z.string(),
    /** The number of processors. */
    size: z.int(),
    /** The name of the process. */
    instance: z.string(),
    /** When the process was last heard of. */
    seenAt: Moment,
    /** Due jobs that wait for a processor. */
    queueSize: z.int(),
    /** The state of each processor. */
    processors: z.array(ProcessorInfo),
  })
  .meta({ id: "Pool" });

export const InstanceInfo = z
  .strictObject({
    /** The name of the process. */
    instance: z.string(),
    /** When it started. */
    startedAt: Moment,
    seenAt: Moment.meta({ description: "When it last reported." }),
    pools: z.array(z.string()).meta({ description: "Empty if the process accepts and shows jobs but runs none." }),
  })
  .meta({ id: "InstanceInfo" });

export const Deployment = z
  .strictObject({
    /** The label given to `Millrace.open({ deployment })` or in `DEPLOYMENT`. */
    label: z.string(),
    number: z
      .int()
      .optional()
      .meta({ description: "The newest deployment has the highest number. Missing if it has never had a worker." }),
    /** The kinds that it registered, each with its stages in order. */
    plans: z.array(z.strictObject({ kind: z.string(), stages: z.array(z.string()) })),
    processes: z.array(z.string()).meta({ description: "The names of its living worker processes." }),
    /** The jobs that need this deployment. */
    jobs: z.strictObject({
      pending: z.int().meta({ description: "Jobs that still need a stage that only this deployment serves." }),
      running: z.int().meta({ description: "Jobs that its processes run." }),
      pinned: z.int().meta({ description: "Pending jobs that only its own processes may run." }),
    }),
    removable: z.boolean().meta({ description: "True if it is drained: no job needs its processes." }),
  })
  .meta({ id: "Deployment" });

const DeploymentParams = z.strictObject({ label: Text(100) });

export const poolRoutes = {
  pools: route({
    method: "GET",
    path: "/pools",
    tag: "system",
    summary: "List the processes, with the state of each pool and processor.",
    access: "root",
    status: 200,
    answer: z.strictObject({ pools: z.array(PoolInfo), instances: z.array(InstanceInfo) }),
  }),
  deployments: route({
    method: "GET",
    path: "/deployments",
    tag: "system",
    summary: "List deployments, newest first, and whether they are drained.",
    access: "root",
    status: 200,
    answer: z.strictObject({ deployments: z.array(Deployment) }),
  }),
  unpin: route({
    method: "POST",
    path: "/deployments/{label}/unpin",
    tag: "system",
    summary: "Hand the pinned jobs of a deployment without processes to the newest deployment.",
    access: "root",
    params: DeploymentParams,
    status: 200,
    answer: z.strictObject({ label: z.string() }),
    errors: ["deployment-unknown", "conflict"],
  }),
};
