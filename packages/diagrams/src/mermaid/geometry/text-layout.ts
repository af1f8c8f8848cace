// Where the pieces of an SVG text stand: whitespace, positions of tspans, anchors and baselines.

import type { Typesetter } from "../../text/typesetter.ts";
import { Element } from "../dom/element.ts";
import { Text } from "../dom/node.ts";
import type { Box } from "./box.ts";
import { parseLength } from "./font-values.ts";
import type { ComputedStyle, TextStyles } from "./text-style.ts";

export interface TextFragment {
  /** The innermost element the text stands in. */
  readonly owner: Element;
  readonly widthPx: number;
  readonly box: Box;
}

interface Piece {
  readonly owner: Element;
  readonly style: ComputedStyle;
  text: string;
  x: number | undefined;
  y: number | undefined;
  readonly dx: number;
  readonly dy: number;
}

interface Positions {
  x?: number;
  y?: number;
  dx?: number;
  dy?: number;
}

export function layoutText(text: Element, styles: TextStyles, typesetter: Typesetter): TextFragment[] {
  const pieces = piecesOf(text, styles);
  const fragments: TextFragment[] = [];
  let x = 0;
  let y = 0;
  for (let index = 0; index < pieces.length; ) {
    const chunk = [pieces[index] as Piece];
    for (index++; index < pieces.length; index++) {
      const next = pieces[index] as Piece;
      if (next.x !== undefined || next.y !== undefined) break;
      chunk.push(next);
    }
    const [first] = chunk as [Piece];
    x = first.x ?? x;
    y = first.y ?? y;
    const widths = chunk.map((piece, at) => widthOf(piece, chunk[at + 1], typesetter));
    const total = widths.reduce((sum, width, at) => sum + width + (chunk[at] as Piece).dx, 0);
    x -= first.style.anchor === "middle" ? total / 2 : first.style.anchor === "end" ? total : 0;
    for (const [at, piece] of chunk.entries()) {
      const widthPx = widths[at] ?? 0;
      x += piece.dx;
      y += piece.dy;
      const { ascentPx, descentPx } = typesetter.linePx(piece.style);
      const baseline = y + baselineShift(piece.style, ascentPx, descentPx, typesetter);
      const ink = typesetter.inkPx(piece.text, piece.style);
      const left = x + ink.leftPx;
      const width = Math.max(widthPx, ink.rightPx) - ink.leftPx;
      // Letters of other scripts reach out of the lines of our font, and so do the boxes of browsers.
      const [abovePx, belowPx] = [Math.max(ascentPx, ink.abovePx), Math.max(descentPx, ink.belowPx)];
      const box = { x: left, y: baseline - abovePx, width, height: abovePx + belowPx };
      fragments.push({ owner: piece.owner, widthPx, box });
      x += widthPx;
    }
  }
  return fragments;
}

/** The text nodes with their spaces collapsed, and the positions that begin at each. */
function piecesOf(text: Element, styles: TextStyles): Piece[] {
  const pieces: Piece[] = [];
  let afterSpace = true;
  const walk = (element: Element, waiting: Positions) => {
    const style = styles.of(element);
    if (style.display === "none") return;
    const pending = { ...waiting, ...positionsOf(element, style) };
    for (const key of Object.keys(waiting) as (keyof Positions)[]) delete waiting[key];
    for (const child of element.childNodes) {
      if (child instanceof Element) {
        if (/^(?:tspan|a|textPath|tref)$/i.test(child.localName)) walk(child, pending);
      } else if (child instanceof Text) {
        const raw = child.data;
        let shown = style.preserveSpace ? raw.replace(/[\n\t]/g, " ") : raw.replace(/[ \t\r\n\f]+/g, " ");
        if (!style.preserveSpace && afterSpace && shown.startsWith(" ")) shown = shown.slice(1);
        if (shown === "") continue;
        afterSpace = !style.preserveSpace && shown.endsWith(" ");
        const { x, y, dx = 0, dy = 0 } = pending;
        for (const key of Object.keys(pending) as (keyof Positions)[]) delete pending[key];
        pieces.push({ owner: element, style, text: shown, x, y, dx, dy });
      }
    }
  };
  walk(text, { x: 0, y: 0 });
  const last = pieces.at(-1);
  if (last !== undefined && !last.style.preserveSpace && last.text.endsWith(" ")) {
    last.text = last.text.slice(0, -1);
    if (last.text === "") pieces.pop();
  }
  return pieces;
}

function positionsOf(element: Element, style: ComputedStyle): Positions {
  const positions: Positions = {};
  for (const key of ["x", "y", "dx", "dy"] as const) {
    const value = element.getAttribute(key);
    const [first = ""] = value === null ? [] : value.trim().split(/[\s,]+/);
    const length = parseLength(first, style.sizePx);
    if (!Number.isNaN(length)) positions[key] = length;
  }
  return positions;
}

function widthOf({ text, style }: Piece, next: Piece | undefined, typesetter: Typesetter): number {
  typesetter.noteMissing(text);
  let width = typesetter.widthPx(text, style);
  if (style.letterSpacingPx !== 0) width += style.letterSpacingPx * [...text].length;
  // The last letter moves towards the first of the next piece, as if no tspan began there: "A" and " b", for one.
  if (next !== undefined && isSameFont(style, next.style)) {
    const [last, first] = [text.at(-1) ?? "", next.text.at(0) ?? ""];
    width +=
      typesetter.widthPx(last + first, style) - typesetter.widthPx(last, style) - typesetter.widthPx(first, style);
  }
  // Browsers lay out in 64ths of a pixel.
  return Math.ceil(Math.fround(width) * 64) / 64;
}

function isSameFont(one: ComputedStyle, other: ComputedStyle): boolean {
  return (
    one.sizePx === other.sizePx &&
    one.weight === other.weight &&
    one.italic === other.italic &&
    one.family === other.family
  );
}

/** How far below its y a text with this baseline stands. */
function baselineShift(style: ComputedStyle, ascentPx: number, descentPx: number, typesetter: Typesetter): number {
  switch (style.baseline) {
    case "middle":
      return (typesetter.xHeight() * style.sizePx) / 2;
    case "central":
      return (ascentPx - descentPx) / 2;
    case "hanging":
      return ascentPx * 0.8;
    case "mathematical":
      return ascentPx * 0.5;
    case "text-before-edge":
    case "text-top":
      return ascentPx;
    case "text-after-edge":
    case "text-bottom":
    case "ideographic":
      return -descentPx;
    default:
      return 0;
  }
}
