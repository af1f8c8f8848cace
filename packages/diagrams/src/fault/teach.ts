// What an author needs beside the sentence of an engine: the line, where in it, and what to write instead.

import type { Format } from "../api/formats.ts";
import type { Fault } from "../engine.ts";
import { normalised } from "../normalised.ts";
import { d2Advice } from "./d2.ts";
import { excerptOf } from "./excerpt.ts";
import { graphvizAdvice } from "./graphviz.ts";
import { mermaidAdvice } from "./mermaid.ts";

export interface FaultAdvice {
  /** The line of the fault with a caret below it. */
  readonly excerpt?: string;
  /** One sentence: the likely cause, or what to write instead. */
  readonly advice?: string;
}

/** A fault as an engine told it. */
export interface FaultyLine extends Fault {
  readonly source: string;
  /** The text of the line; empty where the line is not known. */
  readonly text: string;
}

const ADVICE: Readonly<Partial<Record<Format, (fault: FaultyLine) => string | undefined>>> = {
  mermaid: mermaidAdvice,
  d2: d2Advice,
  graphviz: graphvizAdvice,
};

export function teach(format: Format, rawSource: string, fault: Fault): FaultAdvice {
  const source = normalised(rawSource);
  const { line, column } = fault;
  const text = line === undefined ? "" : (source.split("\n")[line - 1] ?? "");
  const excerpt = line === undefined ? undefined : excerptOf(source, line, column);
  const advice = ADVICE[format]?.({ ...fault, source, text });
  return { ...(excerpt !== undefined && { excerpt }), ...(advice !== undefined && { advice }) };
}
