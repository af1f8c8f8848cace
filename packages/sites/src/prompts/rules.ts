import { wordsOf } from "../analysis/fold.ts";
import type { Matcher } from "../analysis/matcher.ts";
import { PROMPT_CHARS, type Prompt, type PromptSet } from "../api/shapes.ts";

/** At most this share of a set may name the brand: to ask for a name and be given it measures nothing. */
export const MOST_BRANDED = 0.3;
export const LEAST_INTENTS = 3;

/** Why a text cannot be a prompt, if it cannot. */
export function faultOf(text: string, lang: string): string | undefined {
  if (text.length < PROMPT_CHARS.least) return `is shorter than ${PROMPT_CHARS.least} characters`;
  if (text.length > PROMPT_CHARS.most) return `is longer than ${PROMPT_CHARS.most} characters`;
  if (/https?:|www\.|:\/\//i.test(text)) return "contains an address";
  if (/[<>{}[\]\\]|```/.test(text)) return "contains markup";
  if (!/\p{L}{2}/u.test(text)) return "has no words";
  if (wordsOf(text).length < 3) return "is a keyword, not a question";
  return fitsLanguage(text, lang) ? undefined : `is not in the language of the site (${lang})`;
}

const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  zh: /\p{Script=Han}/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  uk: /\p{Script=Cyrillic}/u,
  bg: /\p{Script=Cyrillic}/u,
  sr: /[\p{Script=Cyrillic}\p{Script=Latin}]/u,
  mk: /\p{Script=Cyrillic}/u,
  kk: /\p{Script=Cyrillic}/u,
  be: /\p{Script=Cyrillic}/u,
  fa: /\p{Script=Arabic}/u,
  ur: /\p{Script=Arabic}/u,
  th: /\p{Script=Thai}/u,
  hi: /\p{Script=Devanagari}/u,
  mr: /\p{Script=Devanagari}/u,
  ne: /\p{Script=Devanagari}/u,
  ka: /\p{Script=Georgian}/u,
  hy: /\p{Script=Armenian}/u,
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  el: /\p{Script=Greek}/u,
};

/** By script: eight words are too few to tell Dutch from German, and enough to tell either from Japanese. */
function fitsLanguage(text: string, lang: string): boolean {
  const script = SCRIPTS[lang];
  return script === undefined ? /\p{Script=Latin}/u.test(text) : script.test(text);
}

/** The same question in other words: most of the words are the same. */
export function isNearDuplicate(a: string, b: string): boolean {
  const left = new Set(shingles(a));
  const right = new Set(shingles(b));
  let shared = 0;
  for (const each of left) if (right.has(each)) shared++;
  return shared / (left.size + right.size - shared || 1) >= 0.8;
}

function isSame(a: string, b: string): boolean {
  const plain = (text: string) =>
    wordsOf(text)
      .map(({ folded }) => folded)
      .join(" ");
  return plain(a) === plain(b);
}

function shingles(text: string): string[] {
  const folded = wordsOf(text).map(({ folded }) => folded);
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text)
    ? [...folded.join("")].map((_, i, all) => `${all[i]}${all[i + 1] ?? ""}`)
    : folded;
}

/** Rules of the set as a whole that it does not meet. */
export function shortfallsOf(prompts: readonly Prompt[], wanted: number): string[] {
  const branded = prompts.filter((prompt) => prompt.branded).length;
  const intents = new Set(prompts.map(({ intent }) => intent)).size;
  return [
    ...(prompts.length < wanted ? [`Only ${prompts.length} of ${wanted} prompts could be formed.`] : []),
    ...(branded > prompts.length * MOST_BRANDED
      ? [`${branded} of ${prompts.length} prompts name the brand; at most 30 % should.`]
      : []),
    ...(prompts.length >= LEAST_INTENTS && intents < LEAST_INTENTS
      ? [`The prompts have ${intents} intents; there should be ${LEAST_INTENTS} at least.`]
      : []),
  ];
}

export interface JudgedPrompts {
  prompts: Prompt[];
  rejected: PromptSet["rejected"];
}

/** `own`: a person wrote them, and knows why two are alike. Takes candidates in their order until there are enough; says of each other why not. */
export function judge(
  candidates: readonly Omit<Prompt, "id" | "branded">[],
  names: Matcher,
  most: { count: number; branded: number; own?: true },
): JudgedPrompts {
  const prompts: Prompt[] = [];
  const rejected: PromptSet["rejected"] = [];
  for (const candidate of candidates) {
    if (prompts.length === most.count) break;
    const branded = names(candidate.text).length > 0;
    const reason =
      faultOf(candidate.text, candidate.lang) ??
      (prompts.some(({ text }) => (most.own ? isSame(text, candidate.text) : isNearDuplicate(text, candidate.text)))
        ? "asks what another prompt asks"
        : undefined) ??
      (branded && prompts.filter((prompt) => prompt.branded).length >= most.branded
        ? "names the brand, and enough prompts do"
        : undefined);
    if (reason === undefined) prompts.push({ id: `p${prompts.length + 1}`, branded, ...candidate });
    else if (rejected.length < 50) rejected.push({ text: candidate.text.slice(0, 200), reason });
  }
  return { prompts, rejected };
}
