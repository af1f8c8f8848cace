// What a reader does not see but a model does: zero width, text direction, soft hyphens, and the tag characters by which
// whole sentences are smuggled.
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in text for people
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/** Text as a reader sees it, on one line. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(UNSEEN, "").replace(CONTROL, " ").replace(/\s+/gu, " ").trim();
}

/** Cut at a word's end, with an ellipsis. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1).toWellFormed();
  const space = cut.lastIndexOf(" ");
  return `${(space > most * 0.6 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** A long text in pieces of at most `most` characters, cut after a sentence or else after a word. */
export function split(text: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const head = rest.slice(0, most);
    const sentence = Math.max(
      head.lastIndexOf(". "),
      head.lastIndexOf("。"),
      head.lastIndexOf("! "),
      head.lastIndexOf("? "),
    );
    const space = head.lastIndexOf(" ");
    const end = sentence > most / 2 ? sentence + 1 : space > most / 2 ? space : most;
    pieces.push(rest.slice(0, end).toWellFormed().trim());
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest.toWellFormed()];
}

/** Words as a reader counts them; in scripts without spaces, as the platform's dictionary finds them. */
export function countWords(text: string): number {
  if (!UNSPACED.test(text)) return text === "" ? 0 : text.split(" ").length;
  let count = 0;
  for (const { isWordLike } of SEGMENTER.segment(text)) if (isWordLike) count++;
  return count;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const SEGMENTER = new Intl.Segmenter("und", { granularity: "word" });
