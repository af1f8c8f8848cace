import type { KeptPage } from "../crawl/page.ts";

/** A piece of the site's text that could answer a question. */
export interface SitePassage {
  url: string;
  heading: string;
  text: string;
}

// Stage outputs go up to 1 MiB; the profile and the prompts need room beside the text.
const MAX_BYTES = 500_000;

/** The site's own text, each piece once, the most telling pages first. */
export function passagesOf(pages: readonly KeptPage[]): SitePassage[] {
  const seen = new Set<string>();
  let room = MAX_BYTES;
  const kept: SitePassage[] = [];
  for (const page of pages) {
    for (const { text, heading, aside } of page.passages) {
      if (aside || text.length < 15 || seen.has(text)) continue;
      seen.add(text);
      room -= Buffer.byteLength(text) + Buffer.byteLength(heading) + page.url.length + 50;
      if (room < 0) return kept;
      kept.push({ url: page.url, heading, text });
    }
  }
  return kept;
}
