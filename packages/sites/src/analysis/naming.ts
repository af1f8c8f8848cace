// How an answer names a brand: by rules on the sentence it stands in, so the same answer always gives the same. English and
// German words are known; in other languages a name is listed or in passing.

import type { Mention } from "./matcher.ts";

export const NAMINGS = ["recommended", "compared", "listed", "passing"] as const;
export type Naming = (typeof NAMINGS)[number];

const RECOMMENDS =
  /\b(?:recommend(?:s|ed|ing)?|top (?:pick|choice)|best (?:choice|option|pick|bet|overall)|(?:great|excellent|strong|solid|good) (?:choice|option|pick)|go with|I(?:['’]d| would) (?:choose|pick|suggest|buy|take)|stands? out|worth (?:a look|considering|buying)|empf(?:ehle|iehlt|ehlen|ohlen)\w*|beste Wahl|gute Wahl|erste Wahl)(?!\p{L})/iu;
const AGAINST =
  /\b(?:not|never|n['’]t|hardly|cannot|avoid|instead of|rather than|nicht|kaum|statt)\b(?:\W+\w+){0,4}?\W+(?:recommend|choice|option|pick|go with|worth|choose|stand|empf|Wahl)|(?:n['’]t|cannot|not|never) recommend|empf\w+ (?:\w+ ){0,3}nicht/iu;
const COMPARES =
  /\b(?:compared? (?:to|with)|versus|vs\.?|unlike|(?:alternative|rival|competitor|similar)s? (?:to|of)|(?:better|worse|cheaper|more|less|faster|slower|larger|smaller|dearer|lighter|heavier)(?: \w+){0,3} than|than|im Vergleich (?:zu|mit)|verglichen mit|anders als|Alternative zu)(?!\p{L})/iu;

/** The most telling of all the places where it is named; null: nowhere. */
export function namingOf(text: string, mentions: readonly Mention[]): Naming | null {
  const found = new Set(mentions.map((mention) => namingAt(text, mention)));
  return NAMINGS.find((naming) => found.has(naming)) ?? null;
}

function namingAt(text: string, mention: Mention): Naming {
  const sentence = sentenceAround(text, mention);
  if (RECOMMENDS.test(sentence) && !AGAINST.test(sentence)) return "recommended";
  if (COMPARES.test(sentence)) return "compared";
  return isListed(text, mention) ? "listed" : "passing";
}

/** It begins a line of a list, a table or a heading. */
function isListed(text: string, { start }: Mention): boolean {
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return /^[\s>]*(?:[-*•]|\d{1,3}[.)]|#{1,6}|\|)?[\s*_]*$/u.test(line) && line.trim() !== "";
}

const ENDS = [". ", "! ", "? ", "\n", "。"];
/** Words whose point ends no sentence. */
const SHORTENED = /\b(?:vs|e\.g|i\.e|St|Dr|Nr|No|z\. ?B|bzw)$/u;

export function sentenceAround(text: string, { start, end }: Mention): string {
  const begins = ENDS.flatMap((sign) => {
    let at = start === 0 ? -1 : text.lastIndexOf(sign, start - 1);
    while (at > 0 && SHORTENED.test(text.slice(Math.max(0, at - 5), at))) at = text.lastIndexOf(sign, at - 1);
    return at < 0 ? [] : [at + sign.length];
  });
  const ends = ENDS.map((sign) => text.indexOf(sign, end)).filter((at) => at >= 0);
  return text
    .slice(Math.max(0, ...begins), Math.min(...ends, text.length) + 1)
    .replaceAll(/[\s*_#>|]+/g, " ")
    .trim();
}
