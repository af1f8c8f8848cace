// What bounds a renderer process, in the service and in the library.

import { resolve } from "node:path";
import { FONTS_VARIABLE } from "./text/fonts.ts";

// Mermaid with ELK takes 350 MiB after some hundred drawings, D2 as much again; a picture of 16 M pixels 300.
export const MEMORY_MB = 1_536;
export const WORN_OUT = { afterJobs: 500, aboveMb: 900 };

/**
 * For a renderer that lives for 500 drawings Bun's last compiler does not pay: its threads took a third of the processor time, and
 * without it two clients had 20 drawings a second instead of 15, one client the same. Other runtimes do not read this.
 */
export const EARLY_COMPILERS_ONLY = { BUN_JSC_useFTLJIT: "false" };

/** The environment of a renderer, with the folder of added fonts. */
export function rendererEnv(fonts: string | undefined): Record<string, string> {
  return { ...EARLY_COMPILERS_ONLY, ...(fonts !== undefined && { [FONTS_VARIABLE]: resolve(fonts) }) };
}
