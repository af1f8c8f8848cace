import { z } from "zod";
import { Moment, Name, QueryInt, Tenant } from "./common.ts";
import { SubmitRequest } from "./job-shape.ts";
import { route } from "./route.ts";

const BatchParams = z.strictObject({ batchId: z.string().min(1).max(64) });

const Batch = z.strictObject({
  id: z.string().meta({ description: "The id of the batch." }),
  tenant: z.string().meta({ description: "The tenant of the batch and of its members." }),
  state: z.enum(["open", "sealed", "ended"]).meta({ description: "`ended`: it is sealed and all members have ended." }),
  total: z.int().meta({ description: "All members." }),
  pending: z.int().meta({ description: "Members that have not ended." }),
  completed: z.int().meta({ description: "Members that completed." }),
  failed: z.int().meta({ description: "Members that failed." }),
  cancelled: z.int().meta({ description: "Members that were cancelled." }),
  createdAt: Moment.meta({ description: "When it was opened." }),
  sealedAt: Moment.optional().meta({ description: "When it was sealed." }),
  endedAt: Moment.optional().meta({ description: "When it ended." }),
  cancelledAt: Moment.optional().meta({ description: "When it was cancelled." }),
  onEnd: z.string().optional().meta({ description: "The kind of the job that is submitted at its end." }),
  callback: z.string().optional().meta({ description: "The id of the job that was submitted at its end." }),
});

const Members = z.strictObject({
  jobIds: z.array(z.string()).meta({ description: "The ids of the jobs, in the order of the request." }),
});

const FlowJob = z.strictObject({
  name: Name.meta({ description: "The name of the job in the flow." }),
  after: z
    .array(Name)
    .max(1_000)
    .optional()
    .meta({ description: "Names of jobs earlier in the array that must end first." }),
  when: z
    .enum(["completed", "ended"])
    .optional()
    .meta({ description: "`completed`: they must complete. `ended`: they may end in any way. Default: `completed`." }),
  job: SubmitRequest.meta({ description: "The job itself." }),
});

const LIMITS = ["kind-unknown", "rate-limited", "tenant-busy", "backpressure", "disk-full"] as const;

const example = {
  id: "batch_4fQ81xZa",
  tenant: "default",
  state: "sealed",
  total: 3,
  pending: 1,
  completed: 2,
  failed: 0,
  cancelled: 0,
  createdAt: "2026-11-15T10:00:00.000Z",
  sealedAt: "2026-11-15T10:00:01.000Z",
  onEnd: "report",
};

export const groupRoutes = {
  createBatch: route({
    method: "POST",
    path: "/batches",
    tag: "workflows",
    summary: "Open a batch. The job in `onEnd` is submitted once, when all members have ended.",
    access: "submit",
    body: z.strictObject({ onEnd: SubmitRequest.optional() }),
    status: 201,
    answer: Batch,
    errors: ["kind-unknown", "too-many-batches"],
    example: { body: { onEnd: { kind: "text", payload: { text: "all done" } } }, answer: example },
  }),
  batches: route({
    method: "GET",
    path: "/batches",
    tag: "workflows",
    summary: "List batches, newest first.",
    access: "read",
    query: z.strictObject({
      limit: QueryInt(1, 200).optional(),
      cursor: z.string().optional(),
      tenant: Tenant.optional(),
    }),
    status: 200,
    answer: z.strictObject({ batches: z.array(Batch), nextCursor: z.string().optional() }),
  }),
  batch: route({
    method: "GET",
    path: "/batches/{batchId}",
    tag: "workflows",
    summary: "A batch with the counts of its members.",
    access: "read",
    params: BatchParams,
    status: 200,
    answer: Batch,
    errors: ["batch-not-found"],
    example: { answer: example },
  }),
  addToBatch: route({
    method: "POST",
    path: "/batches/{batchId}/jobs",
    tag: "workflows",
    summary: "Add up to 1,000 jobs to a batch, in one transaction.",
    access: "submit",
    params: BatchParams,
    body: z.array(SubmitRequest).min(1).max(1_000),
    status: 201,
    answer: Members,
    idempotent: true,
    errors: ["batch-not-found", "conflict", ...LIMITS],
    example: { body: [{ kind: "text", payload: { text: "hello" } }], answer: { jobIds: ["job_4fQ81xZa"] } },
  }),
  sealBatch: route({
    method: "POST",
    path: "/batches/{batchId}/seal",
    tag: "workflows",
    summary: "Seal a batch: it accepts no more members, and ends when all members have ended.",
    access: "submit",
    params: BatchParams,
    status: 200,
    answer: Batch,
    errors: ["batch-not-found"],
    example: { answer: example },
  }),
  cancelBatch: route({
    method: "POST",
    path: "/batches/{batchId}/cancel",
    tag: "workflows",
    summary: "Seal a batch and cancel its members.",
    access: "submit",
    params: BatchParams,
    status: 200,
    answer: Batch,
    errors: ["batch-not-found", "conflict"],
    example: { answer: example },
  }),
  retryBatch: route({
    method: "POST",
    path: "/batches/{batchId}/retry-failed",
    tag: "workflows",
    summary: "Revive the members of a batch that failed.",
    access: "submit",
    params: BatchParams,
    status: 200,
    answer: z.strictObject({ revived: z.int().meta({ description: "The number of jobs." }) }),
    errors: ["batch-not-found"],
    example: { answer: { revived: 2 } },
  }),
  submitFlow: route({
    method: "POST",
    path: "/flows",
    tag: "workflows",
    summary: "Submit jobs that wait for each other, in one transaction.",
    access: "submit",
    body: z.strictObject({ jobs: z.array(FlowJob).min(1).max(1_000) }),
    status: 201,
    answer: z.strictObject({
      jobs: z.record(z.string(), z.string()).meta({ description: "The ids of the jobs, by their names in the flow." }),
    }),
    idempotent: true,
    errors: [...LIMITS],
    example: {
      body: {
        jobs: [
          { name: "extract", job: { kind: "text", payload: { text: "extract" } } },
          { name: "load", after: ["extract"], job: { kind: "text", payload: { text: "load" } } },
        ],
      },
      answer: { jobs: { extract: "job_4fQ81xZa", load: "job_4fQ81xZb" } },
    },
  }),
};
