import { z } from "zod";
import { Colour, CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const SvgbobOptions = CommonOptions.extend({
  fontFamily: z
    .string()
    .regex(/^[\w \-,]{1,100}$/, "must be names of fonts")
    .optional()
    .meta({ description: "The font of texts. Default: a monospaced one." }),
  fontSize: z.number().min(1).max(200).optional().meta({ description: "Size of texts in pixels. Default: 14." }),
  strokeWidth: z.number().min(0).max(50).optional().meta({ description: "Width of lines in pixels. Default: 2." }),
  strokeColor: Colour.optional().meta({ description: "The colour of lines. Default: black." }),
  fillColor: Colour.optional().meta({ description: "The colour of filled shapes. Default: black." }),
}).meta({ id: "SvgbobOptions" });
/** How to draw a Svgbob diagram. */
export type SvgbobOptions = z.infer<typeof SvgbobOptions>;

export const svgbob = {
  title: "Svgbob",
  endings: [".bob", ".svgbob"],
  krokiTypes: ["svgbob"],
  fences: ["svgbob", "bob"],
  packages: ["bob-wasm"],
  krokiGround: "transparent",
  options: SvgbobOptions,
} as const satisfies FormatEntry;
