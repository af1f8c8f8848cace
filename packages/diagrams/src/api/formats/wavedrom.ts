import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const wavedrom = {
  title: "WaveDrom",
  endings: [".wavedrom.json", ".wavedrom"],
  krokiTypes: ["wavedrom"],
  packages: ["wavedrom"],
  options: CommonOptions,
} as const satisfies FormatEntry;
