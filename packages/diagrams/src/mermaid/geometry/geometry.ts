// What a browser answers when asked how large something is: getBBox, getBoundingClientRect, getComputedTextLength and the like.

import type { Typesetter } from "../../text/typesetter.ts";
import { Element } from "../dom/element.ts";
import type { ContentLayout } from "../html/laid-out.ts";
import { layoutHtml } from "../html/layout.ts";
import { type Box, IDENTITY, type Matrix, multiply, NO_BOX, parseTransform, transformBox, union } from "./box.ts";
import { parseLength } from "./font-values.ts";
import { type Point, pathBox, pathLength, pointAtLength } from "./path.ts";
import { layoutText } from "./text-layout.ts";
import type { TextStyles } from "./text-style.ts";

// The page a diagram is laid out on. mermaid-cli has the same, so a gantt chart comes out as wide as there.
export const PAGE_WIDTH_PX = 800;
const PAGE_HEIGHT_PX = 600;
// What an svg without any size is given by a browser.
const DEFAULT_HEIGHT_PX = 150;

const CONTAINERS = new Set(["g", "a", "svg", "switch"]);
const TEXT_PARTS = new Set(["tspan", "textPath", "a"]);

export class Geometry {
  readonly #styles: TextStyles;
  readonly #typesetter: Typesetter;

  constructor(styles: TextStyles, typesetter: Typesetter) {
    this.#styles = styles;
    this.#typesetter = typesetter;
  }

  box(element: Element): Box {
    this.#styles.begin();
    return this.#box(element) ?? NO_BOX;
  }

  /** On the page, whose corner we take to be that of the svg. */
  clientBox(element: Element): Box {
    this.#styles.begin();
    if (!isSvg(element)) return this.#htmlBox(element);
    if (element.localName === "svg" && !isSvgParent(element)) return { ...NO_BOX, ...svgSize(element) };
    const box = this.#box(element);
    return box === undefined ? NO_BOX : transformBox(this.toPage(element), box);
  }

  textLength(element: Element): number {
    this.#styles.begin();
    const text = textOf(element);
    if (text === undefined) return 0;
    return layoutText(text, this.#styles, this.#typesetter)
      .filter(({ owner }) => contains(element, owner))
      .reduce((sum, { widthPx }) => sum + widthPx, 0);
  }

  style(element: Element) {
    this.#styles.begin();
    return this.#styles.of(element);
  }

  /** As a canvas measures: `font` is CSS's shorthand. */
  plainTextWidthPx(text: string, font: string): number {
    const [, slant = "", weight = "", size = "10", family = "sans-serif"] =
      /^(italic )?\s*(?:normal )?(bold|\d{3})?\s*([\d.]+)px\s+(.*)$/.exec(font) ?? [];
    const style = {
      family,
      sizePx: Number(size),
      weight: weight === "bold" ? 700 : Number(weight) || 400,
      italic: slant !== "",
    };
    return this.#typesetter.widthPx(text, style);
  }

  pathLength(element: Element): number {
    return pathLength(shapePath(element));
  }

  pointAtLength(element: Element, length: number): Point {
    return pointAtLength(shapePath(element), length);
  }

  /** In the element's own coordinates; undefined where it has no box, so that it adds nothing to its parent's. */
  #box(element: Element): Box | undefined {
    const name = element.localName;
    if (name === "text") return this.#textBox(element, element);
    if (TEXT_PARTS.has(name)) {
      const text = textOf(element);
      if (text !== undefined) return this.#textBox(text, element);
    }
    if (CONTAINERS.has(name)) return this.#childrenBox(element);
    return shapeBox(element);
  }

  #childrenBox(element: Element): Box | undefined {
    let box: Box | undefined;
    for (let child = element.firstChild; child !== null; child = child.nextSibling) {
      if (!(child instanceof Element) || isFlat(child) || this.#styles.of(child).display === "none") continue;
      const own = this.#box(child);
      if (own !== undefined && !isNowhere(child, own)) box = union(box, transformBox(localMatrix(child), own));
    }
    return box;
  }

