import type { EvidencedText } from "../api/shapes.ts";
import type { KeptPage } from "../crawl/page.ts";
import { clip } from "../page/clean.ts";
import { isQuestion } from "./questions.ts";
import { EVERYDAY, stopWordsOf } from "./stop-words.ts";

interface ScoredPhrase {
  shown: string;
  score: number;
  times: number;
  pages: Set<string>;
  evidence: EvidencedText["evidence"];
}

/** What the site speaks of: phrases of its titles and headings, and those its text repeats, weighed by where they stand. */
export function keyphrasesOf(pages: readonly KeptPage[], lang: string, names: readonly string[]): EvidencedText[] {
  const found = new Map<string, ScoredPhrase>();
  const proper = new Set<string>();
  const own = names.filter(Boolean).map((name) => new RegExp(escaped(name), "giu"));
  const unnamed = (text: string) => own.reduce((left, name) => left.replace(name, " . "), text);
  for (const page of pages) {
    for (const { text, weight, isBody } of textsOf(page)) {
      for (const phrase of phrasesIn(unnamed(text), lang)) {
        // In running text a lone word is most often a verb; German and Japanese nouns show themselves.
        if (isBody && !phrase.includes(" ") && !looksLikeNoun(phrase, lang)) continue;
        if (lang === "de" && !endsInNoun(phrase)) continue;
        // Capitals in running text are a person's or a place's.
        if (isBody && lang !== "de" && isProperName(phrase)) proper.add(phrase.toLowerCase());
        note(found, phrase.toLowerCase(), phrase, { weight, url: page.url, quote: clip(text, 300) });
      }
    }
  }
  return best(
    [...found.entries()].filter(([key]) => !proper.has(key)),
    pages.length,
  );
}

function textsOf(page: KeptPage): { text: string; weight: number; isBody: boolean }[] {
  const heads = page.headings.filter(({ text, aside }) => !aside && !isQuestion(text));
  return [
    // A title is most often "Page | Brand": the parts count alone.
    ...page.title.split(/\s[|–—·:-]\s/).map((text) => ({ text, weight: 4, isBody: false })),
    ...heads.map(({ level, text }) => ({ text, weight: level === 1 ? 5 : level === 2 ? 3 : 2, isBody: false })),
    { text: page.description, weight: 3, isBody: true },
    ...page.passages.filter(({ aside }) => !aside).map(({ text }) => ({ text, weight: 1, isBody: true })),
  ];
}

function looksLikeNoun(word: string, lang: string): boolean {
  return UNSPACED.test(lang) || (lang === "de" && /^\p{Lu}/u.test(word));
}

function endsInNoun(phrase: string): boolean {
  const last = phrase.split(" ").at(-1) ?? "";
  return /^\p{Lu}/u.test(last) && (phrase.includes(" ") || last.length >= 6);
}

function isProperName(phrase: string): boolean {
  const words = phrase.split(" ");
  return words.length > 1 && words.every((word) => /^\p{Lu}\p{Ll}/u.test(word));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const UNSPACED = /^(?:ja|zh)$/;

function phrasesIn(text: string, lang: string): string[] {
  if (UNSPACED.test(lang)) {
    const runs = text.match(/[\p{Script=Han}\p{Script=Katakana}ー]{2,12}/gu) ?? [];
    return runs.map((run) => run.replace(/向$/u, "")).filter((run) => run.length > 1 && !EVERYDAY.has(run));
  }
  const stops = stopWordsOf(lang);
  const phrases: string[] = [];
  for (const part of text.split(/[^\p{L}\p{N}\s'’-]+/u)) {
    let run: string[] = [];
    const end = () => {
      if (run.length <= 4) phrases.push(run.join(" "));
      // Of a long run its ends: verbs stand before their objects, and the tail is most often the thing spoken of.
      else phrases.push(run.slice(-2).join(" "), run.slice(-3).join(" "));
      run = [];
    };
    for (const word of part.split(/\s+/)) {
      const bare = withoutEdges(word);
      const usable = bare.length > 2 && /\p{L}/u.test(bare) && !/^\d/.test(bare) && !stops.has(bare.toLowerCase());
      if (usable) run.push(bare);
      else end();
    }
    end();
  }
  return phrases.filter(
    (phrase) => phrase.length > 2 && phrase.length <= 60 && !EVERYDAY.has(phrase.toLowerCase().replaceAll(" ", "-")),
  );
}

/** Without hyphens and apostrophes at its ends. A pattern would take quadratic time on a long run of them. */
function withoutEdges(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && isEdge(word[start])) start++;
  while (end > start && isEdge(word[end - 1])) end--;
  return word.slice(start, end);
}

function isEdge(char: string | undefined): boolean {
  return char === "-" || char === "'" || char === "’";
}

function note(
  found: Map<string, ScoredPhrase>,
  key: string,
  phrase: string,
  { weight, url, quote }: { weight: number; url: string; quote: string },
): void {
  const known = found.get(key);
  if (!known) {
    if (found.size < 20_000) {
      found.set(key, { shown: phrase, score: weight, times: 1, pages: new Set([url]), evidence: { url, quote } });
    }
    return;
  }
  known.score += weight;
  known.times++;
  known.pages.add(url);
  // Shown as it is written in running text, where it is not a title's capital.
  if (phrase === phrase.toLowerCase()) known.shown = phrase;
}

const MOST = 20;

function best(entries: [string, ScoredPhrase][], pageCount: number): EvidencedText[] {
  const scored = entries
    .filter(([key, { times, score }]) => (times > 1 || score >= 3) && (key.includes(" ") || times > 1))
    .map(([key, each]) => {
      const words = key.split(" ").length;
      // On every page it is likely a menu; on several it is a theme.
      const spread = each.pages.size === pageCount && pageCount > 3 ? 0.7 : 1 + Math.log(each.pages.size);
      const length = words === 1 ? 0.6 : words === 2 ? 1.4 : words === 3 ? 1.3 : 0.8;
      return { key, each, rank: each.score * spread * length };
    })
    .sort((a, b) => b.rank - a.rank || (a.key < b.key ? -1 : 1));
  const kept: typeof scored = [];
  for (const candidate of scored) {
    if (kept.length === MOST) break;
    // The longer phrase says it already.
    if (kept.some(({ key }) => key.includes(candidate.key) || candidate.key.includes(key))) continue;
    kept.push(candidate);
  }
  return kept.map(({ each }) => ({ text: each.shown, evidence: each.evidence }));
}
