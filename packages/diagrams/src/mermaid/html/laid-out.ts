// What a layout gives: lines of text, grounds and pictures, from the top left corner of what was laid out.

import type { Element } from "../dom/element.ts";
import type { HtmlStyle } from "./style.ts";

export interface Piece {
  readonly text: string;
  readonly style: HtmlStyle;
  /** The innermost element around the text. */
  readonly owner: Element;
  readonly x: number;
  readonly widthPx: number;
  /** How wide the spaces at its end are. */
  readonly trailPx: number;
  /** How far above the line's baseline it stands; negative: below. */
  readonly raisedPx: number;
}

export interface Line {
  readonly x: number;
  readonly baseline: number;
  readonly widthPx: number;
  readonly align: "left" | "center" | "right";
  readonly pieces: readonly Piece[];
}

export interface Ground {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  readonly opacity: number;
  /** Of its corners; 0 unless it says so. */
  readonly radius?: number;
}

export interface Picture {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly element: Element;
  readonly style: HtmlStyle;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ContentLayout {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly Line[];
  readonly grounds: readonly Ground[];
  readonly pictures: readonly Picture[];
  /** Where the boxes of elements are. */
  readonly places: readonly (readonly [Element, Rectangle])[];
}

export const NOTHING: ContentLayout = { width: 0, height: 0, lines: [], grounds: [], pictures: [], places: [] };

export function moved(laid: ContentLayout, dx: number, dy: number): ContentLayout {
  if (dx === 0 && dy === 0) return laid;
  const move = <Box extends { readonly x: number; readonly y: number }>(box: Box): Box => {
    return { ...box, x: box.x + dx, y: box.y + dy };
  };
  return {
    ...laid,
    lines: laid.lines.map((line) => {
      const pieces = line.pieces.map((piece) => ({ ...piece, x: piece.x + dx }));
      return { ...line, x: line.x + dx, baseline: line.baseline + dy, pieces };
    }),
    grounds: laid.grounds.map(move),
    pictures: laid.pictures.map(move),
    places: laid.places.map(([element, place]) => [element, move(place)] as const),
  };
}

/** All of them in one box of the size of the first. */
export function together(size: { width: number; height: number }, parts: readonly ContentLayout[]): ContentLayout {
  return {
    width: size.width,
    height: size.height,
    lines: parts.flatMap(({ lines }) => lines),
    grounds: parts.flatMap(({ grounds }) => grounds),
    pictures: parts.flatMap(({ pictures }) => pictures),
    places: parts.flatMap(({ places }) => places),
  };
}
