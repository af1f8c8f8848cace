// Where a line may end inside a text, as Chromium has it: between two ASCII characters by a table of its own, elsewhere by the
// Unicode rules, and in scripts without spaces between words by a dictionary. White space is the caller's matter.

import { createRequire } from "node:module";

interface LineBreaker {
  nextBreak(): { readonly position: number } | null;
}

// The package has no types, so it is loaded by name and described here.
const LineBreaker = createRequire(import.meta.url)("linebreak") as new (text: string) => LineBreaker;

const OPENING = "(<[{";
const BEFORE_OPENING = '!"#%&)*+,.:;=>?\\]|}~-';
const NOT_AFTER_HYPHEN = "!$),./:;?]}";
const NOT_AFTER_QUESTION = "!\"'),./:;?]}";
// Thai, Lao, Khmer, Burmese and their neighbours write words without spaces.
const NO_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
// Small kana and the sign for a long vowel may begin a line in Chromium's rules, and may not in Unicode's strict ones.
const SMALL_KANA = /[ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶー\u31f0-\u31ff\uff67-\uff70]/;
const KANA_OR_HAN = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]/u;

/** One entry per UTF-16 unit and one more: whether a line may end before it. */
export function lineBreaks(text: string): Uint8Array {
  const allowed = new Uint8Array(text.length + 1);
  if (!isAscii(text)) markByUnicode(text, allowed);
  for (let at = 1; at < text.length; at++) {
    const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
    if (before > 0x20 && before < 0x7f && after > 0x20 && after < 0x7f) allowed[at] = mayBreakAscii(text, at) ? 1 : 0;
  }
  return allowed;
}

function mayBreakAscii(text: string, at: number): boolean {
  const [before, after] = [text[at - 1] as string, text[at] as string];
  if (before === "-") {
    // A minus before a number stays with it; "ABCD-1234" may be broken.
    if (after >= "0" && after <= "9") return /[a-z\d]/i.test(text[at - 2] ?? "");
    return !NOT_AFTER_HYPHEN.includes(after);
  }
  if (before === "?") return !NOT_AFTER_QUESTION.includes(after);
  return OPENING.includes(after) && BEFORE_OPENING.includes(before);
}

function markByUnicode(text: string, allowed: Uint8Array): void {
  const breaker = new LineBreaker(text);
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) allowed[next.position] = 1;
  for (let at = 1; at < text.length; at++)
    if (SMALL_KANA.test(text[at] ?? "") && KANA_OR_HAN.test(text[at - 1] ?? "")) allowed[at] = 1;
  for (const { 0: run, index } of text.matchAll(NO_SPACES)) {
    for (const { index: at } of words(run)) if (at > 0) allowed[index + at] = 1;
  }
}

let segmenter: Intl.Segmenter | undefined;

function words(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter("th", { granularity: "word" });
  return segmenter.segment(text);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
