// Texts of a page, and what was found in them.

import type { EvidencedText } from "../api/shapes.ts";
import type { KeptPage } from "../crawl/page.ts";
import { clip } from "../page/clean.ts";

/** Headings of the main text. */
export function headingsOf(page: KeptPage): string[] {
  return page.headings.filter(({ aside }) => !aside).map(({ text }) => text);
}

export function bodyOf(page: KeptPage): string[] {
  return page.passages.filter(({ aside }) => !aside).map(({ text }) => text);
}

export function found(page: KeptPage, text: string, quote: string): EvidencedText {
  return { text: clip(text, 120), evidence: { url: page.url, quote: clip(quote, 300) } };
}

export function distinct(all: readonly EvidencedText[]): EvidencedText[] {
  const seen = new Set<string>();
  return all.filter(({ text }) => {
    const key = text.toLowerCase();
    if (text === "" || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
