import { getDomain } from "tldts";
import type { Answer, Brand, Finding } from "../../../api/site-shapes.ts";
import { clip } from "../page/clean.ts";
import { brandMatcher, type Matcher, type Mention } from "./matcher.ts";

export const OWN = "own";

export interface Watched {
  id: string;
  brand: Brand;
  matches: Matcher;
}

/** The site's own brand and its rivals, each with its matcher. */
export function watchedBrands(own: Brand, rivals: readonly Brand[]): Watched[] {
  return [{ id: OWN, brand: own }, ...rivals.map((brand) => ({ id: brand.name, brand }))].map((each) => ({
    ...each,
    matches: brandMatcher(each.brand),
  }));
}

/** Who an answer names, in which order, and whose pages it points to. Pure: the same answer, the same finding. */
export function findingOf(answer: Answer, watched: readonly Watched[]): Finding {
  const { text } = answer;
  const all = watched.map(({ id, matches }) => ({ id, mentions: matches(text) }));
  const order = all
    .filter(({ mentions }) => mentions.length > 0)
    .sort((a, b) => (a.mentions[0]?.start ?? 0) - (b.mentions[0]?.start ?? 0))
    .map(({ id }) => id);
  return {
    callKey: answer.callKey,
    brands: all.map(({ id, mentions }) => ({
      id,
      mentioned: mentions.length > 0,
      count: mentions.length,
      position: mentions.length > 0 ? order.indexOf(id) + 1 : null,
      kind: kindOf(text, mentions),
      quotes: mentions.slice(0, 2).map((mention) => sentenceAround(text, mention)),
    })),
    citations: citationsOf(answer, watched),
  };
}

function kindOf(text: string, mentions: readonly Mention[]): "listed" | "passing" | null {
  if (mentions.length === 0) return null;
  const listed = mentions.some(({ start }) => {
    const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
    return /^[\s>]*(?:[-*•]|\d{1,3}[.)]|#{1,6}|\|)?[\s*_]*$/u.test(line) && line.trim() !== "";
  });
  return listed ? "listed" : "passing";
}

function sentenceAround(text: string, { start, end }: Mention): string {
  const before = Math.max(
    ...[". ", "! ", "? ", "\n", "。"].map((sign) => text.lastIndexOf(sign, start - 1) + (sign.length > 1 ? 1 : 0)),
    -1,
  );
  const ends = [". ", "! ", "? ", "\n", "。"].map((sign) => text.indexOf(sign, end)).filter((at) => at >= 0);
  const after = Math.min(...ends, text.length);
  return clip(
    text
      .slice(before + 1, after + 1)
      .replaceAll(/[\s*_#>|]+/g, " ")
      .trim(),
    300,
  );
}

const ADDRESS = /https?:\/\/[^\s<>"'`()[\]{}|\\^]{1,500}/giu;

function citationsOf(answer: Answer, watched: readonly Watched[]): Finding["citations"] {
  const urls = new Set(
    [...answer.sources, ...(answer.text.match(ADDRESS) ?? [])].map((url) => url.replace(/[.,;:!?]+$/, "")),
  );
  return [...urls].slice(0, 50).flatMap((url) => {
    if (!URL.canParse(url)) return [];
    const host = new URL(url).hostname;
    const domain = getDomain(host) ?? host;
    const owner = watched.find(({ brand }) => brand.domains.some((each) => (getDomain(each) ?? each) === domain));
    return [
      {
        url: url.slice(0, 500),
        domain,
        class: owner === undefined ? ("other" as const) : owner.id === OWN ? ("own" as const) : ("rival" as const),
      },
    ];
  });
}
