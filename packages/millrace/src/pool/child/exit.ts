import { constants } from "node:os";
import type { Outcome } from "../../job/lifecycle.ts";
import { crashedBy, crashedOverMemory, RELEASED } from "../outcome.ts";
import { withoutMarks } from "./console.ts";
import { OVER_MEMORY } from "./protocol.ts";

/** How a child process ended. */
export interface ChildExit {
  readonly message: string;
  /** The end of the job that the child worked on. */
  readonly outcome: Outcome;
}

export function describeExit(
  code: number | null,
  reported: string | null,
  { depth, memoryMb, tail }: { depth: number; memoryMb: number | undefined; tail: string },
): ChildExit {
  const signal = reported ?? (depth > 0 ? signalIn(code) : null);
  const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
  const words = withoutMarks(tail).trim();
  const message = words
    ? `The processor's process ${how}. Its last output: ${words}`
    : `The processor's process ${how}.`;
  if (signal === OVER_MEMORY) return { message, outcome: crashedOverMemory(memoryMb) };
  // A supervisor that stops the whole service signals the children too: that says nothing about the job.
  const isStopped = signal === "SIGTERM" || signal === "SIGINT";
  return { message, outcome: isStopped ? RELEASED : crashedBy(message) };
}

/** A shell reports a process that a signal ended by an exit code above 128. */
function signalIn(code: number | null): string | null {
  const number = (code ?? 0) - 128;
  return Object.entries(constants.signals).find(([, each]) => each === number)?.[0] ?? null;
}
