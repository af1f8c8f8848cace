// What lies outside of the picture is taken out before it is drawn: resvg ends the whole process when a part with an opacity, a
// clip, a filter or an arrow head is wholly outside of it.

import { type Box, IDENTITY, type Matrix, multiply, parseTransform, transformBox } from "../mermaid/geometry/box.ts";
import { pathBox } from "../mermaid/geometry/path.ts";
import type { XmlElement } from "../svg/xml.ts";

/** Elements that are drawn where they are referred to. */
const ELSEWHERE = new Set("defs marker filter linearGradient radialGradient clipPath mask pattern symbol".split(" "));
const SHAPES = new Set("path rect circle ellipse line polyline polygon text image use".split(" "));
const CONTAINERS = new Set(["g", "a", "svg", "switch"]);
/** Of arrow heads, outlines and shadows around a shape, in pixels of the drawing. */
const AROUND_PX = 150;
/** resvg has room for five pictures side by side, with the visible one in the middle. Less than one on each side is used. */
const ROOM = 0.9;
/** Of single precision, in which resvg counts, little is left beyond. */
const FARTHEST = 1e6;

/** Takes out what cannot be seen. False where some part may still be further outside than resvg can bear. */
export function removeUnseen(root: XmlElement, view: Box): boolean {
  let isSafe = true;
  const [besidePx, abovePx] = [view.width, view.height].map((side) => Math.min(AROUND_PX, side * ROOM)) as [
    number,
    number,
  ];
  const room: Box = {
    x: view.x - besidePx,
    y: view.y - abovePx,
    width: view.width + 2 * besidePx,
    height: view.height + 2 * abovePx,
  };
  const walk = (element: XmlElement, matrix: Matrix) => {
    const kept = element.children.filter((child) => {
      if (typeof child === "string" || ELSEWHERE.has(child.localName)) return true;
      const own = multiply(matrix, parseTransform(child.getAttribute("transform")));
      if (CONTAINERS.has(child.localName)) {
        const inside = child.localName === "svg" ? nestedView(child, own) : own;
        if (inside === undefined) {
          isSafe = false;
          return true;
        }
        walk(child, inside);
        return child.elements.some(({ localName }) => SHAPES.has(localName) || CONTAINERS.has(localName));
      }
      if (!SHAPES.has(child.localName)) return true;
      const box = boxOf(child);
      if (box === undefined) {
        isSafe = false;
        return true;
      }
      const place = transformBox(own, box);
      if (![place.x, place.y, place.width, place.height].every(Number.isFinite)) return false;
      if (!touches(place, room)) return false;
      // The generous box of a text says where no letter can be, and not where one is.
      if (child.localName === "text") isSafe &&= touches(transformBox(own, startOf(child)), room);
      isSafe &&= Math.abs(place.x) + place.width < FARTHEST && Math.abs(place.y) + place.height < FARTHEST;
      return true;
    });
    if (kept.length < element.children.length) element.children.splice(0, element.children.length, ...kept);
  };
  walk(root, IDENTITY);
  return isSafe;
}

/** Undefined where the place of its inside cannot be told. */
function nestedView(svg: XmlElement, matrix: Matrix): Matrix | undefined {
  const number = (name: string, otherwise: number) => {
    const text = svg.attributes.get(name);
    return text === undefined ? otherwise : /^-?[\d.]+(?:px)?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  };
  const [x, y] = [number("x", 0), number("y", 0)];
  const parts = svg.attributes
    .get("viewBox")
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  if (parts === undefined) return Number.isNaN(x + y) ? undefined : multiply(matrix, [1, 0, 0, 1, x, y]);
  const [left = 0, top = 0, viewWidth = 0, viewHeight = 0] = parts;
  const [width, height] = [number("width", Number.NaN), number("height", Number.NaN)];
  const scale = Math.min(width / viewWidth, height / viewHeight);
  if (!Number.isFinite(scale) || Number.isNaN(x + y)) return undefined;
  const moved: Matrix = [scale, 0, 0, scale, x - left * scale, y - top * scale];
  return multiply(matrix, moved);
}

