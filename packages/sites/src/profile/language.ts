import { SMALL_WORDS } from "./small-words.ts";

const SAMPLE_CHARS = 20_000;
const LEAST_LETTERS = 20;
const LEAST_WORDS = 12;
/** Running text has at least this share of its language's small words; lists of products have fewer. */
const SURE_SHARE = 0.12;

/** Two letters: the language of the text, where it shows; else what the page says of itself. */
export function languageOf(declared: string, text: string): string {
  const sample = text.slice(0, SAMPLE_CHARS);
  const said = codeOf(declared);
  const family = familyOf(sample);
  if (family.length === 1) return family[0] as string;
  const counted = bySmallWords(sample, family, said);
  if (counted !== undefined) return counted;
  // What the page says counts only if its letters can be of that language: a template's `lang="en"` on a Russian page cannot.
  if (said !== undefined && (family.length === 0 || family.includes(said) || !(said in SMALL_WORDS))) return said;
  return family[0] ?? "en";
}

/** `no` stands for both forms of Norwegian. */
function codeOf(declared: string): string | undefined {
  const code = /^[a-z]{2}(?![a-z])/i.exec(declared.trim())?.[0].toLowerCase();
  return code === "nb" || code === "nn" ? "no" : code === "iw" ? "he" : code === "in" ? "id" : code;
}

const LATIN =
  "en de fr es it pt nl sv da no fi is pl cs sk hu ro hr sl lt lv et tr id ms vi ca eu gl sq af sw tl".split(" ");

/** The languages that a text can be of by its script and letters, the likeliest first. Empty: too few letters to tell. */
function familyOf(text: string): readonly string[] {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < LEAST_LETTERS) return [];
  const share = (pattern: RegExp) => (text.match(pattern)?.length ?? 0) / letters;
  if (share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) > 0.1) return ["ja"];
  if (share(/\p{Script=Hangul}/gu) > 0.3) return ["ko"];
  if (share(/\p{Script=Han}/gu) > 0.3) return ["zh"];
  if (share(/\p{Script=Thai}/gu) > 0.3) return ["th"];
  if (share(/\p{Script=Greek}/gu) > 0.3) return ["el"];
  if (share(/\p{Script=Hebrew}/gu) > 0.3) return ["he"];
  if (share(/\p{Script=Georgian}/gu) > 0.3) return ["ka"];
  if (share(/\p{Script=Armenian}/gu) > 0.3) return ["hy"];
  if (share(/\p{Script=Arabic}/gu) > 0.3) return arabicScript(share);
  if (share(/\p{Script=Cyrillic}/gu) > 0.3) return cyrillicScript(share);
  if (share(/\p{Script=Devanagari}/gu) > 0.3) return ["hi", "mr", "ne"];
  return share(/\p{Script=Latin}/gu) > 0.5 ? LATIN : [];
}

type Share = (pattern: RegExp) => number;

/** Letters that only some of the languages of a script have. */
function cyrillicScript(share: Share): readonly string[] {
  if (share(/[їєґ]/giu) > 0.003) return ["uk"];
  if (share(/ў/giu) > 0.003) return ["be"];
  if (share(/[әғқңөұүһ]/giu) > 0.02) return ["kk"];
  if (share(/[ѓќѕ]/giu) > 0.001) return ["mk"];
  if (share(/[ђћљњџ]/giu) > 0.005) return ["sr", "mk"];
  if (share(/[ыэё]/giu) > 0.004) return share(/і/giu) > 0.02 ? ["be"] : ["ru"];
  return share(/і/giu) > 0.02 ? ["uk"] : ["bg", "ru", "sr", "mk", "uk"];
}

function arabicScript(share: Share): readonly string[] {
  if (share(/[ٹڈڑےں]/gu) > 0.01) return ["ur"];
  return share(/[پچژگ]/gu) > 0.01 || share(/[یک]/gu) > 0.03 ? ["fa"] : ["ar"];
}

function bySmallWords(text: string, family: readonly string[], said: string | undefined): string | undefined {
  const words = text.toLowerCase().match(/[\p{L}\p{M}'’]+/gu) ?? [];
  if (words.length < LEAST_WORDS) return undefined;
  const scores = family.map((lang) => ({
    lang,
    share: words.filter((word) => SMALL_WORDS[lang]?.has(word)).length / words.length,
  }));
  scores.sort((a, b) => b.share - a.share);
  const [best, second] = scores;
  if (!best || best.share < SURE_SHARE) return undefined;
  // Neighbours such as Danish and Norwegian share their small words; then the page's own word decides between them.
  const declared = scores.find(({ lang }) => lang === said);
  if (declared && declared.share > best.share * 0.9) return declared.lang;
  const isClear = best.share > (second?.share ?? 0) * 1.15;
  return isClear || (declared?.share ?? 0) < best.share * 0.5 ? best.lang : undefined;
}
