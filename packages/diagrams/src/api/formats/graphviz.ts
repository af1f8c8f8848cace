import { GraphvizOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const graphviz = {
  title: "Graphviz",
  endings: [".dot", ".gv"],
  krokiTypes: ["graphviz", "dot"],
  packages: ["@viz-js/viz"],
  options: GraphvizOptions,
} as const satisfies FormatEntry;
