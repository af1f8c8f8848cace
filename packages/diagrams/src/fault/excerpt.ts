/** A long line is cut to this many characters around its fault. */
const MOST_CHARS = 100;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/;

/**
 * The line of a fault with its number, and below it a caret at the column, or under the whole line where the column is not
 * known. Undefined for a line that is not there.
 */
export function excerptOf(source: string, line: number, column: number | undefined): string | undefined {
  const text = source.split(/\r\n?|\n/)[line - 1];
  if (text === undefined) return undefined;
  const plain = text.replace(/\t/g, " ").replace(/[\p{Cc}\p{Cs}]/gu, "\ufffd");
  const at = Math.min(Math.max(0, (column ?? 1) - 1), plain.length);
  const from = plain.length <= MOST_CHARS ? 0 : Math.max(0, Math.min(at - MOST_CHARS / 2, plain.length - MOST_CHARS));
  const before = from === 0 ? "" : "…";
  const shown = plain.slice(from, from + MOST_CHARS);
  const after = from + MOST_CHARS < plain.length ? "…" : "";
  const number = String(line);
  const start = column === undefined ? shown.length - shown.trimStart().length : at - from;
  const marks = column === undefined ? "^".repeat(Math.max(1, widthOf(shown.trim()))) : "^";
  const indent = " ".repeat(widthOf(before + shown.slice(0, start)));
  return `${number} | ${before}${shown}${after}\n${" ".repeat(number.length)} | ${indent}${marks}`;
}

/** In cells of a terminal. */
function widthOf(text: string): number {
  let cells = 0;
  for (const character of text) cells += WIDE.test(character) || (character.codePointAt(0) ?? 0) > 0xffff ? 2 : 1;
  return cells;
}
