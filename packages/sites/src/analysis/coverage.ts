// The extractive analyst: no model, no network. It says of each question whether the site's own text answers it, and
// shows the passage. Deterministic; what it finds is likely, and the report says so.

import type { Coverage } from "../api/report.ts";
import type { Brand, Prompt } from "../api/shapes.ts";
import { clip } from "../page/clean.ts";
import { type CoverageQuestion, FIRST_PERSON, KINDS, WHO_ASKS } from "./coverage-words.ts";
import { brandMatcher } from "./matcher.ts";
import type { SitePassage } from "./passages.ts";
import { termsOf, topicTerms } from "./terms.ts";

export const ANALYST = "rules@1";

interface IndexedPassage {
  passage: SitePassage;
  terms: Map<string, number>;
  headTerms: Set<string>;
  length: number;
}

/** What the analyst knows of the site beside its text. */
export interface SiteFacts {
  lang: string;
  brand: Brand;
  keyphrases: readonly string[];
}

export function coverageOf(prompts: readonly Prompt[], passages: readonly SitePassage[], about: SiteFacts): Coverage[] {
  const index = indexOf(passages, about.lang);
  const names = brandMatcher(about.brand);
  const own = new Set(termsOf([about.brand.name, ...about.brand.aliases].join(" "), about.lang));
  const offer = about.keyphrases.slice(0, 6).map((phrase) => termsOf(phrase, about.lang));
  const site: Site = {
    own,
    speaksOfItself: once((text) => names(text).length > 0 || FIRST_PERSON.test(text)),
    speaksOfOffer: once((text) => {
      const terms = new Set(termsOf(text, about.lang));
      return offer.some((phrase) => phrase.length > 0 && phrase.every((term) => terms.has(term)));
    }),
  };
  return prompts.map((prompt) => covered(prompt, index, about.lang, site));
}

/** Every question is held against every passage; what a passage says is the same for all of them. */
function once(judge: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const verdict = known.get(text) ?? judge(text);
    known.set(text, verdict);
    return verdict;
  };
}

interface Site {
  own: ReadonlySet<string>;
  speaksOfItself: (text: string) => boolean;
  speaksOfOffer: (text: string) => boolean;
}

interface Index {
  all: IndexedPassage[];
  idf: (term: string) => number;
  meanLength: number;
}

function indexOf(passages: readonly SitePassage[], lang: string): Index {
  const all = passages.map((passage) => {
    const terms = new Map<string, number>();
    for (const term of termsOf(passage.text, lang)) terms.set(term, (terms.get(term) ?? 0) + 1);
    return { passage, terms, headTerms: new Set(termsOf(passage.heading, lang)), length: terms.size };
  });
  const counts = new Map<string, number>();
  for (const { terms, headTerms } of all) {
    for (const term of new Set([...terms.keys(), ...headTerms])) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const idf = (term: string) => Math.log(1 + (all.length + 1) / ((counts.get(term) ?? 0) + 0.5));
  const meanLength = all.reduce((sum, { length }) => sum + length, 0) / (all.length || 1);
  return { all, idf, meanLength };
}

interface PassageHit {
  passage: SitePassage;
  /** Share of the question's meaning that is in the passage and its heading. */
  share: number;
  score: number;
  fits: boolean;
}

function covered(prompt: Prompt, index: Index, lang: string, site: Site): Coverage {
  const all = topicTerms(prompt.text, lang);
  // A site seldom says its own name in every sentence: what else is asked decides, where there is anything else.
  const others = all.filter((term) => !site.own.has(term));
  const terms = others.length > 0 ? others : all;
  const asks = askedFor(prompt.text, site, others.length === 0);
  if (terms.length === 0) return notFound(prompt, "The question has no topic.");
  const hits = index.all
    .map((each) => hit(each, terms, asks, index))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.score - a.score);
  const best = hits.find(({ fits, share }) => fits && share >= ANSWERED) ?? hits[0];
  if (!best || best.share < PARTLY) return notFound(prompt, "No passage mentions this.");
  const answered = best.fits && best.share >= ANSWERED;
  return {
    promptId: prompt.id,
    verdict: answered ? "answered" : "partly",
    passage: { url: best.passage.url, quote: clip(best.passage.text, 300) },
    score: Math.round(best.share * 100) / 100,
    why: whyOf(best, asks, answered),
  };
}

const ANSWERED = 0.8;
const PARTLY = 0.5;

function hit(
  { passage, terms, headTerms, length }: IndexedPassage,
  wanted: string[],
  asks: CoverageQuestion | undefined,
  index: Index,
): PassageHit {
  let have = 0;
  let all = 0;
  let score = 0;
  for (const term of wanted) {
    const weight = index.idf(term);
    all += weight;
    const times = terms.get(term) ?? 0;
    if (times > 0 || headTerms.has(term)) have += weight;
    const tf = times + (headTerms.has(term) ? 1 : 0);
    // BM25: a word said often counts more, a long passage less.
    score += (weight * tf * 2.2) / (tf + 1.2 * (0.25 + 0.75 * (length / (index.meanLength || 1))) || 1);
  }
  const fits = asks === undefined || asks.found(passage.text);
  return { passage, share: all === 0 ? 0 : have / all, score: score * (fits ? 1.5 : 1), fits };
}

/** What kind of thing an answer has to contain. */
function askedFor(question: string, site: Site, onlyOwnName: boolean): CoverageQuestion | undefined {
  const asked = KINDS.find(({ asks }) => asks.test(question));
  if (asked) return asked;
  if (onlyOwnName) return { what: "what is offered", found: site.speaksOfOffer };
  if (WHO_ASKS.test(question)) return { what: "who offers it", found: site.speaksOfItself };
  return undefined;
}

function whyOf(best: PassageHit, asks: CoverageQuestion | undefined, answered: boolean): string {
  if (answered) return asks ? `A passage mentions it and gives ${asks.what}.` : "A passage mentions it.";
  return best.fits
    ? "A passage mentions a part of it."
    : `A passage mentions it but does not give ${asks?.what ?? "an answer"}.`;
}

function notFound(prompt: Prompt, why: string): Coverage {
  return { promptId: prompt.id, verdict: "not found", score: 0, why };
}
