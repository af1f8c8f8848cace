import type { Kind } from "../job/kind.ts";
import type { AttemptView, JobView } from "../job/view.ts";
import type { Change } from "../submit/changes.ts";
import type { SubmitRequests } from "../submit/intake.ts";
import type { ScheduleRule } from "../submit/schedule.ts";
import type { ScheduleView } from "../submit/schedules.ts";
import type { JobFilter, KindCounts, LogLine, Step } from "../store/store.ts";

/** What the routes ask of the engine. `Millrace` is one; the borders do not know it by name. */
export interface Engine {
  submitRequests(submission: SubmitRequests): Promise<{ jobs: JobView[]; replayed: boolean }>;
  find(jobId: string): Promise<JobView | undefined>;
  wait(jobId: string, options: { timeoutMs?: number; signal?: AbortSignal }): Promise<JobView>;
  list(filter: JobFilter): Promise<JobView[]>;
  count(filter: JobFilter): Promise<number>;
  attempts(jobId: string): Promise<AttemptView[]>;
  logs(jobId: string, options: { afterId?: number; limit?: number }): Promise<(LogLine & { id: number })[]>;
  steps(jobId: string): Promise<Step[]>;
  kinds(): Promise<KindCounts[]>;
  kindNamed(name: string): Kind;
  health(): Promise<{ status: "ok" | "error"; problems: string[]; unserved: string[] }>;
  cancel(jobId: string, reason?: string): Promise<void>;
  release(jobId: string): Promise<void>;
  revive(jobId: string, options: { payload?: unknown; from?: "failed-stage" | "start" }): Promise<{ id: string }>;
  forget(jobId: string): Promise<void>;
  pause(kind: string): Promise<void>;
  resume(kind: string): Promise<void>;
  listen(listener: (change: Change) => void): () => void;
  readonly schedules: {
    put(kind: Kind, rule: ScheduleRule): Promise<void>;
    remove(name: string): Promise<boolean>;
    list(): Promise<ScheduleView[]>;
    preview(rule: { cron: string; timeZone?: string }, count?: number): Date[];
  };
}

