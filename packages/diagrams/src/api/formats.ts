// Every language of diagrams, one line each.

import type { z } from "zod";
import { bpmn } from "./formats/bpmn.ts";
import { bytefield } from "./formats/bytefield.ts";
import { d2 } from "./formats/d2.ts";
import { dbml } from "./formats/dbml.ts";
import type { FormatEntry } from "./formats/entry.ts";
import { graphviz } from "./formats/graphviz.ts";
import { mermaid } from "./formats/mermaid.ts";
import { nomnoml } from "./formats/nomnoml.ts";
import { pikchr } from "./formats/pikchr.ts";
import { plantuml } from "./formats/plantuml.ts";
import { railroad } from "./formats/railroad.ts";
import { statemachinecat } from "./formats/statemachinecat.ts";
import { svgbob } from "./formats/svgbob.ts";
import { vega } from "./formats/vega.ts";
import { vegalite } from "./formats/vegalite.ts";
import { wavedrom } from "./formats/wavedrom.ts";

export const FORMAT_TABLE = {
  /** Options of Mermaid. */
  mermaid,
  /** Options of D2. */
  d2,
  /** Options of Graphviz. */
  graphviz,
  /** Options of PlantUML. */
  plantuml,
  /** Options of Vega. */
  vega,
  /** Options of Vega-Lite. */
  vegalite,
  /** Options of nomnoml. */
  nomnoml,
  /** Options of WaveDrom. */
  wavedrom,
  /** Options of Pikchr. */
  pikchr,
  /** Options of Svgbob. */
  svgbob,
  /** Options of Bytefield. */
  bytefield,
  /** Options of DBML. */
  dbml,
  /** Options of BPMN. */
  bpmn,
  /** Options of State machine cat. */
  statemachinecat,
  /** Options of railroad diagrams. */
  railroad,
} as const satisfies Readonly<Record<string, FormatEntry>>;

/** A language of diagrams. */
export type Format = keyof typeof FORMAT_TABLE;

/** The options of each format. */
export type OptionsByFormat = { [F in keyof typeof FORMAT_TABLE]: z.infer<(typeof FORMAT_TABLE)[F]["options"]> };

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
