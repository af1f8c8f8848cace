import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const nomnoml = {
  title: "nomnoml",
  endings: [".nomnoml"],
  krokiTypes: ["nomnoml"],
  packages: ["nomnoml"],
  krokiGround: "transparent",
  options: CommonOptions,
} as const satisfies FormatEntry;
