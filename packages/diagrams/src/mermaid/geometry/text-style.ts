// The computed values that decide how a text is measured: fonts, anchor and baseline, with their inheritance.

import { Cascade } from "../../svg/cascade.ts";
import type { TextStyle } from "../../text/typesetter.ts";
import { HTML } from "../dom/attributed.ts";
import type { Document } from "../dom/document.ts";
import type { Element } from "../dom/element.ts";
import { browserStyles } from "../html/browser-styles.ts";
import { computeHtml, HTML_PROPERTIES, type HtmlStyle, INITIAL_HTML } from "../html/style.ts";
import { own, parseLength, parseSize, parseWeight } from "./font-values.ts";

export interface ComputedStyle extends TextStyle {
  readonly anchor: string;
  readonly baseline: string;
  readonly letterSpacingPx: number;
  readonly preserveSpace: boolean;
  readonly display: string;
}

const PROPERTIES = new Set([
  ...HTML_PROPERTIES,
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

export class TextStyles {
  readonly #document: Document;
  #cascade = new Cascade();
  #stylesheet = "";
  #version = -1;
  readonly #memo = new Map<Element, ComputedStyle>();
  readonly #html = new Map<Element, HtmlStyle>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** Before a measurement: what is remembered holds until the document changes. */
  begin(): void {
    if (this.#version === this.#document.version) return;
    this.#version = this.#document.version;
    this.#memo.clear();
    this.#html.clear();
    const sheets = this.#document.stylesheets().map((sheet) => sheet.textContent);
    const text = sheets.length === 1 ? (sheets[0] ?? "") : sheets.join("\n");
    if (text === this.#stylesheet) return;
    this.#stylesheet = text;
    this.#cascade = new Cascade((property) => PROPERTIES.has(property) || property.startsWith("--")).add(text);
  }

  of(element: Element): ComputedStyle {
    const known = this.#memo.get(element);
    if (known !== undefined) return known;
    const parent = element.parentElement;
    const inherited = parent === null ? INITIAL : this.of(parent);
    const computed = compute(inherited, element, this.#declared(element));
    this.#memo.set(element, computed);
    return computed;
  }

  /** With the values of variables in their places. */
  #declared(element: Element): Map<string, string> | undefined {
    const declared = this.#cascade.declared(element);
    for (const [property, value] of declared ?? [])
      if (value.includes("var(")) declared?.set(property, this.#withVariables(value, element));
    return declared;
  }

  #withVariables(value: string, element: Element, depth = 0): string {
    return value.replace(/var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g, (_, name: string, otherwise = "") => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const found = this.#cascade.declared(at)?.get(name);
        if (found !== undefined) return depth > 4 ? "" : this.#withVariables(found, at, depth + 1);
      }
      return otherwise;
    });
  }

  /** For HTML, and for what it inherits from the SVG around it. */
  html(element: Element): HtmlStyle {
    const known = this.#html.get(element);
    if (known !== undefined) return known;
    const parent = element.parentElement;
    const inherited = parent === null ? INITIAL_HTML : this.html(parent);
    const author = this.#declared(element);
    const isHtml = element.namespaceURI === HTML;
    const browser = isHtml ? browserStyles.declared(element) : undefined;
    const computed = computeHtml(inherited, element, (property) => {
      const said = author?.get(property);
      if (said !== undefined) return said;
      // The author's "margin" is stronger than the browser's "margin-top".
      const [shorthand] = /^(?:margin|padding)(?=-)/.exec(property) ?? [];
      if (shorthand !== undefined && author?.has(shorthand)) return undefined;
      return browser?.get(property) ?? (isHtml ? undefined : presentation(element, property));
    });
    this.#html.set(element, computed);
    return computed;
  }
}

/** What SVG says by an attribute, of the properties that text inherits. */
function presentation(element: Element, property: string): string | undefined {
  return /^(?:font-|color$|letter-spacing$|visibility$)/.test(property)
    ? (element.getAttribute(property) ?? undefined)
    : undefined;
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
