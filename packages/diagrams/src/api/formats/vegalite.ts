import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const vegalite = {
  title: "Vega-Lite",
  endings: [".vl.json"],
  krokiTypes: ["vegalite", "vega-lite"],
  packages: ["vega", "vega-lite"],
  krokiGround: "transparent",
  options: CommonOptions,
  isOptional: true,
} as const satisfies FormatEntry;