  #textBox(text: Element, part: Element): Box | undefined {
    let box: Box | undefined;
    for (const fragment of layoutText(text, this.#styles, this.#typesetter))
      if (part === text || contains(part, fragment.owner)) box = union(box, fragment.box);
    // A text of empty tspans has no size but a place, in browsers.
    return box ?? (text.firstElementChild === null ? undefined : NO_BOX);
  }

  /** From the coordinates inside an element to those of the page. */
  toPage(element: Element): Matrix {
    let matrix = IDENTITY;
    for (let at: Element | null = element; at !== null && isSvg(at); at = at.parentElement)
      matrix = multiply(localMatrix(at), matrix);
    return matrix;
  }

  /** The HTML directly in a foreignObject, with all that is in it, from the corner of that. */
  layoutHtml(element: Element): ContentLayout {
    this.#styles.begin();
    return layoutHtml(element, roomOf(element), (each) => this.#styles.html(each), this.#typesetter);
  }

  noteMissing(texts: readonly string[]): void {
    for (const text of texts) this.#typesetter.noteMissing(text);
  }

  #htmlBox(element: Element): Box {
    for (let at: Element | null = element; at !== null; at = at.parentElement)
      if (this.#styles.of(at).display === "none") return NO_BOX;
    if (element.localName === "body" || element.localName === "html" || hasSvg(element))
      return { x: 0, y: 0, width: PAGE_WIDTH_PX, height: PAGE_HEIGHT_PX };
    const outermost = outermostHtml(element);
    const laid = this.layoutHtml(outermost);
    const place = laid.places.find(([each]) => each === element)?.[1] ?? inlinePlace(laid, element);
    const object = outermost.parentElement;
    if (place === undefined || object === null || !isSvg(object)) return place ?? NO_BOX;
    const corner = shapeBox(object) ?? NO_BOX;
    return transformBox(this.toPage(object), { ...place, x: corner.x + place.x, y: corner.y + place.y });
  }
}

function outermostHtml(element: Element): Element {
  let at = element;
  for (let up = at.parentElement; up !== null && !isSvg(up) && up.localName !== "body"; up = up.parentElement) at = up;
  return at;
}

/** In a foreignObject what that says; on the page its width. */
function roomOf(element: Element): { width: number; height: number | undefined } {
  const around = element.parentElement;
  if (around === null || !isSvg(around)) return { width: PAGE_WIDTH_PX, height: undefined };
  const { width, height } = shapeBox(around) ?? NO_BOX;
  return { width, height };
}

/** The box around the texts of an inline element. */
function inlinePlace({ lines }: ContentLayout, element: Element): Box | undefined {
  let box: Box | undefined;
  for (const { baseline, pieces } of lines) {
    for (const { owner, x, widthPx, style } of pieces) {
      if (!contains(element, owner)) continue;
      box = union(box, { x, y: baseline - style.sizePx, width: widthPx, height: style.sizePx * 1.2 });
    }
  }
  return box;
}

function shapeBox(element: Element): Box | undefined {
  const length = (name: string) => {
    const value = parseLength(element.getAttribute(name) ?? "", 16);
    return Number.isNaN(value) ? 0 : value;
  };
  switch (element.localName) {
    case "rect":
    case "image":
    case "foreignObject":
    case "use": {
      const width = length("width");
      const height = length("height");
      if (width < 0 || height < 0) return undefined;
      return { x: length("x"), y: length("y"), width, height };
    }
    case "circle":
    case "ellipse": {
      const rx = element.localName === "circle" ? length("r") : length("rx");
      const ry = element.localName === "circle" ? rx : length("ry");
      if (rx < 0 || ry < 0) return undefined;
      return { x: length("cx") - rx, y: length("cy") - ry, width: 2 * rx, height: 2 * ry };
    }
    case "line":
    case "polyline":
    case "polygon":
    case "path":
      return pathBox(shapePath(element));
    default:
      return undefined;
  }
}

/** Chromium leaves out a group whose box is a point at its origin, unless a text of its own put it there. */
function isNowhere(element: Element, { x, y, width, height }: Box): boolean {
  if (x !== 0 || y !== 0 || width !== 0 || height !== 0 || !CONTAINERS.has(element.localName)) return false;
  return element.children.every((child) => child.localName !== "text");
}

/** A rectangle or circle without a side is not drawn, so it adds nothing to the box of its group. */
function isFlat(element: Element): boolean {
  const none = (name: string) => !(Number.parseFloat(element.getAttribute(name) ?? "0") > 0);
  switch (element.localName) {
    case "rect":
    case "image":
    case "foreignObject":
      return none("width") || none("height");
    case "circle":
      return none("r");
    case "ellipse":
      return none("rx") || none("ry");
    default:
      return false;
  }
}

function shapePath(element: Element): string {
  const attribute = (name: string) => element.getAttribute(name) ?? "0";
  switch (element.localName) {
    case "path":
      return element.getAttribute("d") ?? "";
    case "line":
      return `M${attribute("x1")},${attribute("y1")}L${attribute("x2")},${attribute("y2")}`;
    case "polyline":
    case "polygon": {
      const points = (element.getAttribute("points") ?? "").trim();
      return points === "" ? "" : `M${points}${element.localName === "polygon" ? "Z" : ""}`;
    }
    default:
      return "";
  }
}

/** From the coordinates inside an element to those of its parent. */
function localMatrix(element: Element): Matrix {
  const matrix = parseTransform(element.getAttribute("transform"));
  return element.localName === "svg" ? multiply(matrix, viewBoxMatrix(element)) : matrix;
}

function viewBoxMatrix(svg: Element): Matrix {
  const number = (name: string) => Number.parseFloat(svg.getAttribute(name) ?? "0") || 0;
  const placed: Matrix = isSvgParent(svg) ? [1, 0, 0, 1, number("x"), number("y")] : IDENTITY;
  const view = viewBoxOf(svg);
  if (view === undefined) return placed;
  const size = svgSize(svg);
  const scale = Math.min(size.width / view.width, size.height / view.height);
  if (!Number.isFinite(scale) || scale <= 0) return placed;
  const left = (size.width - view.width * scale) / 2 - view.x * scale;
  const top = (size.height - view.height * scale) / 2 - view.y * scale;
  return multiply(placed, [scale, 0, 0, scale, left, top]);
}

function svgSize(svg: Element): { width: number; height: number } {
  const view = viewBoxOf(svg);
  const maxWidth = /max-width:\s*([\d.]+)px/.exec(svg.getAttribute("style") ?? "")?.[1];
  const given = (name: string) => {
    const text = svg.getAttribute(name);
    return text === null || text.endsWith("%") ? undefined : Number.parseFloat(text) || undefined;
  };
  const width = Math.min(
    given("width") ?? PAGE_WIDTH_PX,
    maxWidth === undefined ? Number.POSITIVE_INFINITY : Number(maxWidth),
  );
  const height = given("height") ?? (view === undefined ? DEFAULT_HEIGHT_PX : (width * view.height) / view.width);
  return { width, height };
}

function viewBoxOf(svg: Element): Box | undefined {
  const numbers = (svg.getAttribute("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [x, y, width, height] = numbers;
  if (x === undefined || y === undefined || !width || !height || numbers.some(Number.isNaN)) return undefined;
  return { x, y, width, height };
}

function textOf(element: Element): Element | undefined {
  for (let at: Element | null = element; at !== null; at = at.parentElement) if (at.localName === "text") return at;
  return undefined;
}

function contains(outer: Element, inner: Element): boolean {
  for (let at: Element | null = inner; at !== null; at = at.parentElement) if (at === outer) return true;
  return false;
}

function hasSvg(element: Element): boolean {
  return [...element.childNodes].some((child) => child instanceof Element && isSvg(child));
}

function isSvg(element: Element): boolean {
  return element.namespaceURI === "http://www.w3.org/2000/svg";
}

function isSvgParent(svg: Element): boolean {
  return svg.parentElement !== null && isSvg(svg.parentElement);
}
