import type { z } from "zod";
import type { Deployment, UnservedStage } from "../api/system.ts";
import type { Kind, Memory } from "../job/kind.ts";
import type { KindInfo } from "../job/kind-info.ts";
import type { OpenedLink } from "../job/opened-link.ts";
import type { AttemptView, JobView } from "../job/view.ts";
import type {
  Access,
  Artifact,
  DeadLetterGroup,
  JobFilter,
  KindCounts,
  LogLine,
  Step,
  TenantCounts,
} from "../store/store.ts";
import type { Change } from "../submit/changes.ts";
import type { SubmitRequests } from "../submit/intake.ts";
import type { ScheduleRule } from "../submit/schedule.ts";
import type { ScheduleView } from "../submit/schedules.ts";

/** What the routes ask of the engine. `Millrace` is one; the borders do not know it by name. */
export interface Engine {
  submitRequests(submission: SubmitRequests): Promise<{ jobs: JobView[]; replayed: boolean; joined: number[] }>;
  find(jobId: string): Promise<JobView | undefined>;
  wait(jobId: string, options: { timeoutMs?: number; signal?: AbortSignal }): Promise<JobView>;
  list(filter: JobFilter): Promise<JobView[]>;
  count(filter: JobFilter): Promise<number>;
  attempts(jobId: string): Promise<AttemptView[]>;
  logs(jobId: string, options: { afterId?: number; limit?: number }): Promise<(LogLine & { id: number })[]>;
  steps(jobId: string): Promise<Step[]>;
  kinds(): Promise<KindCounts[]>;
  kindNamed(name: string): Kind;
  health(): Promise<{
    status: "ok" | "degraded" | "error";
    problems: string[];
    unserved: string[];
    unservedStages: z.output<typeof UnservedStage>[];
  }>;
  deployments(): Promise<z.output<typeof Deployment>[]>;
  unpin(label: string): Promise<void>;
  readiness(): Promise<{ ready: boolean; reasons: string[] }>;
  cancel(jobId: string, reason?: string): Promise<void>;
  release(jobId: string, options?: { answer?: unknown }): Promise<void>;
  artifact(jobId: string, name: string): Promise<Artifact | undefined>;
  abandon(jobId: string, reason: string): Promise<boolean>;
  revive(
    jobId: string,
    options: { payload?: unknown; from?: "failed-stage" | "start"; delayMs?: number },
  ): Promise<{ id: string }>;
  reviveRequest(jobId: string, options: { payload?: unknown; from?: "failed-stage" | "start" }): Promise<JobView>;
  cancelMany(jobIds: string[], reason?: string): Promise<string[]>;
  forgetMany(jobIds: string[]): Promise<string[]>;
  metrics(): Promise<unknown>;
  prometheus(): Promise<string>;
  forget(jobId: string): Promise<void>;
  pause(kind: string): Promise<void>;
  resume(kind: string): Promise<void>;
  listen(listener: (change: Change) => void): () => void;
  readonly admin: {
    readonly access: Access;
    pools(): Promise<InstancePool[]>;
    figures(): Promise<unknown>;
    instances(): Promise<{ instance: string; startedAt: string; seenAt: string; pools: string[] }[]>;
    kinds(): Promise<KindInfo[]>;
    deadLetters(
      filter: JobFilter,
      page: { limit: number; offset: number },
    ): Promise<{ jobs: JobView[]; total: number }>;
    deadLetterGroups(filter: JobFilter): Promise<DeadLetterGroup[]>;
    matching(filter: JobFilter, limit: number): Promise<string[]>;
    tenants(): Promise<TenantCounts[]>;
    audit(who: string, what: string, about?: { target?: string; tenant?: string; traceId?: string }): Promise<void>;
  };
  readonly shared: {
    memoryOf(tenant: string): Memory;
    open(link: string): Promise<OpenedLink | undefined>;
  };
  readonly schedules: {
    put(kind: Kind, rule: ScheduleRule): Promise<void>;
    remove(name: string, options?: { tenant?: string }): Promise<boolean>;
    list(filter?: { tenant?: string; name?: string }): Promise<ScheduleView[]>;
    preview(rule: { cron: string; timeZone?: string }, count?: number): Date[];
  };
}

export interface InstancePool {
  pool: string;
  kind: string;
  stage: string;
  size: number;
  instance: string;
  seenAt: string;
  queueSize: number;
  processors: { slot: number; state: "idle" | "busy" | "error"; jobId?: string; tenant?: string }[];
}
