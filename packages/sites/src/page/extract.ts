// A page as a stream of tags. Only elements that hold text are remembered, so what a hostile page costs is bounded by its size.
// A tree of 20,000 nested tags kept linkedom with Readability busy for two minutes; here reading stops at the 512th, as in
// browsers. The parser looks through all open tags at every end tag, so that bound also keeps reading linear.

import { Parser } from "htmlparser2";
import type { Layout } from "./main/main-blocks.ts";
import type { PageContent } from "./page.ts";
import { PageReader, ReadingStopped } from "./reader.ts";

const CHUNK_CHARS = 16_384;

export interface ExtractLimits {
  readonly maxDepth: number;
  readonly maxTags: number;
  readonly maxTextChars: number;
  readonly maxMs: number;
  /** Default: the page itself decides whether it is one article or many sections. */
  readonly layout?: Layout;
}

export const EXTRACT_LIMITS: ExtractLimits = { maxDepth: 512, maxTags: 200_000, maxTextChars: 400_000, maxMs: 1_500 };

/** Runs on the reading thread: it may take as long as `maxMs`. */
export function extractPage(html: string, limits: Partial<ExtractLimits> = {}): PageContent {
  const bounds = { ...EXTRACT_LIMITS, ...limits };
  const reader = new PageReader(bounds);
  const parser = new Parser(reader, { decodeEntities: true, lowerCaseTags: true });
  const until = performance.now() + bounds.maxMs;
  try {
    for (let at = 0; at < html.length; at += CHUNK_CHARS) {
      parser.write(html.slice(at, at + CHUNK_CHARS));
      if (performance.now() > until) return reader.content("time");
    }
    parser.end();
  } catch (error) {
    if (error instanceof ReadingStopped) return reader.content(error.why);
    throw error;
  }
  return reader.content();
}
