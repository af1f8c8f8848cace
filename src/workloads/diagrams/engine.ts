// The one interface behind which every diagram format stands, and the options a request may give.

import { z } from "zod";

export interface Engine<Options = unknown> {
  /** Of the engine's own package: part of the key under which a drawing is kept. */
  readonly version: string;
  readonly options: z.ZodType<Options>;
  /** Loads what is large and draws once, so that the first request is not the slow one. */
  warmUp(): Promise<void>;
  /** One drawing at a time. The SVG is as the engine made it: nobody may see it before `sanitise`. */
  render(source: string, options: Options): Promise<Drawing | { fault: Fault }>;
}

export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  /** Sentences for people: what could not be drawn as asked. */
  readonly warnings: readonly string[];
  /** Whether the engine has already made the margin that was asked for. */
  readonly isPadded?: boolean;
}

/** What is wrong with the source, so that its author can mend it. Lines and columns count from 1. */
export interface Fault {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** A CSS colour and nothing else: `#fff`, `rgb(…)`, `white`, `transparent`. */
export const Colour = z
  .string()
  .max(60)
  .regex(
    /^(?:#[\da-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl)a?\([\d\s.,%/deg]+\))$/i,
    "must be a CSS colour such as #fff or white",
  );

/** What every format understands. */
export const CommonOptions = z.strictObject({
  background: Colour.optional(),
  /** Size of the drawing, for SVG and PNG alike. */
  scale: z.number().min(0.1).max(4).optional(),
  padding: z.number().int().min(0).max(500).optional(),
});

export type CommonOptions = z.infer<typeof CommonOptions>;
