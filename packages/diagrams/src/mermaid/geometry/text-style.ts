// The computed values that decide how a text is measured: fonts, anchor and baseline, with their inheritance.

import { Cascade } from "../../svg/cascade.ts";
import type { TextStyle } from "../../text/typesetter.ts";
import type { Document } from "../dom/document.ts";
import type { Element } from "../dom/element.ts";

export interface ComputedStyle extends TextStyle {
  readonly anchor: string;
  readonly baseline: string;
  readonly letterSpacingPx: number;
  readonly preserveSpace: boolean;
  readonly display: string;
}

const PROPERTIES = new Set([
  "font",
  "font-size",
  "font-family",
  "font-weight",
  "font-style",
  "text-anchor",
  "dominant-baseline",
  "letter-spacing",
  "white-space",
  "display",
]);

// What a page without a stylesheet has.
const INITIAL: ComputedStyle = {
  family: "sans-serif",
  sizePx: 16,
  weight: 400,
  italic: false,
  anchor: "start",
  baseline: "auto",
  letterSpacingPx: 0,
  preserveSpace: false,
  display: "inline",
};

const SIZE_WORDS: Readonly<Record<string, number>> = {
  "xx-small": 9,
  "x-small": 10,
  small: 13,
  medium: 16,
  large: 18,
  "x-large": 24,
  "xx-large": 32,
};

export class TextStyles {
  readonly #document: Document;
  #cascade = new Cascade();
  #stylesheet = "";
  #version = -1;
  readonly #memo = new Map<Element, ComputedStyle>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** Before a measurement: what is remembered holds until the document changes. */
  begin(): void {
    if (this.#version === this.#document.version) return;
    this.#version = this.#document.version;
    this.#memo.clear();
    const sheets = this.#document.stylesheets().map((sheet) => sheet.textContent);
    const text = sheets.length === 1 ? (sheets[0] ?? "") : sheets.join("\n");
    if (text === this.#stylesheet) return;
    this.#stylesheet = text;
    this.#cascade = new Cascade((property) => PROPERTIES.has(property)).add(text);
  }

  of(element: Element): ComputedStyle {
    const known = this.#memo.get(element);
    if (known !== undefined) return known;
    const parent = element.parentElement;
    const inherited = parent === null ? INITIAL : this.of(parent);
    const computed = compute(inherited, element, this.#cascade.declared(element));
    this.#memo.set(element, computed);
    return computed;
  }
}

function compute(
  inherited: ComputedStyle,
  element: Element,
  declared: ReadonlyMap<string, string> | undefined,
): ComputedStyle {
  const value = (property: string) => declared?.get(property) ?? element.getAttribute(property) ?? undefined;
  const shorthand = parseShorthand(declared?.get("font"));
  const size = declared?.get("font-size") ?? shorthand?.size ?? element.getAttribute("font-size");
  const sizePx = parseSize(size ?? undefined, inherited.sizePx);
  const weight = value("font-weight") ?? shorthand?.weight;
  const slant = value("font-style") ?? shorthand?.slant;
  const spacing = value("letter-spacing");
  const space = declared?.get("white-space") ?? element.getAttribute("xml:space");
  return {
    family: own(value("font-family") ?? shorthand?.family) ?? inherited.family,
    sizePx,
    weight: parseWeight(weight, inherited.weight),
    italic: own(slant) === undefined ? inherited.italic : slant !== "normal",
    anchor: own(value("text-anchor")) ?? inherited.anchor,
    baseline: own(value("dominant-baseline")) ?? inherited.baseline,
    letterSpacingPx: own(spacing) === undefined ? inherited.letterSpacingPx : parseLength(spacing ?? "", sizePx),
    preserveSpace: space === null ? inherited.preserveSpace : /^(?:preserve|pre|break-spaces)/.test(space),
    display: declared?.get("display") ?? element.getAttribute("display") ?? "inline",
  };
}

function own(value: string | undefined): string | undefined {
  return value === undefined || value === "inherit" || value === "unset" || value === "" ? undefined : value;
}

function parseShorthand(font: string | undefined) {
  const found = /^(.*?)([\d.]+(?:px|em|rem|pt|%))(?:\/\S+)?\s+(.+)$/.exec(font ?? "");
  if (found === null) return undefined;
  const [, before = "", size = "", family = ""] = found;
  return {
    size,
    family,
    weight: /\b(?:bold|bolder|lighter|[1-9]00)\b/.exec(before)?.[0] ?? "normal",
    slant: /\b(?:italic|oblique)\b/.test(before) ? "italic" : "normal",
  };
}

function parseSize(text: string | undefined, inheritedPx: number): number {
  const size = own(text)?.trim();
  if (size === undefined) return inheritedPx;
  const word = SIZE_WORDS[size];
  if (word !== undefined) return word;
  if (size === "smaller") return inheritedPx / 1.2;
  if (size === "larger") return inheritedPx * 1.2;
  if (size.endsWith("%")) return (inheritedPx * Number.parseFloat(size)) / 100;
  const px = parseLength(size, inheritedPx);
  return Number.isFinite(px) && px >= 0 ? px : inheritedPx;
}

function parseWeight(text: string | undefined, inherited: number): number {
  const weight = own(text);
  if (weight === undefined) return inherited;
  if (weight === "normal") return 400;
  if (weight === "bold") return 700;
  if (weight === "bolder") return inherited < 400 ? 400 : inherited < 600 ? 700 : 900;
  if (weight === "lighter") return inherited < 600 ? 100 : inherited < 800 ? 400 : 700;
  const number = Number(weight);
  return number >= 1 && number <= 1000 ? number : inherited;
}

/** A length in px; `em` means the font's own size. NaN when it is none. */
export function parseLength(text: string, emPx: number): number {
  const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(px|em|rem|ex|pt|in|cm|mm)?\s*$/i.exec(text);
  if (found === null) return Number.NaN;
  const number = Number(found[1]);
  switch (found[2]?.toLowerCase()) {
    case "em":
      return number * emPx;
    case "rem":
      return number * 16;
    case "ex":
      return number * emPx * 0.5283;
    case "pt":
      return (number * 4) / 3;
    case "in":
      return number * 96;
    case "cm":
      return (number * 96) / 2.54;
    case "mm":
      return (number * 96) / 25.4;
    default:
      return number;
  }
}
