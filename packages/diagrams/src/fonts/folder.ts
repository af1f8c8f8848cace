// A folder of font files with an index: ours, or one that `millrace fonts add` fills.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FontFile } from "../text/fonts.ts";

export interface FontFolder {
  readonly files: readonly FontFile[];
  /** Names what is in it. */
  readonly version: string;
}

export interface FontIndex {
  readonly version: string;
  readonly fonts: readonly {
    readonly family: string;
    readonly weight: number;
    readonly italic: boolean;
    /** Its name in the folder. */
    readonly file: string;
    readonly covers: string;
  }[];
}

export const INDEX = "index.json";

/** Undefined where there is none. */
export function readFontFolder(folder: string): FontFolder | undefined {
  const index = readIndex(folder);
  if (index === undefined) return undefined;
  const files = index.fonts.map(({ file, ...font }) => ({ ...font, path: join(folder, file) }));
  return { files, version: index.version };
}

export function readIndex(folder: string): FontIndex | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, INDEX), "utf8")) as FontIndex;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}
