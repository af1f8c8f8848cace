import { type CallOptions, idOf, type JobRef, repeatable } from "./jobs.ts";
import { ask, type Connection } from "./request.ts";
import { groups, workflow } from "./routes.ts";
import type {
  BatchInfo,
  BatchJob,
  ExportedJob,
  FlowEntry,
  JobSignal,
  JobTree,
  JobWait,
  LongWait,
  PendingApproval,
  PublishReceipt,
  SignalReceipt,
} from "./wire.ts";

/** Options of a signal or an event. */
export interface MessageOptions extends CallOptions {
  /** Makes a repeated message safe. Default: a random key, so that the client can repeat a request that got no answer. */
  readonly idempotencyKey?: string | undefined;
}

/** Calls about signals, events and approvals. */
export interface WorkflowCalls {
  /** Sends a value to a job. It is kept until a wait of the job takes it. */
  signal(job: JobRef, name: string, value?: unknown, options?: MessageOptions): Promise<SignalReceipt>;
  /** Sends a value to the live job with a unique key. With `orSubmit`, submits that job first if there is none. */
  signalByKey(
    target: { readonly kind: string; readonly uniqueKey: string; readonly orSubmit?: unknown },
    name: string,
    value?: unknown,
    options?: MessageOptions,
  ): Promise<SignalReceipt>;
  /** Publishes an event to all jobs of the tenant that wait for its topic. */
  publish(
    topic: string,
    fields?: Record<string, unknown>,
    options?: MessageOptions & { readonly keepMs?: number },
  ): Promise<PublishReceipt>;
  /** A job with everything that its stages have stored, to be replayed on another machine. */
  exportJob(job: JobRef, options?: CallOptions): Promise<ExportedJob>;
  /** Opens a batch. The job in `onEnd` is submitted once, when all members have ended. */
  createBatch(batch?: { readonly onEnd?: BatchJob }, options?: CallOptions): Promise<BatchInfo>;
  /** Batches, newest first: one page. */
  batches(
    filter?: { readonly tenant?: string; readonly cursor?: string; readonly limit?: number },
    options?: CallOptions,
  ): Promise<{ batches: BatchInfo[]; nextCursor?: string | undefined }>;
  /** A batch with the counts of its members. */
  batch(batchId: string, options?: CallOptions): Promise<BatchInfo>;
  /** Adds up to 1,000 jobs to a batch and gives their ids. */
  addToBatch(batchId: string, jobs: BatchJob[], options?: MessageOptions): Promise<string[]>;
  /** Seal a batch: it accepts no more members, and ends when all members have ended. */
  sealBatch(batchId: string, options?: CallOptions): Promise<BatchInfo>;
  /** Seals a batch and cancels its members. */
  cancelBatch(batchId: string, options?: CallOptions): Promise<BatchInfo>;
  /** Revives the members that failed. Gives their number. */
  retryBatch(batchId: string, options?: CallOptions): Promise<number>;
  /** Submits jobs that wait for each other. Gives their ids by their names in the flow. */
  submitFlow(jobs: FlowEntry[], options?: MessageOptions): Promise<Record<string, string>>;
  /** The signals of a job, oldest first. */
  signals(job: JobRef, options?: CallOptions): Promise<JobSignal[]>;
  /** The waits of a job, in order. */
  waits(job: JobRef, options?: CallOptions): Promise<JobWait[]>;
  /** The tree or flow that a job belongs to. Above 200 jobs, calls with many jobs give counts instead. */
  tree(job: JobRef, options?: CallOptions): Promise<JobTree>;
  /** Waits that last longer than waits of their kind and name usually do, the longest first. */
  longWaits(filter?: { readonly tenant?: string }, options?: CallOptions): Promise<LongWait[]>;
  /** Approvals that jobs wait for, oldest first: one page. */
  approvals(
    filter?: {
      readonly tenant?: string;
      readonly jobId?: string;
      /** Only those for this name, with links that decide as this name. */
      readonly audience?: string;
      readonly cursor?: string;
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Promise<{ approvals: PendingApproval[]; nextCursor?: string | undefined }>;
  /** Decides an approval. Only the first decision counts. */
  decide(
    approvalId: string,
    decision: { readonly choice: string; readonly comment?: string },
    options?: CallOptions,
  ): Promise<{ jobId: string; name: string; choice: string; by: string }>;
}

export function workflowCalls(connection: Connection): WorkflowCalls {
  return {
    signal: async (job, name, value = null, { idempotencyKey, signal } = {}) =>
      ask(connection, workflow.signal, {
        params: { jobId: idOf(job), name },
        body: value,
        ...repeatable(idempotencyKey),
        signal,
      }),
    signalByKey: async ({ kind, uniqueKey, orSubmit }, name, value = null, { idempotencyKey, signal } = {}) =>
      ask(connection, workflow.signalByKey, {
        params: { name },
        body: { kind, uniqueKey, value, ...(orSubmit !== undefined && { orSubmit }) },
        ...repeatable(idempotencyKey),
        signal,
      }),
    publish: async (topic, fields = {}, { idempotencyKey, keepMs, signal } = {}) =>
      ask(connection, workflow.publish, {
        params: { topic },
        query: { keepMs },
        body: fields,
        ...repeatable(idempotencyKey),
        signal,
      }),
    exportJob: async (job, { signal } = {}) =>
      ask(connection, workflow.export, { params: { jobId: idOf(job) }, signal }),
    createBatch: async (batch = {}, { signal } = {}) => ask(connection, groups.createBatch, { body: batch, signal }),
    batches: async (query = {}, { signal } = {}) => ask(connection, groups.batches, { query, signal }),
    batch: async (batchId, { signal } = {}) => ask(connection, groups.batch, { params: { batchId }, signal }),
    addToBatch: async (batchId, body, { idempotencyKey, signal } = {}) => {
      const answer = await ask(connection, groups.addToBatch, {
        params: { batchId },
        body,
        ...repeatable(idempotencyKey),
        signal,
      });
      return answer.jobIds;
    },
    sealBatch: async (batchId, { signal } = {}) => ask(connection, groups.sealBatch, { params: { batchId }, signal }),
    cancelBatch: async (batchId, { signal } = {}) =>
      ask(connection, groups.cancelBatch, { params: { batchId }, signal }),
    retryBatch: async (batchId, { signal } = {}) =>
      (await ask(connection, groups.retryBatch, { params: { batchId }, signal })).revived,
    submitFlow: async (jobs, { idempotencyKey, signal } = {}) => {
      const answer = await ask(connection, groups.submitFlow, {
        body: { jobs },
        ...repeatable(idempotencyKey),
        signal,
      });
      return answer.jobs;
    },
    signals: async (job, { signal } = {}) =>
      (await ask(connection, workflow.signals, { params: { jobId: idOf(job) }, signal })).signals,
    waits: async (job, { signal } = {}) =>
      (await ask(connection, workflow.waits, { params: { jobId: idOf(job) }, signal })).waits,
    tree: async (job, { signal } = {}) => ask(connection, workflow.tree, { params: { jobId: idOf(job) }, signal }),
    longWaits: async (query = {}, { signal } = {}) =>
      (await ask(connection, workflow.longWaits, { query, signal })).waits,
    approvals: async (query = {}, { signal } = {}) => ask(connection, workflow.approvals, { query, signal }),
    decide: async (approvalId, body, { signal } = {}) =>
      ask(connection, workflow.decide, { params: { approvalId }, body, signal }),
  };
}
