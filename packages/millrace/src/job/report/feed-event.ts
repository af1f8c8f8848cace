import { unreachable } from "../../lib/unreachable.ts";
import type { Progress } from "../job.ts";
import type { JobView } from "./view.ts";

/** What happened to one job. A log line, a step and a signal come once each; progress and state when they change. */
export type JobFeedEvent =
  | { readonly type: "state"; readonly job: Omit<JobView, "payload" | "progress" | "updatedAt"> }
  | { readonly type: "progress"; readonly progress: Progress }
  | {
      readonly type: "log";
      readonly line: {
        readonly id: number;
        readonly at: string;
        readonly level: string;
        readonly message: string;
        readonly data?: unknown;
      };
    }
  | {
      readonly type: "step";
      readonly step: { readonly stage: string; readonly name: string; readonly savedAt: string };
    }
  | {
      readonly type: "signal";
      readonly signal: {
        /** Its place among the signals of the job, from 1. */
        readonly number: number;
        readonly name: string;
        readonly at: string;
        readonly state: "queued" | "taken" | "set-aside";
        readonly by?: string;
        readonly reason?: string;
      };
    };

/** The event without its type, as it is sent. */
export function payloadOfFeedEvent(event: JobFeedEvent): unknown {
  switch (event.type) {
    case "state":
      return event.job;
    case "progress":
      return event.progress;
    case "log":
      return event.line;
    case "step":
      return event.step;
    case "signal":
      return event.signal;
    default:
      return unreachable(event);
  }
}
