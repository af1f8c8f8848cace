// The window around the document: the few globals Mermaid reads, and nothing that leads out of the process.

import { isColour } from "../../colour.ts";
import type { Box } from "../geometry/box.ts";
import { type Geometry, PAGE_WIDTH_PX } from "../geometry/geometry.ts";
import { SVG } from "./attributed.ts";
import type { Document } from "./document.ts";
import { Element, Fragment } from "./element.ts";
import { ImageOfData } from "./image.ts";
import { Node, Text } from "./node.ts";
import { StyleSheet } from "./stylesheet.ts";
import type { Timers } from "./timers.ts";

export interface Window {
  readonly document: Document;
  readonly [name: string]: unknown;
}

export interface Randomness {
  random(): number;
}

const PAGE_HEIGHT_PX = 600;

// A window also has the language's own globals.
const LANGUAGE = {
  Array,
  ArrayBuffer,
  BigInt,
  Boolean,
  Date,
  Error,
  Float32Array,
  Float64Array,
  Function,
  Infinity,
  Int32Array,
  Intl,
  JSON,
  Map,
  NaN,
  Number,
  Object,
  Promise,
  Proxy,
  RangeError,
  Reflect,
  RegExp,
  Set,
  String,
  Symbol,
  TypeError,
  Uint8Array,
  Uint32Array,
  WeakMap,
  WeakSet,
  isFinite,
  isNaN,
  parseFloat,
  parseInt,
  decodeURIComponent,
  encodeURIComponent,
  structuredClone,
  queueMicrotask,
};

export function makeWindow(document: Document, geometry: Geometry, timers: Timers, randomness: Randomness): Window {
  giveSizes(geometry);
  const nothing = () => undefined;
  const window: Record<string, unknown> = {
    ...LANGUAGE,
    document,
    Node,
    Element,
    HTMLElement: Element,
    SVGElement: Element,
    SVGGraphicsElement: Element,
    SVGTextElement: Element,
    SVGPathElement: Element,
    SVGSVGElement: Element,
    DocumentFragment: Fragment,
    Text,
    CSSStyleSheet: StyleSheet,
    Image: ImageOfData,
    CSS: {
      supports: (property: string, value: string) => property !== "color" || isColour(value),
      escape: escapeIdentifier,
    },
    Math: seededMath(randomness),
    getComputedStyle: (element: Element) => computedStyle(geometry, element),
    requestAnimationFrame: (callback: () => void) => timers.soon(callback),
    cancelAnimationFrame: nothing,
    setTimeout: (callback: () => void, delayMs = 0) => timers.after(callback, delayMs),
    clearTimeout: nothing,
    setInterval: nothing,
    clearInterval: nothing,
    addEventListener: nothing,
    removeEventListener: nothing,
    matchMedia: () => ({ matches: false, addEventListener: nothing, removeEventListener: nothing }),
    screen: { width: PAGE_WIDTH_PX, height: PAGE_HEIGHT_PX, availWidth: PAGE_WIDTH_PX, availHeight: PAGE_HEIGHT_PX },
    innerWidth: PAGE_WIDTH_PX,
    innerHeight: PAGE_HEIGHT_PX,
    scrollX: 0,
    scrollY: 0,
    devicePixelRatio: 1,
    location: {
      href: "about:blank",
      protocol: "about:",
      host: "",
      pathname: "blank",
      search: "",
      hash: "",
      origin: "null",
    },
    navigator: { userAgent: "Millrace", platform: "", language: "en", languages: ["en"] },
    performance: { now: () => 0, mark: nothing, measure: nothing },
    console: Object.fromEntries(
      ["log", "debug", "info", "warn", "error", "trace", "group", "groupEnd"].map((name) => [name, nothing]),
    ),
  };
  window["window"] = window;
  window["self"] = window;
  document.defaultView = window;
  return window as Window;
}

function giveSizes(geometry: Geometry): void {
  const methods = {
    getBBox(this: Element) {
      return singlePrecision(geometry.box(this));
    },
    getBoundingClientRect(this: Element) {
      const { x, y, width, height } = singlePrecision(geometry.clientBox(this));
      return { x, y, width, height, left: x, top: y, right: x + width, bottom: y + height };
    },
    getComputedTextLength(this: Element) {
      return Math.fround(geometry.textLength(this));
    },
    getTotalLength(this: Element) {
      return Math.fround(geometry.pathLength(this));
    },
    getPointAtLength(this: Element, length: number) {
      const { x, y } = geometry.pointAtLength(this, length);
      return { x: Math.fround(x), y: Math.fround(y) };
    },
    getScreenCTM(this: Element) {
      const [a, b, c, d, e, f] = geometry.toPage(this);
      return { a, b, c, d, e, f };
    },
    getContext: () => canvasContext(geometry),
  };
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(Element.prototype, name, { value, configurable: true, writable: true });
  const sizes = {
    offsetWidth: "width",
    offsetHeight: "height",
    clientWidth: "width",
    clientHeight: "height",
    scrollWidth: "width",
    scrollHeight: "height",
  } as const;
  for (const [name, side] of Object.entries(sizes)) {
    Object.defineProperty(Element.prototype, name, {
      configurable: true,
      get(this: Element) {
        return this.namespaceURI === SVG ? undefined : geometry.clientBox(this)[side];
      },
    });
  }
}

/** As browsers answer. It is seen: where an edge ends decides by equality whether another bend is drawn. */
function singlePrecision({ x, y, width, height }: Box) {
  return { x: Math.fround(x), y: Math.fround(y), width: Math.fround(width), height: Math.fround(height) };
}

function computedStyle(geometry: Geometry, element: Element) {
  const { family, sizePx, weight, italic, anchor, display } = geometry.style(element);
  const values: Record<string, string> = {
    "font-family": family,
    "font-size": `${sizePx}px`,
    "font-weight": String(weight),
    "font-style": italic ? "italic" : "normal",
    "text-anchor": anchor,
    display,
  };
  return {
    getPropertyValue: (property: string) =>
      values[property] ?? (/^(?:padding|margin|border)/.test(property) ? "0px" : ""),
    fontFamily: family,
    fontSize: `${sizePx}px`,
    fontWeight: String(weight),
    textAnchor: anchor,
    display,
  };
}

/** As CSSOM has it, for names that come from a diagram. */
function escapeIdentifier(text: string): string {
  return String(text).replace(/^-?\d|^-$|[^\w\u0080-\uffff-]/g, (found) => {
    const lead = found.length === 2 ? "-" : "";
    const last = found.at(-1) ?? "";
    return /\d/.test(last) ? `${lead}\\${last.charCodeAt(0).toString(16)} ` : `${lead}\\${last}`;
  });
}

/** Cytoscape makes canvases even where only its layout is used. */
function canvasContext(geometry: Geometry) {
  const canvas: Record<string, unknown> = {
    font: "10px sans-serif",
    measureText: (text: string) => ({ width: geometry.plainTextWidthPx(text, String(canvas["font"])) }),
    createLinearGradient: () => ({ addColorStop: () => undefined }),
    getImageData: () => ({ data: [] }),
  };
  return new Proxy(canvas, {
    get: (target, key) => (typeof key === "string" && key in target ? target[key] : () => undefined),
  });
}

function seededMath(randomness: Randomness): typeof Math {
  const math = Object.create(null, Object.getOwnPropertyDescriptors(Math)) as typeof Math;
  Object.defineProperty(math, "random", { value: () => randomness.random(), writable: true, configurable: true });
  return math;
}
