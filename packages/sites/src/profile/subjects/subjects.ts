// What a site offers, as noun phrases that a question can be asked about. A phrase needs two witnesses: a title and the
// text, say. So a slogan, a person or the heading of an article does not become an offer. Few and good
// ones are kept.

import { termsOf } from "../../analysis/terms.ts";
import type { EvidencedText } from "../../api/shapes.ts";
import type { KeptPage } from "../../crawl/page.ts";
import { clip } from "../../page/clean.ts";
import { type Grammar, grammarOf } from "./grammar.ts";
import { partsOfHeading } from "./parse.ts";
import { type SourceText, sourcesOf, type Witness } from "./sources.ts";
import { runsOf } from "./unspaced.ts";

export interface SiteSubjects {
  readonly what: EvidencedText[];
  readonly who: EvidencedText[];
  readonly where: EvidencedText[];
}

const MOST_SUBJECTS = 5;
const LEAST_RANK = 4;

const WEIGHTS: Readonly<Record<Witness, number>> = {
  data: 4,
  title: 3.5,
  heading: 3.5,
  page: 2.5,
  section: 1.5,
  description: 2,
  text: 1,
};

/** Phrases are taken from these; the other texts only bear witness. */
const NAMES_OFFERS: ReadonlySet<Witness> = new Set(["data", "title", "heading", "page", "section", "description"]);

export function subjectsOf(
  pages: readonly KeptPage[],
  lang: string,
  { names, places }: { names: readonly string[]; places: readonly EvidencedText[] },
): SiteSubjects {
  const grammar = grammarOf(lang);
  const sources = withoutNames(sourcesOf(pages), names);
  const isUnspaced = lang === "ja" || lang === "zh";
  const taken = new Map<string, FoundPart>();
  const who: FoundPart[] = [];
  const where: FoundPart[] = [];
  const wholes = new Set<string>();
  for (const source of sources.filter(({ witness }) => NAMES_OFFERS.has(witness))) {
    const parts = isUnspaced
      ? { what: runsOf(source.text, lang), who: [], where: [] }
      : partsOfHeading(source.text, grammar);
    for (const text of parts.what) taken.set(text.toLowerCase(), taken.get(text.toLowerCase()) ?? { text, source });
    who.push(...parts.who.map((text) => ({ text, source })));
    where.push(...parts.where.map((text) => ({ text, source })));
    for (const text of wholesOf(source)) wholes.add(text);
  }
  const ownWords = new Set(names.flatMap((name) => termsOf(name, lang)));
  const served = new Set(who.map(({ text }) => text.toLowerCase()).filter((text) => !wholes.has(text)));
  const index = sources.map((source) => ({ source, terms: runOfTerms(source.text, lang) }));
  const cities = [...places.map(({ text }) => text), ...where.map(({ text }) => text)].map((text) =>
    text.toLowerCase(),
  );
  const ranked = [...taken.values()]
    .filter(({ text }) => isUnspaced || isNounPhrase(text, grammar))
    .filter(({ text }) => !cities.includes(text.toLowerCase()) && !served.has(text.toLowerCase()))
    .filter(({ text }) => !termsOf(text, lang).every((term) => ownWords.has(term)))
    .map((part) => ({ part, rank: rankOf(part, index, { lang, grammar }) }))
    .filter(({ rank }) => rank >= LEAST_RANK)
    .sort((a, b) => b.rank - a.rank || (a.part.text < b.part.text ? -1 : 1));
  return {
    what: distinct(
      ranked.map(({ part }) => part),
      lang,
    )
      .slice(0, MOST_SUBJECTS)
      .map((part) => evidenced({ ...part, text: asWritten(part.text, index) })),
    who: who
      .filter(({ text }) => served.has(text.toLowerCase()) && isAudience(text, grammar))
      .map((part) => evidenced(part)),
    where: where.filter(({ text }) => isPlace(text)).map((part) => evidenced(part)),
  };
}

/** Headings, and parts of titles, that are a phrase and nothing else: they name an offer and not its customers. */
function wholesOf({ text, witness }: SourceText): string[] {
  if (witness === "description") return [];
  return text.split(/\s*[|–—·:]\s*|\s-\s/u).map((part) => part.trim().toLowerCase());
}

interface FoundPart {
  readonly text: string;
  readonly source: SourceText;
}

interface IndexedSource {
  readonly source: SourceText;
  readonly terms: string;
}

