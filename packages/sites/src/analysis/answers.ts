import { getDomain } from "tldts";
import type { Answer, AnswerFinding } from "../api/shapes.ts";
import { clip } from "../page/clean.ts";
import { namingOf, sentenceAround } from "./naming.ts";
import { OWN, type WatchedBrand } from "./watched.ts";

/** Who an answer names, in which order, and whose pages it points to. Pure: the same answer, the same finding. */
export function findingOf(answer: Answer, watched: readonly WatchedBrand[]): AnswerFinding {
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
      kind: namingOf(text, mentions),
      quotes: mentions.slice(0, 2).map((mention) => clip(sentenceAround(text, mention), 300)),
    })),
    citations: citationsOf(answer, watched),
  };
}

const ADDRESS = /https?:\/\/[^\s<>"'`()[\]{}|\\^]{1,500}/giu;

function citationsOf(answer: Answer, watched: readonly WatchedBrand[]): AnswerFinding["citations"] {
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
