// The shapes of the API, as types by name.

import type { z } from "zod";
import type * as access from "../api/access.ts";
import type * as dlq from "../api/dead-letters.ts";
import type * as filter from "../api/job-filter.ts";
import type * as job from "../api/job-shape.ts";
import type * as render from "../api/render.ts";
import type * as system from "../api/system.ts";
import type { AnswerOf } from "./routes.ts";

export type Job = job.Job;
export type JobList = z.output<typeof filter.JobList>;
export type Attempt = z.output<typeof job.Attempt>;
export type LogLine = z.output<typeof job.LogLine>;
export type Step = z.output<typeof job.Step>;
export type ManyAnswer = z.output<typeof filter.ManyAnswer>;
export type DeadLetter = z.output<typeof dlq.DeadLetter>;
export type DeadLetterList = AnswerOf<typeof dlq.dlqRoutes.list>;
export type DeadLetterGroup = z.output<typeof dlq.DeadLetterGroup>;
export type KindInfo = z.output<typeof system.KindInfo>;
export type PoolInfo = z.output<typeof system.PoolInfo>;
export type ProcessorInfo = z.output<typeof system.ProcessorInfo>;
export type Schedule = z.output<typeof system.Schedule>;
export type FigurePoint = z.output<typeof system.FigurePoint>;
export type Metrics = z.output<typeof system.Metrics>;
export type Health = z.output<typeof system.Health>;
export type Rendered = render.Rendered;
export type RenderAccepted = render.RenderAccepted;
export type RenderRequest = render.RenderRequest;
export type Key = z.output<typeof access.Key>;
export type Tenant = AnswerOf<typeof access.accessRoutes.tenants>["tenants"][number];
export type AuditEntry = AnswerOf<typeof access.accessRoutes.audit>["entries"][number];
