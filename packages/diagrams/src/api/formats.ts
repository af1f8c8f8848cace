// Every language of diagrams, one line each.

import type { z } from "zod";
import { d2 } from "./formats/d2.ts";
import type { FormatEntry } from "./formats/entry.ts";
import { graphviz } from "./formats/graphviz.ts";
import { mermaid } from "./formats/mermaid.ts";

export const FORMAT_TABLE = { mermaid, d2, graphviz } as const satisfies Readonly<Record<string, FormatEntry>>;

/** A language of diagrams. */
export type Format = keyof typeof FORMAT_TABLE;

/** The options of each format. */
export type OptionsByFormat = { [F in Format]: z.infer<(typeof FORMAT_TABLE)[F]["options"]> };

export const FORMATS = Object.keys(FORMAT_TABLE) as [Format, ...Format[]];

/** For sentences: `mermaid, d2 or graphviz`. */
export const FORMAT_LIST = `${FORMATS.slice(0, -1).join(", ")} or ${FORMATS.at(-1)}`;

export function entryOf(format: Format): FormatEntry {
  return FORMAT_TABLE[format];
}

const NAMES: ReadonlyMap<string, Format> = new Map(
  FORMATS.flatMap((format) => [format, ...entryOf(format).krokiTypes].map((name) => [name, format] as const)),
);

/** Every name and alias of a format. */
export const FORMAT_NAMES: readonly string[] = [...NAMES.keys()];

/** By its name or an alias, in any case of letters. */
export function formatNamed(name: string): Format | undefined {
  return NAMES.get(name.toLowerCase());
}

const ENDINGS: readonly (readonly [string, Format])[] = FORMATS.flatMap((format) =>
  entryOf(format).endings.map((ending) => [ending, format] as const),
).sort(([a], [b]) => b.length - a.length);

/** By the ending of a file, which comes along. */
export function formatOfFile(file: string): { readonly format: Format; readonly ending: string } | undefined {
  const name = file.toLowerCase();
  const found = ENDINGS.find(([ending]) => name.endsWith(ending) && name.length > ending.length);
  return found && { format: found[1], ending: found[0] };
}
