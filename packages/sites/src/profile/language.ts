import { STOP_WORDS } from "./stop-words.ts";

/** Two letters: what the page says of itself, unless its script says otherwise, or else what its small words are. */
export function languageOf(declared: string, text: string): string {
  const sample = text.slice(0, 20_000);
  const byScript = scriptLanguage(sample);
  if (byScript !== undefined) return byScript;
  const said = /^[a-z]{2}/i.exec(declared)?.[0].toLowerCase();
  const counted = bySmallWords(sample);
  // A template's `lang="en"` on a German page is common; its words know better, where there are enough of them.
  return counted ?? said ?? "en";
}

function scriptLanguage(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 20) return undefined;
  const share = (pattern: RegExp) => (text.match(pattern)?.length ?? 0) / letters;
  if (share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) > 0.15) return "ja";
  if (share(/\p{Script=Hangul}/gu) > 0.3) return "ko";
  if (share(/\p{Script=Han}/gu) > 0.3) return "zh";
  if (share(/\p{Script=Arabic}/gu) > 0.3) return "ar";
  if (share(/\p{Script=Hebrew}/gu) > 0.3) return "he";
  if (share(/\p{Script=Greek}/gu) > 0.3) return "el";
  return share(/\p{Script=Cyrillic}/gu) > 0.3 ? "ru" : undefined;
}

function bySmallWords(text: string): string | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < 40) return undefined;
  const scores = Object.entries(STOP_WORDS).map(([lang, stops]) => ({
    lang,
    share: words.filter((word) => stops.has(word)).length / words.length,
  }));
  scores.sort((a, b) => b.share - a.share);
  const [best, second] = scores;
  if (!best || best.share < 0.15) return undefined;
  return best.share > (second?.share ?? 0) * 1.3 ? best.lang : undefined;
}
