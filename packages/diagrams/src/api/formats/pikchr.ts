import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const pikchr = {
  title: "Pikchr",
  endings: [".pikchr"],
  krokiTypes: ["pikchr"],
  packages: ["pikchr-js"],
  krokiGround: "transparent",
  options: CommonOptions,
} as const satisfies FormatEntry;
