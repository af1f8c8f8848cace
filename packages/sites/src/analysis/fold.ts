// Text for comparing: compatibility forms, case and the accents of Latin, Greek and Cyrillic are folded away. Marks of
// other scripts stay: in Japanese or Arabic they make another word.

const FOLDABLE = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

export function fold(text: string): string {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("’", "'");
  if (!FOLDABLE.test(plain)) return plain;
  return plain
    .normalize("NFD")
    .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, "$1")
    .normalize("NFC");
}

export interface Word {
  /** Folded, without a possessive. */
  folded: string;
  /** As it stands in the text. */
  text: string;
  start: number;
  end: number;
}

const SEGMENTER = new Intl.Segmenter("und", { granularity: "word" });

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { segment, index, isWordLike } of SEGMENTER.segment(text)) {
    if (!isWordLike) continue;
    // "pedal_werk" is one segment and two words to a reader; so is "Pedalwerk.Next".
    let at = index;
    for (const piece of segment.split("_")) {
      const bare = piece.replace(/['’]s$/iu, "");
      if (bare !== "") words.push({ folded: fold(bare), text: bare, start: at, end: at + bare.length });
      at += piece.length + 1;
    }
  }
  return words;
}

/** Scripts that put no spaces between words: there a name is found as it stands. */
export const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Hangul}]/u;
