import { D2Options } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const d2 = {
  title: "D2",
  endings: [".d2"],
  krokiTypes: ["d2"],
  packages: ["@terrastruct/d2"],
  options: D2Options,
} as const satisfies FormatEntry;
