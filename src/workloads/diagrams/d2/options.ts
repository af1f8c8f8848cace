import { z } from "zod";
import { CommonOptions } from "../engine.ts";

/** D2's themes, by their numbers. */
const THEMES: Readonly<Record<string, number>> = {
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

const numbers = Object.values(THEMES);
const Theme = z.union([
  z.enum(Object.keys(THEMES) as [string, ...string[]]),
  z.number().refine((number) => numbers.includes(number), `must be one of ${numbers.join(", ")}`),
]);

export const D2Options = CommonOptions.extend({
  theme: Theme.optional(),
  darkTheme: Theme.optional(),
  layout: z.enum(["dagre", "elk"]).optional(),
  sketch: z.boolean().optional(),
});

export type D2Options = z.infer<typeof D2Options>;

export function themeNumber(theme: string | number): number {
  return typeof theme === "number" ? theme : (THEMES[theme] ?? 0);
}
