// What bounds a renderer process, in the service and in the library.

import { resolve } from "node:path";
import { STDLIB_VARIABLE } from "./plantuml/library.ts";
import { FONTS_VARIABLE } from "./text/fonts.ts";

// Mermaid with ELK takes 350 MiB after some hundred drawings, D2 as much again; a picture of 16 M pixels 300.
export const MEMORY_MB = 1_536;
export const WORN_OUT = { afterJobs: 500, aboveMb: 900 };

/**
 * For a renderer that lives for 500 drawings Bun's last compiler does not pay: its threads took a third of the processor time, and
 * without it two clients had 20 drawings a second instead of 15, one client the same. Other runtimes do not read this.
 */
export const EARLY_COMPILERS_ONLY = { BUN_JSC_useFTLJIT: "false" };

/** What a renderer reads beside its packages. */
export interface RendererFolders {
  /** Of added fonts. */
  readonly fonts?: string | undefined;
  /** Of PlantUML's standard library. */
  readonly plantumlStdlib?: string | undefined;
}

/** The environment of a renderer, with its folders. */
export function rendererEnv({ fonts, plantumlStdlib }: RendererFolders): Record<string, string> {
  return {
    ...EARLY_COMPILERS_ONLY,
    ...(fonts !== undefined && { [FONTS_VARIABLE]: resolve(fonts) }),
    ...(plantumlStdlib !== undefined && { [STDLIB_VARIABLE]: resolve(plantumlStdlib) }),
  };
}
