import { z } from "zod";
import { WAIT_TYPES } from "../job/wait.ts";
import { JobIdInPath, Moment, Name, QueryInt, Tenant, Text } from "./common.ts";
import { JobState } from "./job-shape.ts";
import { route } from "./route.ts";

const JobParams = z.strictObject({ jobId: JobIdInPath });
const MessageName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^#\0]*$/, 'must not contain "#" or NUL characters');

const SignalReceipt = z.strictObject({
  jobId: z.string().meta({ description: "The job that has the signal." }),
  submitted: z.boolean().meta({ description: "The job was submitted for this signal." }),
  repeated: z.boolean().meta({ description: "The job had a signal with this idempotency key already." }),
});

const PublishReceipt = z.strictObject({
  woken: z.number().meta({ description: "The number of waiting jobs that it woke at once." }),
  repeated: z.boolean().meta({ description: "The topic had an event with this idempotency key already." }),
});

const Signal = z.strictObject({
  name: z.string().meta({ description: "The name that the job waits for." }),
  value: z.unknown().meta({ description: "The value that was sent." }),
  at: Moment.meta({ description: "When it came." }),
  by: z.string().optional().meta({ description: "Who sent it." }),
  state: z
    .enum(["queued", "taken", "set-aside"])
    .meta({ description: "`queued`: no wait has taken it. `set-aside`: its value did not fit." }),
  reason: z.string().optional().meta({ description: "Why it was set aside." }),
});

const Wait = z.strictObject({
  stage: z.string().meta({ description: "The stage of the wait." }),
  type: z
    .enum(["sleep", "signal", "event", "approval", "children", "hold", "after", "leader", "race", "submitted"])
    .meta({ description: "What it waits for." }),
  name: z.string().meta({ description: "The name in the code. `paid#2` is the second wait with the name `paid`." }),
  state: z
    .enum(["open", "answered", "timed-out", "closed"])
    .meta({ description: "`closed`: another member of its race won, or its stage is over." }),
  since: Moment.meta({ description: "When the wait began." }),
  until: Moment.optional().meta({ description: "When the wait ends without an answer." }),
  answeredAt: Moment.optional().meta({ description: "When it was answered or timed out." }),
  value: z.unknown().optional().meta({ description: "The answer." }),
});

const Approval = z.strictObject({
  id: z.string().meta({ description: "The id, such as `apr_4fQ81xZa`." }),
  jobId: z.string().meta({ description: "The job that waits for it." }),
  kind: z.string().meta({ description: "The kind of the job." }),
  tenant: z.string().meta({ description: "The tenant of the job." }),
  name: z.string().meta({ description: "The name in the code." }),
  title: z.string().meta({ description: "The question." }),
  details: z.unknown().optional().meta({ description: "Information for the decision." }),
  choices: z.array(z.string()).meta({ description: "The answers to choose from." }),
  audience: z.array(z.string()).meta({ description: "Who should decide. Empty: anyone with access." }),
  since: Moment.meta({ description: "When the wait began." }),
  until: Moment.optional().meta({ description: "When the wait ends without an answer." }),
  link: z.string().optional().meta({
    description:
      "The path of a page that shows the question and takes the decision without a key, in the name of the audience.",
  }),
});

const LongWait = z.strictObject({
  kind: z.string().meta({ description: "The kind of the jobs." }),
  stage: z.string().meta({ description: "The stage that waits." }),
  type: z.enum(WAIT_TYPES).meta({ description: "What they wait for." }),
  name: z.string().meta({ description: "The name of the wait in the code." }),
  count: z.int().meta({ description: "How many jobs wait too long." }),
  jobId: z.string().meta({ description: "The job that waits longest." }),
  since: Moment.meta({ description: "When its wait began." }),
  usualMs: z.number().meta({ description: "19 of 20 answered waits took no longer, in milliseconds." }),
});

