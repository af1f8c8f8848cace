import { defineKind, type Kind, type Memory, moduleOf } from "millrace";
import { type RenderedDiagram, RenderPayload } from "../api/render.ts";
import { MEMORY_MB, rendererEnv, WORN_OUT } from "../renderer-limits.ts";
import { recallDrawing } from "./drawing.ts";
import { type DrawnPayload, keysOf, uniqueKeyOf } from "./keys.ts";

export interface RenderKindOptions {
  /** Diagrams drawn at the same time, and as many again that take long. 1: one at a time, also where it takes long. */
  readonly processors: number;
  readonly timeoutMs: number;
  /** How long a finished job is kept, an hour by default; dead letters as the engine says. */
  readonly retentionMs?: number;
  readonly maxChars: number;
  /** Renderers that stand by in case one is killed; they pay where diagrams come from strangers. */
  readonly spares?: number;
  /** Folder of added fonts. */
  readonly fonts?: string;
  /** Folder of PlantUML's standard library. */
  readonly plantumlStdlib?: string | undefined;
}

/** Nearly all diagrams are drawn in less. The pool looks ten times a second: the next one waits for less than half a second. */
const SLOW_AFTER_MS = 300;
/** As many endless diagrams may come at once as there are processors; one is started for each that is taken. */
const SPARES = 2;
const HOUR_MS = 3_600_000;

const EXAMPLES: RenderPayloadIn[] = [
  { format: "mermaid", source: "flowchart LR\n  mill --> race" },
  { format: "d2", source: "mill -> race", options: { sketch: true } },
  { format: "graphviz", source: "digraph { mill -> race }" },
];

/** One diagram to one drawing behind a short link. A fault in the diagram is final; only a renderer that died is tried again. */
export function renderKind(options: RenderKindOptions): Kind<RenderPayloadIn, RenderedDiagram> {
  const { processors, timeoutMs, maxChars, spares = SPARES } = options;
  return defineKind({
    name: "render",
    stage: "rendering",
    payload: payloadFor({ engine: undefined, maxChars }),
    examples: EXAMPLES,
    isolation: "process",
    module: moduleOf<typeof import("./process.ts")>(new URL("./process.ts", import.meta.url)),
    processors,
    ...deadline(timeoutMs),
    maxAttempts: 1,
    maxCrashes: 2,
    memoryMb: MEMORY_MB,
    spares,
    recycle: WORN_OUT,
    confined: true,
    env: rendererEnv(options),
    ...(processors > 1 && { slow: { afterMs: SLOW_AFTER_MS, processors } }),
    ...kept(options),
    ...drawnOnce,
  });
}

export interface ChromiumKindOptions
  extends Pick<RenderKindOptions, "timeoutMs" | "maxChars" | "retentionMs" | "fonts" | "plantumlStdlib"> {
  /** Of the Chromium; undefined: one is looked for. */
  readonly path: string | undefined;
}

/**
 * The same for diagrams that ask for a browser, with a pool of its own: a confined process could start none. One at a time,
 * since there is one page. A browser that died is no fault of its diagram, which is tried once more.
 */
export function chromiumKind(options: ChromiumKindOptions): Kind<RenderPayloadIn, RenderedDiagram> {
  const { path, timeoutMs, maxChars } = options;
  return defineKind({
    name: CHROMIUM_KIND,
    stage: "rendering",
    payload: payloadFor({ engine: "chromium", maxChars }),
    isolation: "process",
    module: moduleOf<typeof import("./chromium-process.ts")>(new URL("./chromium-process.ts", import.meta.url)),
    env: { ...rendererEnv(options), ...(path !== undefined && { CHROMIUM_PATH: path }) },
    processors: 1,
    ...deadline(timeoutMs),
    maxAttempts: 2,
    maxCrashes: 2,
    memoryMb: MEMORY_MB,
    recycle: WORN_OUT,
    ...kept(options),
    ...drawnOnce,
  });
}

/** A diagram that takes too long, or whose client has given up, makes no dead letter. A renderer that died does. */
export function kept({ retentionMs = HOUR_MS }: { readonly retentionMs?: number }) {
  return { retention: { finishedMs: retentionMs }, inputFailures: ["timed-out", "backpressure"] } as const;
}

const CHROMIUM_KIND = "render-chromium";
export const UPSTREAM_KIND = "render-upstream";

/** The kind whose processors draw this. */
export function kindOf(payload: DrawnPayload): string {
  if ("upstream" in payload) return UPSTREAM_KIND;
  return payload.options?.engine === "chromium" ? CHROMIUM_KIND : "render";
}

type RenderPayloadIn = import("zod").input<typeof RenderPayload>;

/** Each kind takes what its own processors can draw, by whatever way it was submitted. */
function payloadFor({ engine, maxChars }: { engine: "chromium" | undefined; maxChars: number }) {
  return RenderPayload.refine(({ options }) => options?.engine === engine, {
    path: ["options", "engine"],
    message: engine === undefined ? "needs the kind render-chromium" : "must be chromium",
  }).refine(({ source }) => source.length <= maxChars, {
    path: ["source"],
    message: `has more than ${maxChars} characters`,
  });
}

export function deadline(timeoutMs: number) {
  return { timeoutMs, timeoutMessage: "Render timed out after {ms} ms", retryTimeouts: false } as const;
}

export const drawnOnce = {
  uniqueKey: uniqueKeyOf,
  ifUnique: "follow",
  recall: async (payload: DrawnPayload, memory: Memory) => {
    const { asked } = keysOf(payload, memory.tenant);
    const result = await recallDrawing(asked, memory);
    return result && { result, share: asked };
  },
} as const;
