// How the letters of our drawing stand beside those of the reference.

import type { Box, Letter, Letters } from "./browser.ts";

export interface LetterComparison {
  /** The same letters in the same order, white space aside. */
  readonly same: boolean;
  /** Line ends of ours inside a run without white space where the reference has none. */
  readonly brokenWords: number;
  /** Every line ends where the reference's does. */
  readonly sameLines: boolean;
  /** How far the centre of a line is from the reference's at most, in pixels. */
  readonly farthestPx: number;
  /** Where our labels of edges stand, line by line. */
  readonly edgeLabels: readonly Box[];
}

interface Line {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly onEdge: boolean;
}

export function compareLetters(ours: Letters, theirs: Letters): LetterComparison {
  const text = ({ letters }: Letters) => letters.map(([letter]) => letter).join("");
  const [mine, other] = [text(ours), text(theirs)];
  const ends = lineEnds(ours.letters);
  if (mine !== other) {
    return { same: false, brokenWords: Number.NaN, sameLines: false, farthestPx: Number.NaN, edgeLabels: [] };
  }
  const wanted = lineEnds(theirs.letters);
  let brokenWords = 0;
  let sameLines = true;
  for (const [at, letter] of theirs.letters.entries()) {
    if (letter[1] === "label") continue;
    if (ends.has(at) !== wanted.has(at)) sameLines = false;
    if (ends.has(at) && !wanted.has(at) && letter[1] === "") brokenWords++;
  }
  const [own, there] = [linesOf(ours.letters, ends, theirs.letters), linesOf(theirs.letters, wanted, theirs.letters)];
  return {
    same: true,
    brokenWords,
    sameLines,
    farthestPx: sameLines ? farthest(own, there) : Number.NaN,
    edgeLabels: own
      .filter(({ onEdge }) => onEdge)
      .map((line) => [line.left, line.top, line.right - line.left, line.bottom - line.top]),
  };
}

/** The letters before which a new line begins: they do not stand beside the letter before them. */
function lineEnds(letters: readonly Letter[]): Set<number> {
  const ends = new Set<number>();
  for (const [at, [, , , top, , height]] of letters.entries()) {
    const before = letters[at - 1];
    if (before === undefined) continue;
    const overlap = Math.min(before[3] + before[5], top + height) - Math.max(before[3], top);
    if (overlap < Math.min(before[5], height) * 0.4) ends.add(at);
  }
  return ends;
}

/** `labels` says where another label begins, for both drawings alike. */
function linesOf(letters: readonly Letter[], ends: ReadonlySet<number>, labels: readonly Letter[]): Line[] {
  const lines: Line[] = [];
  for (const [at, [, , left, top, width, height]] of letters.entries()) {
    const [last, isFirst] = [lines.at(-1), ends.has(at) || labels[at]?.[1] === "label"];
    const box = { left, right: left + width, top, bottom: top + height, onEdge: labels[at]?.[6] === 1 };
    if (last === undefined || isFirst) lines.push(box);
    else
      lines[lines.length - 1] = {
        left: Math.min(last.left, box.left),
        right: Math.max(last.right, box.right),
        top: Math.min(last.top, box.top),
        bottom: Math.max(last.bottom, box.bottom),
        onEdge: last.onEdge,
      };
  }
  return lines;
}

function farthest(ours: readonly Line[], theirs: readonly Line[]): number {
  let most = 0;
  for (const [at, line] of ours.entries()) {
    const other = theirs[at];
    if (other === undefined) return Number.NaN;
    const [x, y] = [
      line.left + line.right - other.left - other.right,
      line.top + line.bottom - other.top - other.bottom,
    ];
    most = Math.max(most, Math.hypot(x / 2, y / 2));
  }
  return most;
}
