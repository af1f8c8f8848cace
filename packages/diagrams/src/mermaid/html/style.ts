// The computed values that decide how a label is laid out and how it looks, with their inheritance.

import type { TextStyle } from "../../text/typesetter.ts";
import type { Element } from "../dom/element.ts";
import { parseLength, parseSize, parseWeight } from "../geometry/font-values.ts";

export type Length = { readonly px: number } | { readonly share: number };
export type LineHeight = { readonly type: "normal" } | { readonly type: "factor" | "px"; readonly value: number };
export type VerticalAlign =
  | { readonly type: "baseline" | "sub" | "super" | "top" | "middle" | "bottom" | "text-top" | "text-bottom" }
  | { readonly type: "px"; readonly value: number };

export interface Sides {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface HtmlStyle extends TextStyle {
  readonly color: string;
  readonly background: string | undefined;
  readonly whiteSpace: "normal" | "nowrap" | "pre" | "pre-wrap" | "pre-line" | "break-spaces";
  readonly textAlign: "start" | "left" | "center" | "right" | "end" | "justify";
  readonly lineHeight: LineHeight;
  readonly verticalAlign: VerticalAlign;
  readonly decoration: string | undefined;
  readonly listStyle: string;
  readonly letterSpacingPx: number;
  readonly display: string;
  readonly isHidden: boolean;
  readonly opacity: number;
  readonly margin: Sides;
  readonly padding: Sides;
  readonly borderSpacingPx: number;
  readonly width: Length | undefined;
  readonly height: Length | undefined;
  readonly minWidth: Length | undefined;
  readonly maxWidth: Length | undefined;
  readonly overflowWrap: boolean;
  readonly alignItems: string;
  readonly justifyContent: string;
}

/** The properties that this file reads. */
export const HTML_PROPERTIES =
  "color background background-color white-space text-align line-height vertical-align text-decoration text-decoration-line list-style-type letter-spacing display visibility opacity margin margin-top margin-right margin-bottom margin-left padding padding-top padding-right padding-bottom padding-left border-spacing width height min-width max-width overflow-wrap word-break align-items justify-content".split(
    " ",
  );

const NONE: Sides = { top: 0, right: 0, bottom: 0, left: 0 };

export const INITIAL_HTML: HtmlStyle = {
  family: "sans-serif",
  sizePx: 16,
  weight: 400,
  italic: false,
  color: "black",
  background: undefined,
  whiteSpace: "normal",
  textAlign: "start",
  lineHeight: { type: "normal" },
  verticalAlign: { type: "baseline" },
  decoration: undefined,
  listStyle: "disc",
  letterSpacingPx: 0,
  display: "inline",
  isHidden: false,
  opacity: 1,
  margin: NONE,
  padding: NONE,
  borderSpacingPx: 0,
  width: undefined,
  height: undefined,
  minWidth: undefined,
  maxWidth: undefined,
  overflowWrap: false,
  alignItems: "normal",
  justifyContent: "normal",
};

export type StyleLookup = (property: string) => string | undefined;

/** `declared` knows both the author's and the browser's stylesheet. */
export function computeHtml(inherited: HtmlStyle, element: Element, declared: StyleLookup): HtmlStyle {
  const own = (property: string) => {
    const value = declared(property);
    return value === undefined || /^(?:inherit|unset|revert)$/.test(value) ? undefined : value;
  };
  const family = own("font-family") ?? element.getAttribute("face") ?? undefined;
  const sizePx = parseSize(own("font-size") ?? attributeSize(element), inherited.sizePx);
  const sides = (name: string): Sides => {
    const all = (own(name) ?? "").split(/\s+/).filter((part) => part !== "");
    const [top = "0", right = top, bottom = top, left = right] = all;
    const side = (each: string, general: string) => px(own(`${name}-${each}`) ?? general, sizePx);
    return {
      top: side("top", top),
      right: side("right", right),
      bottom: side("bottom", bottom),
      left: side("left", left),
    };
  };
  const decoration = own("text-decoration-line") ?? own("text-decoration");
  const spacing = own("letter-spacing");
  const wraps = own("overflow-wrap") ?? own("word-break");
  const slant = own("font-style");
  return {
    family: family ?? inherited.family,
    sizePx,
    weight: parseWeight(own("font-weight"), inherited.weight),
    italic: slant === undefined ? inherited.italic : slant !== "normal",
    color: own("color") ?? element.getAttribute("color") ?? inherited.color,
    background: background(own("background-color") ?? own("background")),
    whiteSpace: (own("white-space") as HtmlStyle["whiteSpace"] | undefined) ?? inherited.whiteSpace,
    textAlign:
      ((own("text-align") ?? element.getAttribute("align")) as HtmlStyle["textAlign"] | null) ?? inherited.textAlign,
    lineHeight: lineHeight(own("line-height"), sizePx) ?? inherited.lineHeight,
    verticalAlign: verticalAlign(own("vertical-align"), sizePx),
    // A line under a word goes on under what is inside it, in whatever style.
    decoration: decoration === undefined ? inherited.decoration : decorations(decoration, inherited.decoration),
    listStyle: own("list-style-type") ?? inherited.listStyle,
    letterSpacingPx: spacing === undefined ? inherited.letterSpacingPx : px(spacing, sizePx),
    display: own("display") ?? "inline",
    isHidden: own("visibility") === undefined ? inherited.isHidden : own("visibility") !== "visible",
    opacity: inherited.opacity * share(own("opacity")),
    margin: sides("margin"),
    padding: sides("padding"),
    borderSpacingPx: px(own("border-spacing") ?? "0", sizePx),
    width: length(own("width") ?? element.getAttribute("width") ?? undefined, sizePx),
    height: length(own("height") ?? element.getAttribute("height") ?? undefined, sizePx),
    minWidth: length(own("min-width"), sizePx),
    maxWidth: length(own("max-width"), sizePx),
    overflowWrap: wraps === undefined ? inherited.overflowWrap : /^(?:break-word|anywhere|break-all)$/.test(wraps),
    alignItems: own("align-items") ?? "normal",
    justifyContent: own("justify-content") ?? "normal",
  };
}

const FONT_TAG_SIZES = ["x-small", "small", "medium", "large", "x-large", "xx-large", "48px"];

function attributeSize(element: Element): string | undefined {
  const size = element.localName === "font" ? element.getAttribute("size") : null;
  if (size === null) return undefined;
  const number = Number.parseInt(size, 10) + (/^[+-]/.test(size) ? 3 : 0);
  return Number.isNaN(number) ? undefined : FONT_TAG_SIZES[Math.min(7, Math.max(1, number)) - 1];
}

function background(value: string | undefined): string | undefined {
  if (value === undefined || /^(?:none|transparent|initial|rgba\(0, ?0, ?0, ?0\))$/i.test(value)) return undefined;
  return value;
}

function decorations(value: string, inherited: string | undefined): string | undefined {
  const lines = (value.match(/underline|line-through|overline/g) ?? []).join(" ");
  return [inherited, lines].filter((each) => each !== undefined && each !== "").join(" ") || undefined;
}

function lineHeight(value: string | undefined, sizePx: number): LineHeight | undefined {
  if (value === undefined) return undefined;
  if (value === "normal") return { type: "normal" };
  if (/^[\d.]+$/.test(value)) return { type: "factor", value: Number(value) };
  if (value.endsWith("%")) return { type: "px", value: (sizePx * Number.parseFloat(value)) / 100 };
  const number = parseLength(value, sizePx);
  return Number.isNaN(number) ? undefined : { type: "px", value: number };
}

function verticalAlign(value: string | undefined, sizePx: number): VerticalAlign {
  if (value === undefined) return { type: "baseline" };
  if (/^(?:baseline|sub|super|top|middle|bottom|text-top|text-bottom)$/.test(value))
    return { type: value } as VerticalAlign;
  const number = parseLength(value, sizePx);
  return Number.isNaN(number) ? { type: "baseline" } : { type: "px", value: number };
}

function length(value: string | undefined, sizePx: number): Length | undefined {
  if (value === undefined || /^(?:auto|none|fit-content|max-content|min-content|normal)$/.test(value)) return undefined;
  if (value.endsWith("%")) return { share: Number.parseFloat(value) / 100 };
  const number = parseLength(value, sizePx);
  return Number.isFinite(number) && number >= 0 ? { px: number } : undefined;
}

/** In pixels; undefined for none, and for a share of what is not known. */
export function resolved(length: Length | undefined, of: number | undefined): number | undefined {
  if (length === undefined) return undefined;
  if ("px" in length) return length.px;
  return of === undefined || !Number.isFinite(of) ? undefined : of * length.share;
}

function px(value: string, sizePx: number): number {
  const number = parseLength(value, sizePx);
  return Number.isFinite(number) ? number : 0;
}

function share(value: string | undefined): number {
  const number = value === undefined ? 1 : Number.parseFloat(value) * (value.endsWith("%") ? 0.01 : 1);
  return number >= 0 && number <= 1 ? number : 1;
}
