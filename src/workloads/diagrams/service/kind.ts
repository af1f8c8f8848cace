import { type Rendered, RenderPayload } from "../../../api/render.ts";
import { defineKind, type Kind, moduleOf } from "../../../index.ts";
import { recallDrawing } from "./drawing.ts";
import { keysOf } from "./keys.ts";

export interface RenderKindOptions {
  /** Diagrams drawn at the same time; as many more that take long. */
  readonly processors: number;
  readonly timeoutMs: number;
}

// Mermaid with ELK takes 350 MiB after some hundred drawings, D2 as much again; a picture of 16 M pixels 300.
const MEMORY_MB = 1_536;
const WORN_OUT = { afterJobs: 500, aboveMb: 900 };
/** Nearly all diagrams are drawn in a fraction of this. */
const SLOW_AFTER_MS = 1_000;

/** One diagram to one drawing behind a short link. A fault in the diagram is final; only a renderer that died is tried again. */
export function renderKind({ processors, timeoutMs }: RenderKindOptions): Kind<RenderPayloadIn, Rendered> {
  return defineKind({
    name: "render",
    stage: "rendering",
    payload: RenderPayload,
    isolation: "process",
    module: moduleOf<typeof import("./process.ts")>(new URL("./process.ts", import.meta.url)),
    processors,
    timeoutMs,
    timeoutMessage: "Render timed out after {ms} ms",
    retryTimeouts: false,
    maxAttempts: 1,
    maxCrashes: 2,
    memoryMb: MEMORY_MB,
    spares: 1,
    recycle: WORN_OUT,
    confined: true,
    slow: { afterMs: SLOW_AFTER_MS, processors },
    uniqueKey: (payload) => keysOf(payload).asked,
    ifUnique: "join",
    recall: async (payload, memory) => {
      const { asked } = keysOf(payload);
      const result = await recallDrawing(asked, memory);
      return result && { result, share: asked };
    },
  });
}

type RenderPayloadIn = import("zod").input<typeof RenderPayload>;
