import { z } from "zod";
import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const PlantUmlOptions = CommonOptions.extend({
  theme: z
    .string()
    .regex(/^[\w-]{1,60}$/, "must be the name of a theme")
    .optional()
    .meta({ description: "A theme of PlantUML, such as `plain` or `cerulean`. Default: its own." }),
}).meta({ id: "PlantUmlOptions" });
/** How to draw a PlantUML diagram. */
export type PlantUmlOptions = z.infer<typeof PlantUmlOptions>;

export const plantuml = {
  title: "PlantUML",
  endings: [".puml", ".plantuml", ".pu", ".iuml"],
  krokiTypes: ["plantuml", "c4plantuml", "puml"],
  packages: ["@plantuml/core"],
  isOptional: true,
  options: PlantUmlOptions,
} as const satisfies FormatEntry;
