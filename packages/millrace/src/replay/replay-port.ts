import type { AttemptPort } from "../pool/context/port.ts";
import type { LogLine } from "../store/verbs/attempts.ts";
import type { StoredCalls } from "./stored-calls.ts";

export interface ReplayListeners {
  onLog(line: LogLine): void;
  onChunk(stream: string, chunk: string): void;
  /** Called when the code wants something that is not stored. What it awaits never comes. */
  onStop(call: string): Promise<never>;
}

/** Answers an attempt from what is stored. Nothing is written anywhere. */
export function replayPort(stored: StoredCalls, { onLog, onChunk, onStop }: ReplayListeners): AttemptPort {
  return {
    note: async ({ logs = [] }) => {
      for (const line of logs) onLog(line);
      return "written";
    },
    confirm: async () => ({ forMs: Number.MAX_SAFE_INTEGER }),
    storedSteps: async () => [...stored.steps],
    firstJob: async () => "replay",
    saveStep: async () => ({ forMs: Number.MAX_SAFE_INTEGER }),
    beginUndoable: async () => "written",
    undosLeft: async () => [],
    resume: async () => [...stored.waits],
    wakeLate: async () => "lease-lost",
    setAside: (name) => onStop(`ctx.waitForSignal("${name}"), whose stored signal does not fit the schema`),
    decideRace: ({ name }) => onStop(`ctx.race("${name}")`),
    startChildren: ({ type, name }) =>
      onStop(type === "submitted" ? `ctx.submit("${name}")` : `ctx.runChild("${name}")`),
    // An export holds the job itself, not the results of its children.
    childEnds: ({ name }) => onStop(`the results of the children "${name}"`),
    dependencies: () => onStop("ctx.dependencies()"),
    take: async () => "taken",
    openStreams: async () => [],
    appendStreams: async ({ parts }) => {
      for (const part of parts) {
        if ("chunks" in part) for (const chunk of part.chunks) onChunk(part.stream, chunk);
      }
      return "written";
    },
    blockLimiter: async () => "written",
    keepArtifact: async () => "written",
    acquireUnique: async () => "held",
    share: async (_artifact, { named }) => (named ? { link: "replay" } : {}),
    shared: (key) => onStop(`ctx.shared("${key}")`),
    transactions: {
      areInStore: true,
      saveStep: async () => ({}),
      settled: async () => {},
      resultOf: (value) => value,
    },
  };
}
