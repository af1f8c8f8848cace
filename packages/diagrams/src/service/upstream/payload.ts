// Diagrams that no engine of ours draws: a Kroki draws them, if the server names one.

import { z } from "zod";
import { OutputType } from "../../api/render.ts";

/** Types of Kroki whose engines are not in npm. */
export const UPSTREAM_TYPES = [
  "actdiag",
  "blockdiag",
  "diagramsnet",
  "ditaa",
  "erd",
  "excalidraw",
  "nwdiag",
  "packetdiag",
  "rackdiag",
  "seqdiag",
  "structurizr",
  "symbolator",
  "tikz",
  "umlet",
  "wireviz",
] as const;

const MOST_OPTIONS = 50;

/** What a job of the kind `render-upstream` takes. */
export const UpstreamPayload = z.strictObject({
  upstream: z.enum(UPSTREAM_TYPES),
  source: z.string().min(1).max(1_048_576),
  outputType: OutputType.default("svg"),
  /** Kroki's own, handed on as they are. */
  options: z
    .record(
      z.string().regex(/^[a-z][\w-]{0,60}$/i),
      z
        .string()
        .max(1_000)
        .regex(/^[^\p{Cc}]*$/u),
    )
    .refine((given) => Object.keys(given).length <= MOST_OPTIONS, `must have at most ${MOST_OPTIONS} entries`)
    .optional(),
});
export type UpstreamPayload = z.output<typeof UpstreamPayload>;
