// The order in which the parts of a line are read off the page: Unicode's bidirectional algorithm, as SVG applies it to a line
// whose direction is from left to right.

import { createRequire } from "node:module";

interface Bidi {
  getEmbeddingLevels(text: string, direction: "ltr" | "rtl"): { readonly levels: Uint8Array };
}

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

let bidi: Bidi | undefined;

/** By UTF-16 unit: odd for text that runs from right to left. */
export function levelsOf(text: string, direction: "ltr" | "rtl"): Uint8Array {
  if (direction === "ltr" && !RIGHT_TO_LEFT.test(text)) return new Uint8Array(text.length);
  // Its types are those of another kind of module.
  bidi ??= (createRequire(import.meta.url)("bidi-js") as () => Bidi)();
  return bidi.getEmbeddingLevels(text, direction).levels;
}

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** Parts of one level each, as they are written, in the order in which they stand from left to right. */
export function inVisualOrder<Part extends { readonly level: number }>(parts: readonly Part[]): Part[] {
  const ordered = [...parts];
  const highest = ordered.reduce((most, { level }) => Math.max(most, level), 0);
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      if ((ordered[from]?.level ?? 0) < level) continue;
      let to = from;
      while (to < ordered.length && (ordered[to]?.level ?? 0) >= level) to++;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  }
  return ordered;
}
