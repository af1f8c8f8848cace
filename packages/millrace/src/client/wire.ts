// The shapes of the API, as types by name.

import type { z } from "zod";
import type * as access from "../api/access.ts";
import type * as dlq from "../api/dead-letters.ts";
import type * as stream from "../api/feeds/streams.ts";
import type * as group from "../api/groups.ts";
import type * as health from "../api/health.ts";
import type * as filter from "../api/job-filter.ts";
import type * as job from "../api/job-shape.ts";
import type * as kinds from "../api/kinds.ts";
import type * as limiter from "../api/limits/limiters.ts";
import type * as sharedLimits from "../api/limits/shared.ts";
import type * as limit from "../api/limits/tenants.ts";
import type * as operation from "../api/many/operations.ts";
import type * as view from "../api/many/views.ts";
import type * as metrics from "../api/metrics.ts";
import type * as pools from "../api/pools.ts";
import type * as schedules from "../api/schedules.ts";
import type * as workflow from "../api/workflow.ts";
import type * as workloads from "../api/workloads.ts";
import type { AnswerOf, BodyOf } from "./routes.ts";

/** A job, as the API returns it. Times are ISO 8601 strings. */
export type Job = z.output<typeof job.Job>;
/** A job as `submit()` returns it: with how it was accepted. */
export type SubmittedJob = z.output<typeof job.SubmittedJob>;
/** One page of jobs. */
export type JobList = z.output<typeof filter.JobList>;
/** An artifact of a job, without its bytes. */
export type ArtifactInfo = z.output<typeof job.ArtifactInfo>;
/** One attempt at a stage of a job. */
export type Attempt = z.output<typeof job.Attempt>;
/** Why a job does not run, in words. */
export type Explanation = z.output<typeof job.Explanation>;
/** One line of a job's log. */
export type LogLine = z.output<typeof job.LogLine>;
/** What a step of a job has stored. */
export type Step = z.output<typeof job.Step>;
/** The answer to an act on many jobs. */
export type ManyAnswer = z.output<typeof filter.ManyAnswer>;
/** A failed job. */
export type DeadLetter = z.output<typeof dlq.DeadLetter>;
/** One page of dead letters, or their groups. */
export type DeadLetterList = AnswerOf<typeof dlq.dlqRoutes.list>;
/** Dead letters of the same stage that failed for the same reason. */
export type DeadLetterGroup = z.output<typeof dlq.DeadLetterGroup>;
/** Dead letters whose messages differ only in ids, numbers, quoted values, paths and addresses. */
export type DeadLetterCause = z.output<typeof dlq.DeadLetterCause>;
/** One page of causes. */
export interface DeadLetterCauses {
  /** The causes of this page. */
  causes: DeadLetterCause[];
  /** The number of causes that match. */
  groupCount: number;
  /** The number of dead letters of these causes. */
  total: number;
  /** Pass it as `cursor` to read the next page. Missing on the last page. */
  nextCursor?: string;
}
/** An act on many jobs, with its progress. */
export type OperationInfo = z.output<typeof operation.Operation>;
/** A page of the dashboard with its filter, under a name. */
export type SavedView = z.output<typeof view.SavedView>;
/** A kind with its stages, settings and counts. */
export type KindInfo = z.output<typeof kinds.KindInfo>;
/** One version of the application, and whether its processes can be stopped. */
export type Deployment = z.output<typeof pools.Deployment>;
/** A limit on running jobs that kinds share. */
export type SharedLimit = z.output<typeof sharedLimits.SharedLimit>;
/** A living process on the store. */
export type InstanceInfo = z.output<typeof pools.InstanceInfo>;
/** A pool of a living process. */
export type PoolInfo = z.output<typeof pools.PoolInfo>;
/** What one processor of a pool does. */
export type ProcessorInfo = z.output<typeof pools.ProcessorInfo>;
/** A schedule with its next times. */
export type Schedule = z.output<typeof schedules.Schedule>;
/** The figures at one time. Counters count from the start of the processes, so take differences. */
export type FigurePoint = z.output<typeof metrics.FigurePoint>;
/** The figures of all processes on the store. */
export type Metrics = z.output<typeof metrics.Metrics>;
/** The health of the server. */
export type Health = z.output<typeof health.Health>;
/** A workload of the server, with its scopes and the pages that the caller may open. */
export type WorkloadInfo = z.output<typeof workloads.WorkloadInfo>;
/** An API key, without its secret. */
export type Key = z.output<typeof access.Key>;
/** A tenant with its jobs. */
export type Tenant = AnswerOf<typeof access.accessRoutes.tenants>["tenants"][number];
/** A limiter as it is now. */
export type Limiter = z.output<typeof limiter.Limiter>;
/** Limits of a tenant's own. */
export type TenantLimits = z.output<typeof limit.TenantLimits>;
/** An outbox with the rows that wait in it. */
export type OutboxView = AnswerOf<typeof access.accessRoutes.outboxes>["outboxes"][number];
/** One act of a person or program. */
export type AuditEntry = AnswerOf<typeof access.accessRoutes.audit>["entries"][number];
/** What a signal came to. */
export type SignalReceipt = AnswerOf<typeof workflow.workflowRoutes.signal>;
/** What an event came to. */
export type PublishReceipt = AnswerOf<typeof workflow.workflowRoutes.publish>;
/** A job with everything that its stages have stored. */
export type ExportedJob = AnswerOf<typeof workflow.workflowRoutes.export>;
/** The tree or flow that a job belongs to. */
export type JobTree = AnswerOf<typeof workflow.workflowRoutes.tree>;
/** A stream of a job. */
export type StreamInfo = AnswerOf<typeof stream.streamRoutes.streams>["streams"][number];
/**
 * One event of a stream. Ids grow. `restart`: drop all chunks with an id above `keep`, because an attempt failed and its
 * chunks are written again. `end`: the job has ended.
 */
export type StreamEvent<Chunk = unknown> =
  | { readonly type: "chunk"; readonly id: number; readonly value: Chunk }
  | ({ readonly type: "restart"; readonly id: number } & z.output<typeof stream.StreamEvents.restart>)
  | ({ readonly type: "end"; readonly id: number } & z.output<typeof stream.StreamEvents.end>);
/** A token that reads one job. */
export type JobToken = AnswerOf<typeof stream.streamRoutes.createToken>;
type FeedEvents = typeof stream.JobFeedEvents;
/** What happened to a job. A newer server may send more types. */
export type JobFeedEvent = {
  [Type in keyof FeedEvents]: {
    readonly type: Type;
    readonly id: string;
    readonly data: z.output<FeedEvents[Type]>;
  };
}[keyof FeedEvents];
/** A batch with the counts of its members. */
export type BatchInfo = AnswerOf<typeof group.groupRoutes.batch>;
/** A job to submit, by the name of its kind. */
export type BatchJob = BodyOf<typeof group.groupRoutes.addToBatch>[number];
/** A job of a flow, by the name of its kind. */
export type FlowEntry = BodyOf<typeof group.groupRoutes.submitFlow>["jobs"][number];
/** A signal that a job was sent. */
export type JobSignal = AnswerOf<typeof workflow.workflowRoutes.signals>["signals"][number];
/** Something that a job waits for, or waited for. */
export type JobWait = AnswerOf<typeof workflow.workflowRoutes.waits>["waits"][number];
/** Jobs that wait for something longer than jobs of their kind usually do. */
export type LongWait = AnswerOf<typeof workflow.workflowRoutes.longWaits>["waits"][number];
/** An approval that a job waits for. */
export type PendingApproval = AnswerOf<typeof workflow.workflowRoutes.approvals>["approvals"][number];
