// Companies that answers name and that are not among the rivals yet. A false one does harm in the figures, so a name counts only if
// it stands where answers put names, in at least two answers, and is no word of the language, place or product of the site.

import type { Report } from "../api/report.ts";
import type { Answer, SiteProfile } from "../api/shapes.ts";
import { clip } from "../page/clean.ts";
import { grammarOf } from "../profile/subjects/grammar.ts";
import { fold } from "./fold.ts";
import type { WatchedBrand } from "./watched.ts";

export type DiscoveredRival = NonNullable<Report["rivalsDiscovered"]>[number];

const MOST = 15;
const LEAST_ANSWERS = 2;

export function discoverRivals(
  answers: readonly Answer[],
  watched: readonly WatchedBrand[],
  profile: SiteProfile,
): DiscoveredRival[] {
  const isName = nameRule(profile);
  const clusters = new Map<string, NameCluster>();
  for (const answer of answers) {
    for (const { name, quote, isJudged } of namesOf(answer)) {
      const key = keyOf(name);
      if (key.length < 2 || (!isJudged && !isName(name)) || watched.some(({ matches }) => matches(name).length > 0))
        continue;
      const cluster = clusters.get(key) ?? { spellings: new Map(), calls: new Set(), prompts: new Set(), quote };
      cluster.spellings.set(name, (cluster.spellings.get(name) ?? 0) + 1);
      cluster.calls.add(answer.callKey);
      cluster.prompts.add(answer.promptId);
      clusters.set(key, cluster);
    }
  }
  return [...clusters.values()]
    .filter(({ calls }) => calls.size >= LEAST_ANSWERS)
    .sort((a, b) => b.calls.size - a.calls.size)
    .slice(0, MOST)
    .map(({ spellings, calls, prompts, quote }) => {
      const [name = "", ...aliases] = [...spellings].sort((a, b) => b[1] - a[1]).map(([each]) => each);
      return {
        name,
        aliases: aliases.slice(0, 5),
        answers: calls.size,
        prompts: prompts.size,
        quote: clip(quote, 300),
      };
    });
}

/** Those that the judge names, where there is one: it read the answer. */
function namesOf({ text, judged }: Answer): { name: string; quote: string; isJudged: boolean }[] {
  if (judged === undefined) return namesIn(text).map((each) => ({ ...each, isJudged: false }));
  return judged.companies.map(({ name, quote }) => ({ name: name.trim(), quote, isJudged: true }));
}

interface NameCluster {
  readonly spellings: Map<string, number>;
  readonly calls: Set<string>;
  readonly prompts: Set<string>;
  readonly quote: string;
}

/** "Riese & Müller GmbH" and "Riese und Mueller" are one company. */
function keyOf(name: string): string {
  return fold(name.replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue"))
    .replaceAll(/\s(?:&|und|and|et|e|y|\+)\s/gu, " ")
    .replace(/\s(?:inc|ltd|gmbh|ag|llc|corp|co|sa|srl|bv|kg|plc)\.?$/u, "")
    .replace(/^the\s/u, "")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The beginning of a list's item, up to where it is described. */
const ITEM = /^[\s>]*(?:[-*•]|\d{1,3}[.)]|#{2,6})\s+(.{2,120})$/u;
const BOLD = /\*\*([^*\n]{2,60})\*\*/gu;
const WORD = String.raw`\p{Lu}[\p{L}\p{N}'’.-]*`;
const NAME = new RegExp(
  String.raw`^${WORD}(?:\s(?:&\s|und\s|and\s|of\s|de\s|di\s|van\s|the\s)?(?:${WORD}|\d{1,4})){0,3}$|^[\p{Script=Han}\p{Script=Katakana}ー]{2,12}$|^[\p{L}\p{N}]+\.(?:com|io|de|fr|es|it|nl|co|net|app)$`,
  "u",
);
/** Two or more names in a row: "such as Tern, Urban Arrow and Riese & Müller". */
const ROW = new RegExp(
  String.raw`(?<=(?:such as|like|include|including|e\.g\.|consider|wie|etwa|zum Beispiel|comme|tels que|como|come|zoals|som|jak|например|как)\s)(?:${WORD}(?:\s(?:&\s|und\s|and\s)?${WORD}){0,2}(?:,\s(?:and\s|und\s|et\s|y\s|e\s|en\s)?|\s(?:and|und|et|y|e|en|och|i|и)\s)?){2,8}`,
  "gu",
);

function namesIn(text: string): { name: string; quote: string }[] {
  const found: { name: string; quote: string }[] = [];
  const note = (raw: string, quote: string) => {
    const name = raw
      .replaceAll(/[*_`"“”„«»[\]]/g, "")
      .replace(/\(.*$/u, "")
      .trim()
      .replace(/[.,:;]+$/, "");
    if (NAME.test(name) && name.length <= 50) found.push({ name, quote: quote.trim() });
  };
  for (const line of text.split("\n")) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined)
      note(item.split(/\s[–—-]\s|[:：(（,]|\s(?:is|are|has|offers|ist|bietet|est|es|è)\s/u)[0] ?? "", line);
    else for (const [, bold = ""] of line.matchAll(BOLD)) note(bold, line);
    for (const [row] of line.matchAll(ROW)) {
      for (const part of partsOfRow(row)) note(part, line);
    }
  }
  return found;
}

/** In "Riese und Müller, Tern and Babboe" only the last conjunction stands between two names. */
function partsOfRow(row: string): string[] {
  const parts = row.split(/,\s*/u).map((part) => part.trim());
  const last = parts.pop() ?? "";
  const joined = /^(.*\S)\s(?:and|und|et|y|e|en|och|i|и)\s(\S.*)$/u.exec(last);
  const tail = joined ? [joined[1] as string, joined[2] as string] : [last];
  return [...parts, ...tail].map((part) => part.replace(/^(?:and|und|et|y|e|en|och|i|и)\s/u, ""));
}

/** Headings of answers that are no names, in the languages that answers come in most. */
const HEADINGS = new Set(
  "pros cons price prices cost quality summary conclusion tip tips note overview recommendation recommendations location service reviews experience budget alternatives options features comparison verdict step steps example examples important warranty material design range weight preis preise kosten qualität fazit tipp tipps hinweis übersicht empfehlung lage vorteile nachteile erfahrung alternativen prix coût qualité conclusion conseil avantages inconvénients précio precio coste calidad resumen consejo ventajas desventajas prezzo costo qualità riepilogo consiglio vantaggi prijs kosten kwaliteit voordelen nadelen".split(
    " ",
  ),
);

function nameRule({ site, offer }: SiteProfile): (name: string) => boolean {
  const grammar = grammarOf(site.lang);
  const english = grammarOf("en");
  const known = new Set(
    [...offer.places, ...(offer.subjects ?? []), ...offer.keyphrases, ...offer.audiences, ...offer.categories].map(
      ({ text }) => keyOf(text),
    ),
  );
  return (name) => {
    const words = fold(name).split(/\s+/);
    if (known.has(keyOf(name))) return false;
    const common = (word: string) =>
      HEADINGS.has(word) ||
      grammar.isFiller(word) ||
      english.isFiller(word) ||
      grammar.isSmall(word) ||
      grammar.opens(word) ||
      english.opens(word);
    if (common(words[0] as string) || common(words.at(-1) as string)) return false;
    return !words.every((word) => english.isSmall(word) || common(word));
  };
}
