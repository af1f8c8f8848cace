// A page as a stream of tags: no tree is built, so what a hostile page costs is bounded by its size. A tree of 20,000
// nested tags kept linkedom with Readability busy for two minutes; here reading stops at the 2,000th.

import { setImmediate as nextTurn } from "node:timers/promises";
import { Parser } from "htmlparser2";
import type { PageContent } from "./page.ts";
import { PageReader, ReadingStopped } from "./reader.ts";

const CHUNK_CHARS = 16_384;
/** Other jobs share this loop. */
const YIELD_AFTER_MS = 20;

export interface ExtractLimits {
  readonly maxDepth: number;
  readonly maxTags: number;
  readonly maxTextChars: number;
  readonly maxMs: number;
}

export const EXTRACT_LIMITS: ExtractLimits = { maxDepth: 2_000, maxTags: 200_000, maxTextChars: 400_000, maxMs: 1_500 };

export async function extractPage(html: string, limits: Partial<ExtractLimits> = {}): Promise<PageContent> {
  const bounds = { ...EXTRACT_LIMITS, ...limits };
  const reader = new PageReader(bounds);
  const parser = new Parser(reader, { decodeEntities: true, lowerCaseTags: true });
  let spentMs = 0;
  let turnAt = performance.now();
  for (let at = 0; at < html.length; at += CHUNK_CHARS) {
    const startedAt = performance.now();
    try {
      parser.write(html.slice(at, at + CHUNK_CHARS));
    } catch (error) {
      if (error instanceof ReadingStopped) return reader.content(error.why);
      throw error;
    }
    const now = performance.now();
    spentMs += now - startedAt;
    if (spentMs > bounds.maxMs) return reader.content("time");
    if (now - turnAt > YIELD_AFTER_MS) {
      await nextTurn();
      turnAt = performance.now();
    }
  }
  try {
    parser.end();
  } catch (error) {
    if (error instanceof ReadingStopped) return reader.content(error.why);
    throw error;
  }
  return reader.content();
}
