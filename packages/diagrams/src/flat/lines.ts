// Lines of text as every viewer places them: absolute, on the alphabetic baseline, with the spaces that are to be seen.

import { XmlElement } from "../svg/xml.ts";
import { wholeLinePx } from "../text/line-height.ts";
import { fontSizePx, lengthPx } from "./lengths.ts";

export function placeLines(root: XmlElement): void {
  for (const element of root.descendants()) if (element.localName === "text") placeText(element);
}

/**
 * Lines as absolute places. resvg moves by dy the first letter of a line as it is written, not as it is read: in Arabic and
 * Hebrew that one letter alone would be moved.
 */
function placeText(text: XmlElement): void {
  let y = 0;
  const place = (element: XmlElement, sizePx: number) => {
    const ownSizePx = fontSizePx(element.attributes.get("font-size"), sizePx);
    const [ownY, ownDy] = ["y", "dy"].map((name) => lengthPx(element.attributes.get(name), ownSizePx));
    // Of two moves of the same letter, the inner one counts.
    const dy = element === text && startsWithMove(element) && ownDy !== undefined ? 0 : ownDy;
    const startsLine = element === text || ownY !== undefined || element.attributes.has("x");
    if (startsLine && (ownY !== undefined || dy !== undefined)) {
      y = (ownY ?? y) + (dy ?? 0);
      element.attributes.set("y", short(y));
      element.attributes.delete("dy");
    }
    for (const child of element.elements) place(child, ownSizePx);
  };
  place(text, inheritedSizePx(text));
}

function startsWithMove(text: XmlElement): boolean {
  const [first] = text.children.filter((child) => typeof child !== "string" || child.trim() !== "");
  return first instanceof XmlElement && first.attributes.has("dy");
}

function inheritedSizePx(element: XmlElement): number {
  for (let at = element.parentElement; at !== null; at = at.parentElement)
    if (at.attributes.has("font-size")) return fontSizePx(at.attributes.get("font-size"), 16);
  return 16;
}

// Of Arimo and Arial, as shares of the size.
const ASCENT = 0.9053;
const DESCENT = 0.2119;
const X_HEIGHT = 0.5273;

/** How far below its place the alphabetic baseline of a text is; undefined for a baseline that is the alphabetic one. */
function shiftPx(baseline: string, sizePx: number): number | undefined {
  const { ascentPx, descentPx } = wholeLinePx(ASCENT, DESCENT, sizePx);
  switch (baseline) {
    case "middle":
      return (X_HEIGHT * sizePx) / 2;
    case "central":
      // Browsers draw a line on whole pixels, and of two as near they take the lower.
      return Math.round((ascentPx - descentPx) / 2);
    case "mathematical":
      return ascentPx / 2;
    case "hanging":
      return ascentPx * 0.8;
    case "text-before-edge":
    case "before-edge":
    case "text-top":
      return ascentPx;
    case "text-after-edge":
    case "after-edge":
    case "text-bottom":
    case "ideographic":
      return -descentPx;
    default:
      return undefined;
  }
}

/** librsvg and Inkscape place every text on the alphabetic baseline, so texts are moved by the difference. */
export function alphabeticBaselines(root: XmlElement): void {
  const walk = (element: XmlElement, inherited: string, sizePx: number) => {
    const baseline = element.attributes.get("dominant-baseline") ?? inherited;
    const ownSizePx = fontSizePx(element.attributes.get("font-size"), sizePx);
    element.attributes.delete("dominant-baseline");
    const byPx = element.localName === "text" ? shiftPx(baseline, ownSizePx) : undefined;
    if (byPx === undefined) for (const child of element.elements) walk(child, baseline, ownSizePx);
    else if (canMove(element)) lower(element, byPx);
    else element.attributes.set("dominant-baseline", baseline);
  };
  walk(root, "auto", 16);
}

/** A line whose parts have sizes or baselines of their own is moved in parts, which only its viewer can do. */
function canMove(text: XmlElement): boolean {
  for (const each of text.descendants()) {
    const { attributes } = each;
    if (each.localName !== "tspan" || attributes.has("font-size") || attributes.has("dy")) return false;
    if (attributes.has("dominant-baseline") || attributes.has("alignment-baseline")) return false;
    if (attributes.has("y") && lengthPx(attributes.get("y"), 0) === undefined) return false;
  }
  const { attributes } = text;
  return !attributes.has("dy") && (!attributes.has("y") || lengthPx(attributes.get("y"), 0) !== undefined);
}

function lower(text: XmlElement, byPx: number): void {
  for (const each of [text, ...text.descendants()]) {
    const y = each.attributes.get("y");
    if (y !== undefined || each === text) each.attributes.set("y", short((lengthPx(y, 0) ?? 0) + byPx));
  }
  // Of the text itself a browser takes no notice of it.
  text.attributes.delete("alignment-baseline");
}

/**
 * White space as browsers show it: runs as one space, none at the ends of a text. Other viewers also leave out a space at the
 * start of a part, so what is left is marked as meant.
 */
export function shownSpaces(root: XmlElement): void {
  const texts = [...root.descendants()].filter(({ localName }) => localName === "text");
  for (const text of texts) {
    if (!isKept(text)) collapse(text);
    if (/\s\s/.test(text.text) || hasSpaceAtEnd(text)) text.attributes.set("xml:space", "preserve");
    else text.attributes.delete("xml:space");
  }
}

/** At an end of a part: librsvg leaves those out. */
function hasSpaceAtEnd(element: XmlElement): boolean {
  return element.children.some((child) => (child instanceof XmlElement ? hasSpaceAtEnd(child) : /^\s|\s$/.test(child)));
}

function isKept(text: XmlElement): boolean {
  for (let at: XmlElement | null = text; at !== null; at = at.parentElement) {
    const space = at.attributes.get("xml:space");
    if (space !== undefined) return space === "preserve";
  }
  return false;
}

function collapse(text: XmlElement): void {
  let before = " ";
  let last: { readonly of: XmlElement; readonly at: number } | undefined;
  const walk = (element: XmlElement, keeps: boolean) => {
    const isOwn = element.attributes.get("xml:space");
    const kept = isOwn === undefined ? keeps : isOwn === "preserve";
    for (const [at, child] of element.children.entries()) {
      if (child instanceof XmlElement) {
        walk(child, kept);
        continue;
      }
      let shown = kept ? child.replace(/[\t\n\r]/g, " ") : child.replace(/[\t\n\r ]+/g, " ");
      if (!kept && before === " " && shown.startsWith(" ")) shown = shown.slice(1);
      element.children[at] = shown;
      if (shown === "") continue;
      before = kept ? "" : shown.slice(-1);
      last = { of: element, at };
    }
  };
  walk(text, false);
  const end = last && before === " " ? last.of.children[last.at] : undefined;
  if (last !== undefined && typeof end === "string") last.of.children[last.at] = end.slice(0, -1);
}

function short(number: number): string {
  return String(Math.round(number * 1000) / 1000);
}
