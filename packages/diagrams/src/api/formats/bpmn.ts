import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const bpmn = {
  title: "BPMN",
  endings: [".bpmn"],
  krokiTypes: ["bpmn"],
  packages: ["bpmn-moddle", "bpmn-auto-layout"],
  krokiGround: "transparent",
  options: CommonOptions,
} as const satisfies FormatEntry;