function withoutNames(sources: readonly SourceText[], names: readonly string[]): SourceText[] {
  const own = names
    .filter(Boolean)
    .map((name) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?:['’]s)?(?![\\p{L}\\p{N}])`, "giu"));
  return sources.map((source) => ({
    ...source,
    text: own.reduce((left, name) => left.replace(name, " | "), source.text.slice(0, 3_000)),
  }));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const MOST_WORDS = 5;

function isNounPhrase(text: string, grammar: Grammar): boolean {
  const words = text.toLowerCase().split(" ");
  if (text.length < 4 || text.length > 45 || words.length > MOST_WORDS) return false;
  if (words.some((word) => word.length < 2 || /[\d@#%€$£_<>=]/u.test(word))) return false;
  const first = words[0] as string;
  const head = (grammar.nounFirst ? first : words.at(-1)) as string;
  if (grammar.opens(first) || grammar.isFiller(head)) return false;
  if (words.length === 1 && first.length < 4 && grammar.lang !== "ko") return false;
  if (grammar.lang === "de" && !isGermanNoun(text)) return false;
  return !words.every((word) => grammar.isFiller(word) || grammar.opens(word));
}

/** A German offer ends in a noun. Two capitalised words without an adjective's ending are a person or a place. */
function isGermanNoun(text: string): boolean {
  const words = text.split(" ");
  const before = words.slice(0, -1);
  return (
    /^\p{Lu}/u.test(words.at(-1) ?? "") &&
    before.every((word) => /^\p{Ll}/u.test(word) || /(?:e|er|es|en|em)$/u.test(word) || /-$/u.test(word))
  );
}

function runOfTerms(text: string, lang: string): string {
  return lang === "ja" || lang === "zh" ? text : ` ${termsOf(text, lang).join(" ")} `;
}

function rankOf(
  { text }: FoundPart,
  index: readonly IndexedSource[],
  { lang, grammar }: { lang: string; grammar: Grammar },
): number {
  const wanted = runOfTerms(text, lang);
  if (wanted.trim() === "") return 0;
  const counts = new Map<Witness, number>();
  let capitals = 0;
  let inText = 0;
  for (const { source, terms } of index) {
    if (!terms.includes(wanted)) continue;
    counts.set(source.witness, (counts.get(source.witness) ?? 0) + 1);
    if (source.witness !== "text" && source.witness !== "description") continue;
    inText++;
    if (isCapitalisedIn(source.text, text)) capitals++;
  }
  // A name of a person, a product or another company keeps its capitals in running text. German nouns all have them.
  if (lang !== "de" && inText > 0 && capitals === inText && !counts.has("data")) return 0;
  if (counts.size < 2) return 0;
  const words = text.split(" ").length;
  if (words === 1 && inText === 0) return 0;
  const length = lang === "ja" || lang === "zh" ? 1 : words === 1 ? (lang === "de" ? 1 : 0.7) : words === 4 ? 0.9 : 1.2;
  const filled = text
    .toLowerCase()
    .split(" ")
    .some((word) => grammar.isFiller(word) || grammar.opens(word));
  const sum = [...counts].reduce(
    (total, [witness, count]) =>
      total + WEIGHTS[witness] * (witness === "text" ? Math.min(3, count) : 1 + 0.25 * Math.min(3, count - 1)),
    0,
  );
  return sum * length * (filled ? 0.6 : 1);
}

/** Whether each of its words has a capital there, and not only since the sentence begins with it. */
function isCapitalisedIn(where: string, phrase: string): boolean {
  const at = where.toLowerCase().indexOf(phrase.toLowerCase());
  if (at < 0) return false;
  const words = where.slice(at, at + phrase.length).split(" ");
  const begins = at === 0 || /[.!?:]\s*$/u.test(where.slice(Math.max(0, at - 3), at));
  const judged = begins ? words.slice(1) : words;
  return judged.length > 0 && judged.every((word) => /^\p{Lu}/u.test(word));
}

/** As running text writes it, where a title has capitals. */
function asWritten(phrase: string, index: readonly IndexedSource[]): string {
  for (const { source } of index) {
    if (source.witness !== "text" && source.witness !== "description") continue;
    const at = source.text.toLowerCase().indexOf(phrase.toLowerCase());
    if (at > 0 && !/[.!?:]\s*$/u.test(source.text.slice(Math.max(0, at - 3), at))) {
      return source.text.slice(at, at + phrase.length);
    }
  }
  return phrase;
}

/** The better one of two that say the same: "cargo bikes" beside "electric cargo bikes". */
function distinct(parts: readonly FoundPart[], lang: string): FoundPart[] {
  const kept: { part: FoundPart; terms: Set<string> }[] = [];
  for (const part of parts) {
    const terms = new Set(termsOf(part.text, lang));
    const isKnown = kept.some(
      (each) => [...terms].every((term) => each.terms.has(term)) || [...each.terms].every((term) => terms.has(term)),
    );
    if (!isKnown && terms.size > 0) kept.push({ part, terms });
  }
  return kept.map(({ part }) => part);
}

function isAudience(text: string, grammar: Grammar): boolean {
  const words = text.toLowerCase().split(" ");
  const last = words.at(-1) as string;
  return (
    words.length <= 3 &&
    last.length >= 4 &&
    !/\d/.test(text) &&
    !words.some((word) => grammar.opens(word)) &&
    !NOT_AUDIENCE.has(last) &&
    PLURAL[grammar.lang]?.test(last) === true &&
    (grammar.lang === "de" || text === text.toLowerCase())
  );
}

/** Those whom an offer is for are many: a word that is not a plural is a purpose or a thing. */
const PLURAL: Readonly<Record<string, RegExp>> = {
  en: /(?:[^s]s|people|children|men|women)$/,
  de: /(?:en|er|s|n|e)$/,
  fr: /[sx]$/,
  es: /s$/,
  it: /[ie]$/,
  pt: /s$/,
  nl: /(?:en|s)$/,
};
const NOT_AUDIENCE = new Set(
  "years weeks days hours months always services products things purposes reasons details appointments needs events occasions ages sizes weddings jahre wochen tage stunden ans jours heures années años días horas anni giorni ore anos dias jaren weken dagen".split(
    " ",
  ),
);

const NO_PLACE =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Google|Facebook|Instagram|YouTube|English|German|French|Spanish|Italian|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Stock|Touch|Action|Handarbeit|Ruhe|Minuten|Kürze|Deutsch|Englisch)$/;

function isPlace(text: string): boolean {
  return text.split(" ").length <= 3 && /^\p{Lu}|^\p{Lo}/u.test(text) && text.length >= 3 && !NO_PLACE.test(text);
}

function evidenced({ text, source }: FoundPart): EvidencedText {
  return { text: clip(text, 120), evidence: { url: source.url, quote: clip(source.text, 300) } };
}
