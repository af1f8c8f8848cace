// A text as its lines, each with its place and with parts that look alike. A line begins where a place is given.

import { fontSizePx, lengthPx } from "../flat/lengths.ts";
import type { XmlElement } from "../svg/xml.ts";
import type { TextStyle } from "../text/typesetter.ts";

export interface TextLine {
  readonly x: number;
  readonly anchor: "start" | "middle" | "end";
  readonly parts: readonly TextPart[];
}

export interface TextPart {
  readonly text: string;
  readonly style: TextStyle;
  /** Of its baseline. */
  readonly y: number;
  /** Moved from where the part before it ends. */
  readonly dx: number;
  readonly letterSpacingPx: number;
  readonly decorations: readonly string[];
  /** The declarations of its colours, inside the text. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Of placing and of letters: paths have none of it. */
const OF_TEXT =
  /^(?:x|y|dx|dy|rotate|textLength|lengthAdjust|font-.*|font|text-anchor|text-decoration|letter-spacing|word-spacing|baseline-shift|dominant-baseline|alignment-baseline|writing-mode|direction|unicode-bidi|xml:space|text-rendering)$/;

/** Undefined where a letter has a place of its own, or lies along a path. */
export function linesOf(text: XmlElement): TextLine[] | undefined {
  const all = [text, ...text.descendants()];
  if (all.some(isOutOfLine)) return undefined;
  const lines: { x: number; anchor: TextLine["anchor"]; parts: TextPart[] }[] = [];
  let y = 0;
  const walk = (element: XmlElement, around: TextContext) => {
    if (element.localName === "title" || element.localName === "desc") return;
    const { attributes } = element;
    const sizePx = fontSizePx(attributes.get("font-size"), around.sizePx);
    const length = (name: string) => lengthPx(attributes.get(name), sizePx);
    const [x, ownY] = [length("x"), length("y")];
    y = (ownY ?? y) + (length("dy") ?? 0) - shiftPx(attributes.get("baseline-shift"), sizePx);
    if (element === text || x !== undefined || ownY !== undefined) {
      const anchor = anchorOf(element);
      lines.push({ x: x ?? lines.at(-1)?.x ?? 0, anchor, parts: [] });
    }
    const own = attributesOf(element, element === text ? new Map() : around.attributes, element === text);
    const decoration = attributes.get("text-decoration");
    const decorations =
      decoration === undefined || decoration === "none"
        ? around.decorations
        : [...around.decorations, ...decoration.split(" ")];
    const letterSpacingPx = length("letter-spacing") ?? around.letterSpacingPx;
    const inside: TextContext = { sizePx, attributes: own, decorations, letterSpacingPx };
    let dx = length("dx") ?? 0;
    const baselineY = y + middlePx(attributes.get("dominant-baseline"), sizePx);
    for (const child of element.children) {
      if (typeof child !== "string") {
        const before = y;
        walk(child, inside);
        if (child.attributes.has("baseline-shift")) y = before;
        continue;
      }
      if (child === "") continue;
      const style = styleOf(element, sizePx);
      lines.at(-1)?.parts.push({ text: child, style, y: baselineY, dx, letterSpacingPx, decorations, attributes: own });
      dx = 0;
    }
  };
  walk(text, { sizePx: inheritedSizePx(text), attributes: new Map(), decorations: [], letterSpacingPx: 0 });
  return lines.map((line) => ({ ...line, parts: merged(line.parts) })).filter(({ parts }) => parts.length > 0);
}

interface TextContext {
  readonly sizePx: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly decorations: readonly string[];
  readonly letterSpacingPx: number;
}

export function pathAttributes(element: XmlElement): [string, string][] {
  return [...element.attributes].filter(([name]) => !OF_TEXT.test(name));
}

function attributesOf(
  element: XmlElement,
  around: ReadonlyMap<string, string>,
  isText: boolean,
): ReadonlyMap<string, string> {
  return isText ? around : new Map([...around, ...pathAttributes(element)]);
}

function isOutOfLine({ localName, attributes }: XmlElement): boolean {
  if (localName === "textPath" || attributes.has("rotate")) return true;
  return ["x", "y", "dx", "dy"].some((name) => /\S[\s,]+\S/.test(attributes.get(name)?.trim() ?? ""));
}

/** Neighbours that look alike are one: Mermaid writes every word on its own, and Arabic words want their neighbours. */
function merged(parts: readonly TextPart[]): TextPart[] {
  const found: TextPart[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (last !== undefined && part.dx === 0 && looks(last) === looks(part))
      found[found.length - 1] = { ...last, text: last.text + part.text };
    else found.push(part);
  }
  return found;
}

function looks({ style, y, letterSpacingPx, decorations, attributes }: TextPart): string {
  return JSON.stringify([style, y, letterSpacingPx, decorations, [...attributes].sort()]);
}

export function styleOf(element: XmlElement, sizePx: number): TextStyle {
  const weight = inherited(element, "font-weight") ?? "400";
  return {
    family: inherited(element, "font-family") ?? "sans-serif",
    sizePx,
    weight: /^bold/.test(weight) ? 700 : Number.parseInt(weight, 10) || 400,
    italic: /^(?:italic|oblique)/.test(inherited(element, "font-style") ?? ""),
  };
}

function anchorOf(element: XmlElement): TextLine["anchor"] {
  const anchor = inherited(element, "text-anchor");
  return anchor === "middle" || anchor === "end" ? anchor : "start";
}

function inheritedSizePx(text: XmlElement): number {
  const sizes: string[] = [];
  for (let at = text.parentElement; at !== null; at = at.parentElement) {
    const size = at.attributes.get("font-size");
    if (size !== undefined) sizes.unshift(size);
  }
  return sizes.reduce((px, size) => fontSizePx(size, px), 16);
}

export function inherited(element: XmlElement, name: string): string | undefined {
  for (let at: XmlElement | null = element; at !== null; at = at.parentElement) {
    const value = at.attributes.get(name);
    if (value !== undefined && value !== "inherit") return value;
  }
  return undefined;
}

function shiftPx(value: string | undefined, sizePx: number): number {
  if (value === "super") return sizePx * 0.4;
  if (value === "sub") return sizePx * -0.2;
  if (value?.endsWith("%")) return (sizePx * Number.parseFloat(value)) / 100;
  return lengthPx(value, sizePx) ?? 0;
}

/** Other steps have made most baselines alphabetic. */
function middlePx(baseline: string | undefined, sizePx: number): number {
  if (baseline === "middle" || baseline === "central") return sizePx * 0.35;
  if (baseline === "hanging" || baseline === "text-before-edge") return sizePx * 0.9;
  return 0;
}