const Exported = z
  .strictObject({
    /** The version of this form. */
    format: z.literal(1),
    /** The id of the job. */
    jobId: z.string(),
    /** The name of its kind. */
    kind: z.string(),
    /** The tenant that it belongs to. */
    tenant: z.string(),
    /** Its state when it was exported. */
    state: JobState,
    /** The stage where it is, or where it ended. */
    stage: z.string(),
    /** The stages of its plan, in order. */
    stages: z.array(z.string()),
    /** The number of its latest attempt at the stage. */
    attempt: z.int(),
    /** Its tags. */
    tags: z.array(z.string()),
    /** When it was submitted. */
    createdAt: Moment,
    /** Its payload as it was submitted. */
    payload: z.unknown(),
    /** What the stage before returned. Missing in the first stage and in a completed job. */
    input: z.unknown().optional(),
    /** The steps that it has stored. */
    steps: z.array(z.strictObject({ stage: z.string(), name: z.string(), value: z.unknown() })),
    /** Its waits. */
    waits: z.array(Wait),
    /** The signals that it was sent. */
    signals: z.array(Signal),
  })
  .meta({ id: "ExportedJob", description: "A job with everything that its stages have stored." });

const CallType = z
  .enum(["children", "submitted", "after"])
  .meta({ description: "`children`: awaited. `submitted`: not awaited. `after`: dependencies in a flow." });

const Tree = z
  .strictObject({
    /** The job that was asked for. */
    jobId: z.string(),
    nodes: z
      .array(
        z.strictObject({
          /** The id of the job. */
          jobId: z.string(),
          /** The name of its kind. */
          kind: z.string(),
          /** The stage where it is, or where it ended. */
          stage: z.string(),
          /** Its state. */
          state: JobState,
          parent: z.string().optional().meta({ description: "The id of the job that started it." }),
          call: z.string().optional().meta({ description: "The name of the call that started it." }),
          batch: z.string().optional().meta({ description: "The id of the batch of which it is a member." }),
          calls: z
            .array(
              z.strictObject({
                type: CallType,
                name: z.string().meta({ description: "The name of the call." }),
                counts: z
                  .strictObject({
                    open: z.int(),
                    completed: z.int(),
                    failed: z.int(),
                    cancelled: z.int(),
                    forgotten: z.int(),
                  })
                  .meta({ description: "All jobs of the call by state. `open`: not ended. `forgotten`: deleted." }),
                grouped: z.boolean().meta({ description: "The tree has these counts instead of the call's jobs." }),
              }),
            )
            .meta({ description: "The calls by which it started other jobs or depends on them." }),
        }),
      )
      .meta({ description: "The jobs, those at the top first." }),
    edges: z
      .array(
        z.strictObject({
          from: z.string().meta({ description: "The job that started the other, or depends on it." }),
          to: z.string().meta({ description: "The other job." }),
          type: CallType,
          name: z.string().meta({ description: "The name of the call." }),
          key: z.string().optional().meta({ description: "The key of the job in the call, or its name in the flow." }),
        }),
      )
      .meta({ description: "The lines between the jobs." }),
    truncated: z.boolean().meta({ description: "Some calls are grouped, or jobs are left out." }),
  })
  .meta({ id: "JobTree", description: "All jobs of a tree or flow." });

export const DecisionBody = z.strictObject({ choice: Text(100), comment: z.string().max(10_000).optional() });
const Decided = z.strictObject({ jobId: z.string(), name: z.string(), choice: z.string(), by: z.string() });
const LinkParams = z.strictObject({ token: z.string().max(1_100) });

