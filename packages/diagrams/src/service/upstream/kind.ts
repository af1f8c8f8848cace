import { defineKind, type Kind, moduleOf } from "millrace";
import type { z } from "zod";
import type { RenderedDiagram } from "../../api/render.ts";
import { MEMORY_MB, rendererEnv, WORN_OUT } from "../../renderer-limits.ts";
import { deadline, drawnOnce, kept, type RenderKindOptions, UPSTREAM_KIND } from "../kind.ts";
import { UPSTREAM_VARIABLE } from "./fetch.ts";
import { UPSTREAM_TYPES, UpstreamPayload } from "./payload.ts";

export interface UpstreamKindOptions
  extends Pick<RenderKindOptions, "processors" | "timeoutMs" | "maxChars" | "retentionMs" | "fonts"> {
  /** The address of the Kroki. */
  readonly upstream: string;
}

/** Its processes may use the network, so they draw nothing themselves: they fetch an SVG, clean it and convert it. */
export function upstreamKind(options: UpstreamKindOptions): Kind<z.input<typeof UpstreamPayload>, RenderedDiagram> {
  const { processors, timeoutMs, maxChars, upstream } = options;
  return defineKind({
    name: UPSTREAM_KIND,
    stage: "rendering",
    payload: UpstreamPayload.refine(({ source }) => source.length <= maxChars, {
      path: ["source"],
      message: `has more than ${maxChars} characters`,
    }),
    examples: [{ upstream: UPSTREAM_TYPES[1], source: "blockdiag { a -> b; }" }],
    isolation: "process",
    module: moduleOf<typeof import("./process.ts")>(new URL("./process.ts", import.meta.url)),
    env: { ...rendererEnv(options), [UPSTREAM_VARIABLE]: upstream },
    processors,
    ...deadline(timeoutMs),
    maxAttempts: 1,
    maxCrashes: 2,
    memoryMb: MEMORY_MB,
    recycle: WORN_OUT,
    ...kept(options),
    ...drawnOnce,
  });
}
