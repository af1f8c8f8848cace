import { MermaidOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const mermaid = {
  title: "Mermaid",
  endings: [".mmd", ".mermaid"],
  krokiTypes: ["mermaid"],
  packages: ["mermaid"],
  krokiGround: "transparent",
  options: MermaidOptions,
} as const satisfies FormatEntry;
