import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const bytefield = {
  title: "Bytefield",
  endings: [".edn"],
  krokiTypes: ["bytefield"],
  packages: ["bytefield-svg"],
  krokiGround: "transparent",
  options: CommonOptions,
  fences: ["bytefield"],
} as const satisfies FormatEntry;
