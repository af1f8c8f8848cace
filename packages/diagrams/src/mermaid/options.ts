import type { MermaidOptions } from "../api/options.ts";

// Arial's widths, and Arial is nearly everywhere: see text/fonts.ts.
const FONT_FAMILY = 'Arimo, Arial, Helvetica, "Liberation Sans", sans-serif';
/** The id of the root element. */
export const DRAWING_ID = "diagram";
export const MAX_EDGES = 500;
/** The most that the API takes at all. How much a server takes is checked where a diagram comes in: RENDER_MAX_CHARS. */
export const MAX_CHARS = 1_048_576;

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

// Mermaid gives the texts of a journey the colour of the box they stand in, and its own ground of SVG edge labels is half
// transparent, so that the line shows through the words.
const THEME_CSS = "text.journey-section, text.task { fill: inherit; } .edgeLabel rect { opacity: 1 !important; }";

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
    themeCSS: THEME_CSS,
    ...(theme === undefined ? {} : { theme }),
    ...(layout === undefined ? {} : { layout }),
    ...(look === undefined ? {} : { look }),
  };
}
