// What a child process and its parent say to each other, as JSON over the IPC channel.

import type { ClaimedJob, Lease, LossReason } from "../../job/lease.ts";
import type { ErrorData } from "../../lib/app-error.ts";
import type { Note } from "../../store/verbs/attempts.ts";
import type { ContextNames } from "../context/names.ts";
import type { AttemptPort } from "../context/port.ts";
import type { AttemptEnd } from "../outcome.ts";

export type ToChild =
  | { run: ClaimedJob; names: ContextNames }
  | { lose: LossReason }
  /** No job needs the child yet, so it may load what recent jobs have needed. */
  | { standBy: readonly string[] }
  | { reply: number; ok?: unknown; error?: ErrorData };

export type FromChild =
  | { ready: true }
  /**
   * Everything that this job needs is loaded, so its time counts from here on. `needed` is the module's name for it.
   */
  | { of: string; begun: true; needed?: string }
  | { brokenModule: string }
  | { of: string; call: number; verb: PortVerb; args: unknown[] }
  | { of: string; outcome: AttemptEnd; note?: Note };

/** The child leads a process group of its own, so this reaches all it started. */
export function endGroup(): void {
  process.kill(-process.pid, "SIGKILL");
}

/** The name of the job and lease that a message is about. */
export function leaseName({ jobId, token }: Lease): string {
  return `${jobId}.${token}`;
}

/** A transaction cannot cross the border of a process. */
export type PortVerb = Exclude<keyof AttemptPort, "transactions">;

/** Bytes travel as a string: 100 kB take a tenth of a millisecond. */
export function packBytes<T>(value: T): unknown {
  if (typeof value !== "object" || value === null || !("bytes" in value)) return value;
  return { ...value, bytes: Buffer.from(value.bytes as Uint8Array).toString("base64") };
}

export function unpackBytes(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("bytes" in value)) return value;
  return { ...value, bytes: new Uint8Array(Buffer.from(value.bytes as string, "base64")) };
}

/** The child's end of the pipe that its parent holds open for as long as it lives. */
export const LIFELINE_FD = 4;

/**
 * The signal that ends a child above its memory limit. Hardly any other program sends it (a virtual alarm), so the
 * parent knows the reason.
 */
export const OVER_MEMORY = "SIGVTALRM";