/** Generous: a part is taken out only where no ink of it can be seen. Undefined where that cannot be told. */
function boxOf(shape: XmlElement): Box | undefined {
  const number = (name: string, otherwise = 0) => {
    const text = shape.attributes.get(name);
    return text === undefined ? otherwise : Number.parseFloat(text);
  };
  switch (shape.localName) {
    case "path":
      return pathBox(shape.attributes.get("d") ?? "") ?? { x: Number.NaN, y: 0, width: 0, height: 0 };
    case "rect":
    case "image":
      if (`${shape.attributes.get("width")}${shape.attributes.get("height")}`.includes("%")) return undefined;
      return { x: number("x"), y: number("y"), width: number("width"), height: number("height") };
    case "circle":
      return around(number("cx"), number("cy"), number("r"), number("r"));
    case "ellipse":
      return around(number("cx"), number("cy"), number("rx"), number("ry"));
    case "line":
      return boxAround([number("x1"), number("x2")], [number("y1"), number("y2")]);
    case "polyline":
    case "polygon": {
      const numbers = (shape.attributes.get("points") ?? "")
        .match(/-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi)
        ?.map(Number);
      if (numbers === undefined) return { x: Number.NaN, y: 0, width: 0, height: 0 };
      return boxAround(
        numbers.filter((_, at) => at % 2 === 0),
        numbers.filter((_, at) => at % 2 === 1),
      );
    }
    case "text":
      return textBox(shape);
    default:
      return undefined;
  }
}

function around(x: number, y: number, rx: number, ry: number): Box {
  return { x: x - rx, y: y - ry, width: 2 * rx, height: 2 * ry };
}

function boxAround(xs: readonly number[], ys: readonly number[]): Box {
  const [x, right] = [
    xs.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    xs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  ];
  const [y, bottom] = [
    ys.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    ys.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  ];
  return { x, y, width: right - x, height: bottom - y };
}

function textBox(text: XmlElement): Box {
  const all = [text, ...text.descendants()];
  const numbers = (name: string) =>
    all
      .flatMap(({ attributes }) => (attributes.get(name) ?? "").split(/[\s,]+/).map(Number.parseFloat))
      .filter((each) => !Number.isNaN(each));
  let sizePx = 16;
  for (let at: XmlElement | null = text; at !== null; at = at.parentElement) {
    const size = Number.parseFloat(at.attributes.get("font-size") ?? "");
    if (Number.isNaN(size)) continue;
    sizePx = size;
    break;
  }
  const largestPx = Math.max(sizePx, ...numbers("font-size"));
  // No letter is wider than twice its size.
  const reachPx = 2 * largestPx * (text.text.length + 1);
  const [xs, ys] = [numbers("x"), numbers("y")];
  const place = boxAround(xs.length === 0 ? [0] : [...xs], ys.length === 0 ? [0] : [...ys]);
  const shiftPx = [...numbers("dx"), ...numbers("dy")].reduce((sum, each) => sum + Math.abs(each) * largestPx, 0);
  const [wide, high] = [reachPx + shiftPx, 3 * largestPx + shiftPx];
  return { x: place.x - wide, y: place.y - high, width: place.width + 2 * wide, height: place.height + 2 * high };
}

/** Where its first letter stands. */
function startOf({ attributes }: XmlElement): Box {
  const at = (name: string) => Number.parseFloat(attributes.get(name) ?? "0") || 0;
  return { x: at("x"), y: at("y"), width: 0, height: 0 };
}

function touches(box: Box, room: Box): boolean {
  const x = box.x <= room.x + room.width && box.x + box.width >= room.x;
  return x && box.y <= room.y + room.height && box.y + box.height >= room.y;
}
