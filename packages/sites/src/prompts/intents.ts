import type { INTENTS } from "../api/shapes.ts";

export type Intent = (typeof INTENTS)[number];

const INTENT_SIGNS: readonly [Intent, RegExp][] = [
  [
    "comparison",
    /\b(?:vs\.?|versus|compare[ds]?|comparison|alternatives?|better than|vergleich|alternativen?|unterschied\w*|comparer|alternativas?)\b|比較|代わり/iu,
  ],
  [
    "purchase",
    /\b(?:cost|price[sd]?|pricing|how much|buy|order|cheap\w*|worth|kostet|kosten|preis\w*|kaufen|bestellen|lohnt|combien|acheter|cuánto|comprar)\b|値段|いくら|買え|料金/iu,
  ],
  [
    "problem",
    /\b(?:how (?:can|do|to)|problem\w*|mistakes?|look for|avoid|fix|solve[sd]?|worauf|wie kann|fehler|probleme?)\b|注意|失敗|方法/iu,
  ],
  [
    "category",
    /\b(?:best|top|recommend\w*|which|leading|beste[nrs]?|welche[rs]?|empfehl\w*|meilleur\w*|mejor\w*)\b|おすすめ|評判/iu,
  ],
];

/** What a question of a user's own is after. */
export function intentOf(text: string): Intent {
  return INTENT_SIGNS.find(([, sign]) => sign.test(text))?.[0] ?? "fact";
}
