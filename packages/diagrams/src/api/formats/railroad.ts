import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const railroad = {
  title: "Railroad",
  endings: [".ebnf"],
  krokiTypes: ["railroad"],
  packages: ["railroad-diagrams"],
  krokiGround: "transparent",
  options: CommonOptions,
  fences: ["railroad", "ebnf"],
} as const satisfies FormatEntry;
