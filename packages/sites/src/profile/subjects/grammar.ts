// What the words of a language say about a heading: which words cut it, which join it, and which never name an offer.

import { SMALL_WORDS } from "../small-words.ts";
import { EVERYDAY, stopWordsOf } from "../stop-words.ts";
import { FILLERS, OPENERS } from "./word-lists.ts";

export interface Grammar {
  readonly lang: string;
  /** Before those whom an offer is for. */
  readonly forWhom: ReadonlySet<string>;
  /** Before the place of an offer. */
  readonly where: ReadonlySet<string>;
  /** Before what an offer comes from or comes with: neither is the offer. */
  readonly beside: ReadonlySet<string>;
  /** Words that join two nouns to one name: *location de vélos*. */
  readonly joins: ReadonlySet<string>;
  /** Whether the first word of a name is its noun: *vélo électrique*. */
  readonly nounFirst: boolean;
  readonly isSmall: (word: string) => boolean;
  /** A verb or another word that begins a call to action. */
  readonly opens: (word: string) => boolean;
  /** A noun that is not an offer: quality, team, mistake. */
  readonly isFiller: (word: string) => boolean;
}

const set = (text = ""): ReadonlySet<string> => new Set(text.split(" ").filter(Boolean));

const FOR: Readonly<Record<string, string>> = {
  en: "for",
  de: "für",
  fr: "pour",
  es: "para",
  it: "per",
  pt: "para",
  nl: "voor",
  sv: "för",
  da: "til",
  no: "for",
  pl: "dla",
  cs: "pro",
  ru: "для",
  uk: "для",
};
const WHERE: Readonly<Record<string, string>> = {
  en: "in near around across",
  de: "in",
  fr: "à",
  es: "en cerca",
  it: "a",
  pt: "em no na",
  nl: "in uit te",
  sv: "i",
  da: "i",
  no: "i",
  pl: "w we",
  cs: "v ve",
  ru: "в во",
  uk: "в у",
  ar: "في",
};
const BESIDE: Readonly<Record<string, string>> = {
  en: "from by with without since than as",
  de: "aus von vom mit ohne seit durch ab als",
  fr: "avec sans par depuis chez",
  es: "con sin por desde",
  it: "con senza dal dalla",
  pt: "com sem por desde",
  nl: "van met zonder door sinds per",
  sv: "från med utan av sedan",
  da: "fra med uden af siden",
  no: "fra med uten av siden",
  pl: "z ze bez od przez",
  cs: "z ze s bez od",
  ru: "из с без от",
  uk: "з із без від",
};
const JOINS: Readonly<Record<string, string>> = {
  en: "of",
  fr: "de des du d'",
  es: "de del",
  it: "di da del della dei",
  pt: "de do da dos das",
};
const NOUN_FIRST = new Set(["fr", "es", "it", "pt", "ar"]);

export function grammarOf(lang: string): Grammar {
  const stops = stopWordsOf(lang);
  const small = SMALL_WORDS[lang] ?? new Set<string>();
  const openers = set(OPENERS[lang]);
  const fillers = set(FILLERS[lang]);
  return {
    lang,
    forWhom: set(FOR[lang]),
    where: set(WHERE[lang]),
    beside: set(BESIDE[lang]),
    joins: set(JOINS[lang]),
    nounFirst: NOUN_FIRST.has(lang),
    isSmall: (word) => small.has(word) || stops.has(word),
    opens: (word) => openers.has(word),
    isFiller: (word) => fillers.has(word) || EVERYDAY.has(word),
  };
}
