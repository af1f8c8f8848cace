// A heading as its parts: the offer, those it is for and its place. "Cargo bikes for families in Leeds" has all three.

import type { Grammar } from "./grammar.ts";

export interface HeadingParts {
  readonly what: string[];
  readonly who: string[];
  readonly where: string[];
}

const SEPARATORS = /[|–—·»«:;,.!?()[\]{}/\\"“”„…•→✓&+*¡¿，。、！？（）「」『』【】؛،؟]+|\s[-~]\s|\d+/u;

export function partsOfHeading(text: string, grammar: Grammar): HeadingParts {
  const parts: HeadingParts = { what: [], who: [], where: [] };
  for (const segment of text.split(SEPARATORS)) {
    for (const part of splitAtPrepositions(segment.trim().split(/\s+/).filter(Boolean), grammar)) {
      if (part.words.length > 0 && part.role !== "beside") parts[part.role].push(part.words.join(" "));
    }
  }
  return parts;
}

interface Part {
  role: "what" | "who" | "where" | "beside";
  words: string[];
}

function splitAtPrepositions(words: readonly string[], grammar: Grammar): Part[] {
  const parts: Part[] = [];
  let part: Part = { role: "what", words: [] };
  const begin = (role: Part["role"]) => {
    parts.push(part);
    part = { role, words: [] };
  };
  for (const [i, raw] of words.entries()) {
    const word = raw.toLowerCase();
    const next = words[i + 1] ?? "";
    if (grammar.joins.has(word) && part.words.length > 0 && next !== "" && !grammar.isSmall(next.toLowerCase())) {
      part.words.push(raw);
    } else if (grammar.forWhom.has(word)) begin("who");
    else if (grammar.where.has(word) && /^\p{Lu}|^\p{Lo}/u.test(next)) begin("where");
    else if (grammar.beside.has(word)) begin("beside");
    else if (grammar.isSmall(word)) {
      if (part.role === "beside") continue;
      if (part.words.length > 0 || part.role !== "what") begin("what");
    } else part.words.push(raw);
  }
  parts.push(part);
  return parts;
}
