// The verbs of streams: chunks that a running job writes, and that readers follow while it runs.

import type { Standing } from "../../job/job.ts";
import type { Lease } from "../../job/lease.ts";
import type { Step } from "./attempts.ts";

export interface StreamVerbs {
  /** What the stage has written before, for an attempt that runs it again. */
  openStreams(lease: Lease): Promise<OpenStream[] | "lease-lost">;
  /** Adds chunks. The same write again changes nothing. */
  appendStreams(lease: Lease, write: StreamWrite): Promise<StreamWriteAnswer>;
  /** The streams of a job by name. */
  streams(jobId: string): Promise<StreamInfo[]>;
  /** The next entries of a stream after a number. Undefined: the job is unknown. */
  readStream(jobId: string, name: string, after: number): Promise<StreamPage | undefined>;
  /** The steps that were stored at this time or later, without their values. */
  savedSteps(jobId: string, since: number): Promise<Omit<Step, "value">[]>;
  /** What tells whether a job, its log, steps, signals or streams have changed. Jobs that do not exist are left out. */
  pulses(jobIds: string[]): Promise<Pulse[]>;
}

export interface OpenStream {
  name: string;
  /** How many chunks this stage has written outside of steps. An attempt that goes on after a wait does not repeat them. */
  outside: number;
  /** Stored steps whose chunks a restart took out of view. They are shown again when the attempt comes to the step. */
  hidden: string[];
}

/** One commit. `writer` and `seq` tell a repeated write from a new one. */
export interface StreamWrite {
  writer: string;
  seq: number;
  parts: StreamPart[];
}

export type StreamPart =
  /** `chunks` are JSON. `step`: the step that wrote them. */
  | { stream: string; step?: string; chunks: string[] }
  /** Shows the chunks of a stored step again, after all others. */
  | { stream: string; show: string };

export type StreamWriteAnswer = "written" | "lease-lost" | { refused: string };

export interface StreamInfo {
  name: string;
  /** The number of its last entry. */
  last: number;
  bytes: number;
  createdAt: number;
}

export type StreamEntry =
  /** `data` is JSON. */
  | { type: "chunk"; number: number; data: string }
  /** Chunks with a number above `keep` are no longer part of the stream. */
  | { type: "restart"; number: number; keep: number };

export interface StreamPage {
  entries: StreamEntry[];
  standing: Standing;
  /** The number of the last entry of the stream; 0 if nothing is written. */
  last: number;
  /** The job has ended, and these are the last entries. */
  isEnd: boolean;
}

/** What tells two states of a job apart: if the values are equal, nothing has changed in between. */
export interface Pulse {
  jobId: string;
  /** State, stage, attempt and progress. */
  job: string;
  logs: string;
  steps: string;
  signals: string;
  /** Waits and streams. */
  rest: string;
}
