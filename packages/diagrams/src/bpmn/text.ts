// Names in boxes and beside symbols: broken where a line may end, cut where a box is full.

import { el } from "../svg/plain-drawing.ts";
import type { XmlElement } from "../svg/xml.ts";
import { lineBreaks } from "../text/line-breaks.ts";
import type { Typesetter } from "../text/typesetter.ts";
import type { Bounds } from "./model.ts";

const FONT = { family: "Arial", sizePx: 12, weight: 400, italic: false };
const LINE_PX = 14;
const MOST_CHARS = 2_000;
const ELLIPSIS = "…";
export const INK = "#22242a";

/** Where the lines of a text stand in their box. */
export interface LabelPlacement {
  readonly anchor?: "start" | "middle";
  readonly align?: "top" | "middle";
  /** Lines beyond the box are left out, with a sign that they are. */
  readonly isCut?: boolean;
}

export class LabelWriter {
  readonly #typesetter: Typesetter;

  constructor(typesetter: Typesetter) {
    this.#typesetter = typesetter;
  }

  widthPx(text: string): number {
    return this.#typesetter.widthPx(text, FONT);
  }

  inBox(name: string | undefined, { x, y, width, height }: Bounds, setting: LabelPlacement = {}): XmlElement[] {
    const { anchor = "middle", align = "middle", isCut = false } = setting;
    const text = (name ?? "").slice(0, MOST_CHARS).toWellFormed();
    if (text.trim() === "") return [];
    const all = text.split(/\r?\n/).flatMap((line) => this.#broken(line, width));
    const room = Math.max(1, Math.floor(height / LINE_PX));
    const lines = isCut && all.length > room ? [...all.slice(0, room - 1), `${all[room - 1]}${ELLIPSIS}`] : all;
    const left = anchor === "middle" ? x + width / 2 : x;
    const top = align === "middle" ? y + height / 2 - (lines.length * LINE_PX) / 2 : y;
    return lines.map((line, at) => {
      const place = { x: left, y: top + at * LINE_PX + FONT.sizePx - 1 };
      return el("text", { ...place, ...LETTERS, "text-anchor": anchor }, line);
    });
  }

  heightPx(name: string, width: number): number {
    return name.split(/\r?\n/).flatMap((line) => this.#broken(line, width)).length * LINE_PX;
  }

  #broken(text: string, widthPx: number): string[] {
    const allowed = lineBreaks(text);
    const lines: string[] = [];
    let start = 0;
    let last = 0;
    for (let at = 1; at <= text.length; at++) {
      const isEnd = at === text.length || allowed[at] === 1 || /\s/.test(text[at - 1] ?? "");
      if (!isEnd) continue;
      if (last > start && this.widthPx(text.slice(start, at).trimEnd()) > widthPx) {
        lines.push(text.slice(start, last).trim());
        start = last;
      }
      last = at;
    }
    return [...lines, text.slice(start).trim()];
  }
}

const LETTERS = { "font-family": FONT.family, "font-size": FONT.sizePx, fill: INK };
