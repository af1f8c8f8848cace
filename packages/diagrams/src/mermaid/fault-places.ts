// Faults that Mermaid tells without a place, or as an error of JavaScript: looked up in the source.

import type { Fault } from "../engine.ts";

interface LostFault {
  /** What Mermaid, or the runtime, says. Group 1 may be the text to look for. */
  readonly said: RegExp;
  /** The line it is about. Group 1, where there is one, is where the caret stands. */
  readonly line: (found: string) => RegExp;
  /** Default: what Mermaid says. */
  readonly message?: string;
}

const LOST: readonly LostFault[] = [
  {
    said: /edges\[pos\]|setting 'style'|index \d+ for linkStyle is out of bounds/,
    line: () => /^\s*(linkStyle)\b/,
    message: "linkStyle names a link that the diagram does not have. Links are counted from 0.",
  },
  {
    said: /_id\.text|reading 'text'/,
    line: () => /^\s*(subgraph)\s*;?\s*$/,
    message: "A subgraph needs a name, such as: subgraph one.",
  },
  { said: /^No such shape: (.+?)\.?$/, line: (shape) => new RegExp(`\\bshape:\\s*(${escaped(shape)})\\b`) },
  { said: /^Trying to checkout branch/, line: () => /^\s*(?:checkout|switch)\s+(\S+)/ },
  {
    said: /^Diagrams beginning with ---/,
    line: () => /^\s*(---)/,
    message: "The front matter is not closed. Put a line with --- after it.",
  },
];

/** Undefined where no line of the source looks like it: other faults can have the same words. */
export function lookedUp(said: string, source: string): Fault | undefined {
  for (const { said: pattern, line: lineOf, message } of LOST) {
    const match = pattern.exec(said);
    if (match === null) continue;
    const wanted = lineOf(match[1] ?? "");
    // Branches and links are made before they are used, so the last line that looks so is the likely one.
    const lines = source.split("\n");
    const at = lines.findLastIndex((line) => wanted.test(line));
    if (at === -1) continue;
    const [whole = "", part = ""] = wanted.exec(lines[at] ?? "") ?? [];
    const column = (lines[at] ?? "").indexOf(whole) + whole.lastIndexOf(part) + 1;
    return { message: message ?? `${said.replace(/\.$/, "")}.`, line: at + 1, column };
  }
  return undefined;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
