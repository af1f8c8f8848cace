// What a drawing may be asked for, by format: the engines and the API read the same shapes.

import { z } from "zod";
import { isColour } from "../colour.ts";

/** A CSS colour and nothing else: `#fff`, `rgb(…)`, `white`, `transparent`. */
export const Colour = z
  .string()
  .max(60)
  .refine(
    (text) => isColour(text) && !/^currentcolor$/i.test(text.trim()),
    "must be a CSS colour such as #fff or white",
  );

/** What every format understands. */
export const CommonOptions = z.strictObject({
  background: Colour.optional().meta({ description: "A CSS colour behind the drawing. Default: none." }),
  scale: z.number().min(0.1).max(4).optional().meta({ description: "Scale of the drawing, for SVG and PNG." }),
  width: z.int().min(1).max(10_000).optional().meta({
    description: "Width of the drawing in pixels, with its padding. The height follows. Times `scale`.",
  }),
  height: z.int().min(1).max(10_000).optional().meta({
    description: "Height of the drawing in pixels. With `width`, the drawing fits into both.",
  }),
  padding: z.int().min(0).max(500).optional().meta({ description: "Padding around the drawing, in pixels." }),
  embedFont: z.boolean().optional().meta({
    description: "Puts the letters of the drawing into the SVG as fonts, so that it looks the same on every machine.",
  }),
  engine: z.enum(["chromium"]).optional().meta({
    description:
      "`chromium`: Chromium draws Mermaid and every PNG, if the server allows it (`RENDER_CHROMIUM`). Otherwise the answer is 422.",
  }),
});
export type CommonOptions = z.infer<typeof CommonOptions>;

const MERMAID_THEMES = [
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

const MOST_CONFIG_CHARS = 20_000;

export const MermaidOptions = CommonOptions.extend({
  config: z
    .record(z.string(), z.unknown())
    .refine(
      (given) => JSON.stringify(given).length <= MOST_CONFIG_CHARS,
      `has more than ${MOST_CONFIG_CHARS} characters`,
    )
    .optional()
    .meta({
      description:
        "Mermaid's configuration, as in a diagram's front matter: `{flowchart: {curve: \"linear\"}}`. The diagram's own comes first.",
    }),
  theme: z.enum(MERMAID_THEMES).optional().meta({ description: "A theme of Mermaid. Default: `default`." }),
  darkTheme: z.enum(MERMAID_THEMES).optional().meta({ description: "Theme for readers who use dark mode." }),
  layout: z.enum(["dagre", "elk", "tidy-tree"]).optional().meta({
    description: "The layout engine; `tidy-tree` is for mind maps. Default: `dagre`.",
  }),
  look: z
    .enum(["classic", "handDrawn", "neo"])
    .optional()
    .meta({ description: "The style of lines. Default: `classic`." }),
}).meta({ id: "MermaidOptions" });
/** How to draw a Mermaid diagram. */
export type MermaidOptions = z.infer<typeof MermaidOptions>;

/** D2's themes, by their numbers. */
export const D2_THEMES: Readonly<Record<string, number>> = {
  "neutral-default": 0,
  "neutral-grey": 1,
  "flagship-terrastruct": 3,
  "cool-classics": 4,
  "mixed-berry-blue": 5,
  "grape-soda": 6,
  aubergine: 7,
  "colorblind-clear": 8,
  "vanilla-nitro-cola": 100,
  "orange-creamsicle": 101,
  "shirley-temple": 102,
  "earth-tones": 103,
  "everglade-green": 104,
  "buttered-toast": 105,
  "dark-mauve": 200,
  "dark-flagship-terrastruct": 201,
  terminal: 300,
  "terminal-grayscale": 301,
  origami: 302,
  c4: 303,
};

const d2Numbers = Object.values(D2_THEMES);
const D2Theme = z.union([
  z.enum(Object.keys(D2_THEMES) as [string, ...string[]]),
  z.number().refine((number) => d2Numbers.includes(number), `must be one of ${d2Numbers.join(", ")}`),
]);

export const D2Options = CommonOptions.extend({
  theme: D2Theme.optional().meta({ description: "The theme, by name or by D2's number." }),
  darkTheme: D2Theme.optional().meta({ description: "Theme for readers who use dark mode." }),
  layout: z.enum(["dagre", "elk"]).optional().meta({ description: "The layout engine. Default: `dagre`." }),
  sketch: z.boolean().optional().meta({ description: "Hand-drawn style. Default: false." }),
  board: z.string().max(200).optional().meta({
    description:
      "One board, by its name or path: `layers.inside`, or `root` for the first. Default: all, one below the other.",
  }),
}).meta({ id: "D2Options" });
/** How to draw a D2 diagram. */
export type D2Options = z.infer<typeof D2Options>;

const MOST_ATTRIBUTES = 50;
const Attributes = z
  .record(z.string().regex(/^[A-Za-z_]\w{0,39}$/), z.string().max(200))
  .refine((given) => Object.keys(given).length <= MOST_ATTRIBUTES, `must have at most ${MOST_ATTRIBUTES} entries`)
  .optional();

export const GraphvizOptions = CommonOptions.extend({
  layout: z
    .enum(["dot", "neato", "fdp", "sfdp", "circo", "twopi", "osage", "patchwork"])
    .optional()
    .meta({ description: "The layout engine. Default: `dot`." }),
  attributes: z.strictObject({ graph: Attributes, node: Attributes, edge: Attributes }).optional().meta({
    description: 'Graphviz\'s attributes, as defaults for what the source does not say: `{graph: {rankdir: "LR"}}`.',
  }),
}).meta({ id: "GraphvizOptions" });
/** How to draw a Graphviz diagram. */
export type GraphvizOptions = z.infer<typeof GraphvizOptions>;
