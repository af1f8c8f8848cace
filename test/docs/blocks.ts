import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/program.ts";

export interface Block {
  readonly language: string;
  readonly code: string;
}

/** The code blocks of a document between one heading and the next, in order. */
export function blocksUnder(document: string, heading: string): Block[] {
  const text = readFileSync(join(root, document), "utf8");
  const start = text.indexOf(`\n${heading}\n`);
  if (start < 0 && !text.startsWith(`${heading}\n`)) throw new Error(`${document} has no "${heading}"`);
  const rest = text.slice(start + heading.length + 1);
  const end = rest.search(/\n##? /);
  const section = end < 0 ? rest : rest.slice(0, end);
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", code = ""]) => ({
    language,
    code,
  }));
}
