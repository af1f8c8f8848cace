import { z } from "zod";
import { CommonOptions } from "../engine.ts";

const THEMES = [
  "default",
  "base",
  "dark",
  "forest",
  "neutral",
  "neo",
  "neo-dark",
  "redux",
  "redux-dark",
  "redux-color",
  "redux-dark-color",
] as const;

export const MermaidOptions = CommonOptions.extend({
  theme: z.enum(THEMES).optional(),
  /** Drawn instead where the reader's system is dark. */
  darkTheme: z.enum(THEMES).optional(),
  layout: z.enum(["dagre", "elk"]).optional(),
  look: z.enum(["classic", "handDrawn", "neo"]).optional(),
});

export type MermaidOptions = z.infer<typeof MermaidOptions>;

// Arial's widths, and Arial is nearly everywhere: see text/fonts.ts.
const FONT_FAMILY = 'Arimo, Arial, Helvetica, "Liberation Sans", sans-serif';
export const MAX_EDGES = 500;
export const MAX_CHARS = 50_000;

// What a diagram's own front matter may not change: what keeps output safe, measurable and the same each time.
const SECURE = [
  "secure",
  "securityLevel",
  "startOnLoad",
  "maxTextSize",
  "maxEdges",
  "suppressErrorRendering",
  "htmlLabels",
  "themeCSS",
  "fontFamily",
  "altFontFamily",
  "dompurifyConfig",
  "arrowMarkerAbsolute",
  "deterministicIds",
  "deterministicIDSeed",
  "logLevel",
  "legacyMathML",
  "forceLegacyMathML",
  "textPlacement",
];

export function mermaidConfig({ theme, layout, look }: MermaidOptions): Record<string, unknown> {
  return {
    startOnLoad: false,
    securityLevel: "strict",
    htmlLabels: false,
    suppressErrorRendering: true,
    deterministicIds: true,
    deterministicIDSeed: "millrace",
    maxTextSize: MAX_CHARS,
    maxEdges: MAX_EDGES,
    secure: SECURE,
    logLevel: 5,
    fontFamily: FONT_FAMILY,
    journey: { textPlacement: "tspan" },
    ...(theme === undefined ? {} : { theme }),
    ...(layout === undefined ? {} : { layout }),
    ...(look === undefined ? {} : { look }),
  };
}
