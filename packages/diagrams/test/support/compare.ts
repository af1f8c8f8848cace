// Two drawings of the same source, compared: structure, texts and every number.

import type { XmlElement } from "../../src/svg/xml.ts";

const MEASURED = new Set(
  "x y x1 y1 x2 y2 cx cy r rx ry dx dy d points transform width height viewBox refX refY markerWidth markerHeight".split(
    " ",
  ),
);

export interface Comparison {
  readonly numbers: number;
  readonly offNumbers: number;
  readonly maxPx: number;
  /** The place of the largest difference, and the first difference in structure; empty where there is none. */
  readonly where: string;
  readonly structure: string;
}

export function compare(ours: XmlElement, theirs: XmlElement): Comparison {
  let numbers = 0;
  let offNumbers = 0;
  let maxPx = 0;
  let where = "";
  let structure = "";
  const walk = (left: XmlElement, right: XmlElement, path: string) => {
    const here = `${path}/${left.localName}${left.getAttribute("class") === null ? "" : `.${left.getAttribute("class")?.split(" ")[0]}`}`;
    for (const name of MEASURED) {
      const mine = numbersOf(drawn(name, left.getAttribute(name)));
      const other = numbersOf(drawn(name, right.getAttribute(name)));
      numbers += other.length;
      if (mine.length !== other.length) structure ||= `${here}@${name}: ${mine.length} numbers, ${other.length} there`;
      for (const [index, value] of mine.entries()) {
        const off = Math.abs(value - (other[index] ?? Number.NaN));
        if (off > 1) offNumbers++;
        if (off > maxPx) {
          maxPx = off;
          where = `${here}@${name}`;
        }
      }
    }
    const [mine, other] = [left.elements, right.elements];
    if (mine.length !== other.length || mine.some((child, index) => child.localName !== other[index]?.localName))
      structure ||= `${here}: ${mine.map(({ localName }) => localName).slice(0, 6)} | ${other.map(({ localName }) => localName).slice(0, 6)}`;
    else if (mine.length === 0 && left.text.trim() !== right.text.trim() && left.localName !== "style")
      structure ||= `${here}: "${left.text.trim().slice(0, 40)}" | "${right.text.trim().slice(0, 40)}"`;
    for (const [index, child] of mine.entries()) {
      const partner = other[index];
      if (partner !== undefined) walk(child, partner, here);
    }
  };
  walk(ours, theirs, "");
  return { numbers, offNumbers, maxPx, where, structure };
}

/** Without lines of no length: whether there is one depends on the seventh digit, and nobody sees it. */
function drawn(name: string, value: string | null): string | null {
  if (name !== "d" || value === null) return value;
  const points = /([ML])(-?[\d.]+,-?[\d.]+)(?=L(-?[\d.]+,-?[\d.]+))/g;
  return value.replace(points, (whole, _, here: string, next: string) => {
    const [x = 0, y = 0, nextX = 0, nextY = 0] = [...here.split(","), ...next.split(",")].map(Number);
    return Math.abs(x - nextX) < 0.01 && Math.abs(y - nextY) < 0.01 ? "" : whole;
  });
}

function numbersOf(text: string | null): number[] {
  return (text ?? "").match(/-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/g)?.map(Number) ?? [];
}
