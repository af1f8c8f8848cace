import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const vega = {
  title: "Vega",
  endings: [".vg.json", ".vega.json"],
  krokiTypes: ["vega"],
  packages: ["vega"],
  krokiGround: "transparent",
  options: CommonOptions,
  isOptional: true,
} as const satisfies FormatEntry;
