import type { MermaidOptions } from "../api/options.ts";

// Arial's widths, and Arial is nearly everywhere: see text/fonts.ts.
const FONT_FAMILY = 'Arimo, Arial, Helvetica, "Liberation Sans", sans-serif';
/** The id of the root element. */
export const DRAWING_ID = "diagram";
export const MAX_EDGES = 500;
/** The most that the API takes at all. How much a server takes is checked where a diagram comes in: RENDER_MAX_CHARS. */
export const MAX_CHARS = 1_048_576;

// What a diagram's own front matter may not change: what keeps output safe, measurable and the same each time.
export const SECURE: readonly string[] = [
  "secure",
  "securityLevel",
  "startOnLoad",
  "maxTextSize",
  "maxEdges",
  "suppressErrorRendering",
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
];

// With "htmlLabels: false" Mermaid's ground of edge labels is half transparent, and the line shows through the words.
const THEME_CSS = ".edgeLabel rect.background { opacity: 1 !important; }";

/** `own` is `options.config` as `checkConfig` left it. */
export function mermaidConfig(
  { theme, layout, look }: MermaidOptions,
  own: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    ...own,
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    deterministicIds: true,
    deterministicIDSeed: "millrace",
    maxTextSize: MAX_CHARS,
    maxEdges: MAX_EDGES,
    secure: SECURE,
    logLevel: 5,
    fontFamily: FONT_FAMILY,
    themeCSS: THEME_CSS,
    ...(theme === undefined ? {} : { theme }),
    ...(layout === undefined ? {} : { layout }),
    ...(look === undefined ? {} : { look }),
  };
}
