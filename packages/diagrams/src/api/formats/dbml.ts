import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const dbml = {
  title: "DBML",
  endings: [".dbml"],
  krokiTypes: ["dbml"],
  packages: ["@dbml/parse", "@viz-js/viz"],
  krokiGround: "transparent",
  options: CommonOptions,
} as const satisfies FormatEntry;