export const workflowRoutes = {
  tree: route({
    method: "GET",
    path: "/jobs/{jobId}/tree",
    tag: "workflows",
    summary: "The tree or flow that a job belongs to. Above 200 jobs, calls with many jobs are grouped by state.",
    access: "read",
    params: JobParams,
    status: 200,
    answer: Tree,
    errors: ["job-not-found"],
  }),
  export: route({
    method: "GET",
    path: "/jobs/{jobId}/export",
    tag: "workflows",
    summary: "A job with its payload, stored steps, waits and signals, to be replayed on another machine.",
    access: "read",
    params: JobParams,
    status: 200,
    answer: Exported,
    errors: ["job-not-found"],
  }),
  signal: route({
    method: "POST",
    path: "/jobs/{jobId}/signals/{name}",
    tag: "workflows",
    summary: "Send a value to a job; the body is the value. It is kept until a wait of the job takes it.",
    access: "submit",
    params: z.strictObject({ jobId: JobIdInPath, name: MessageName }),
    body: z.unknown(),
    bodyOptional: true,
    status: 202,
    answer: SignalReceipt,
    idempotent: true,
    errors: ["job-not-found", "conflict", "too-many-signals"],
    example: { body: { amount: 10 }, answer: { jobId: "job_4fQ81xZa", submitted: false, repeated: false } },
  }),
  signalByKey: route({
    method: "POST",
    path: "/signals/{name}",
    tag: "workflows",
    summary: "Send a value to the live job with a unique key, or submit that job first.",
    access: "submit",
    params: z.strictObject({ name: MessageName }),
    body: z.strictObject({
      kind: Name,
      uniqueKey: Text(255),
      value: z.unknown().optional(),
      orSubmit: z.unknown().optional().meta({ description: "The payload to submit if no live job has the key." }),
    }),
    status: 202,
    answer: SignalReceipt,
    idempotent: true,
    errors: ["job-not-found", "kind-unknown", "too-many-signals", "rate-limited", "tenant-busy", "backpressure"],
    example: {
      body: { kind: "order", uniqueKey: "order-7", value: { amount: 10 } },
      answer: { jobId: "job_4fQ81xZa", submitted: false, repeated: false },
    },
  }),
  signals: route({
    method: "GET",
    path: "/jobs/{jobId}/signals",
    tag: "workflows",
    summary: "The signals of a job, oldest first.",
    access: "read",
    params: JobParams,
    status: 200,
    answer: z.strictObject({ signals: z.array(Signal) }),
    errors: ["job-not-found"],
  }),
  waits: route({
    method: "GET",
    path: "/jobs/{jobId}/waits",
    tag: "workflows",
    summary: "The waits of a job, in order.",
    access: "read",
    params: JobParams,
    status: 200,
    answer: z.strictObject({ waits: z.array(Wait) }),
    errors: ["job-not-found"],
  }),
  publish: route({
    method: "POST",
    path: "/events/{topic}",
    tag: "workflows",
    summary: "Publish an event; the body is its fields. Every job of the tenant that waits for it is woken.",
    access: "submit",
    params: z.strictObject({ topic: MessageName }),
    query: z.strictObject({ keepMs: QueryInt(0, 30 * 24 * 3_600_000).optional() }),
    body: z.record(z.string(), z.unknown()),
    bodyOptional: true,
    status: 202,
    answer: PublishReceipt,
    errors: ["too-many-events"],
    idempotent: true,
    example: { body: { orderId: 7 }, answer: { woken: 1, repeated: false } },
  }),
  approvals: route({
    method: "GET",
    path: "/approvals",
    tag: "workflows",
    summary: "Approvals that jobs wait for, oldest first.",
    access: "read",
    query: z.strictObject({
      tenant: Tenant.optional(),
      jobId: JobIdInPath.optional(),
      audience: Text(100)
        .optional()
        .meta({ description: "Only those for this name. A decision by their links is made in this name." }),
      cursor: z.string().optional(),
      limit: QueryInt(1, 500).optional(),
    }),
    status: 200,
    answer: z.strictObject({ approvals: z.array(Approval), nextCursor: z.string().optional() }),
  }),
  longWaits: route({
    method: "GET",
    path: "/waits/long",
    tag: "workflows",
    summary: "Waits that last longer than waits of their kind and name usually do, the longest first.",
    access: "read",
    query: z.strictObject({ tenant: Tenant.optional() }),
    status: 200,
    answer: z.strictObject({ waits: z.array(LongWait) }),
  }),
  decide: route({
    method: "POST",
    path: "/approvals/{approvalId}",
    tag: "workflows",
    summary: "Decide an approval. Only the first decision counts.",
    access: "submit",
    params: z.strictObject({ approvalId: z.string().max(64) }),
    body: DecisionBody,
    status: 200,
    answer: Decided,
    errors: ["approval-not-found", "conflict"],
    example: {
      body: { choice: "yes", comment: "Checked the address." },
      answer: { jobId: "job_4fQ81xZa", name: "ship", choice: "yes", by: "ann" },
    },
  }),
  approvalLink: route({
    method: "GET",
    path: "/approvals/links/{token}",
    tag: "workflows",
    summary: "The page behind the link of an approval. It shows the question; opening it decides nothing.",
    access: "open",
    signed: true,
    params: LinkParams,
    status: 200,
    answerType: "text/html",
    errors: ["approval-not-found"],
  }),
  decideByLink: route({
    method: "POST",
    path: "/approvals/links/{token}",
    tag: "workflows",
    summary: "Decide an approval by its link. The name in the link becomes `by`.",
    access: "open",
    signed: true,
    params: LinkParams,
    ownBody: ["application/json", "application/x-www-form-urlencoded"],
    status: 200,
    answer: Decided,
    errors: ["approval-not-found", "conflict"],
  }),
};
