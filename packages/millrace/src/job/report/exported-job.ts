import type { JobState } from "../job.ts";
import type { SignalView, WaitView } from "./messages.ts";

/** A job with everything that its stages have stored, from `millrace jobs export`. `kit.replay()` runs it again. */
export interface ExportedJob {
  /** The version of this form. */
  format: 1;
  /** The id of the job. */
  jobId: string;
  /** The name of its kind. */
  kind: string;
  /** The tenant that it belongs to. */
  tenant: string;
  /** Its state when it was exported. */
  state: JobState;
  /** The stage where it is, or where it ended. */
  stage: string;
  /** The stages of its plan, in order. */
  stages: string[];
  /** The number of its latest attempt at the stage. */
  attempt: number;
  /** Its tags. */
  tags: string[];
  /** When it was submitted, as an ISO 8601 string. */
  createdAt: string;
  /** Its payload as it was submitted. */
  payload: unknown;
  /** What the stage before returned. Missing in the first stage and in a completed job. */
  input?: unknown;
  /** The steps that it has stored. */
  steps: {
    /** The stage of the step. */
    stage: string;
    /** Its name. */
    name: string;
    /** Its value. */
    value: unknown;
  }[];
  /** Its waits. */
  waits: WaitView[];
  /** The signals that it was sent. */
  signals: SignalView[];
}
