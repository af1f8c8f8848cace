// Paths as cubic curves: their exact box, their length, and the point at a length.

import type { Box } from "./box.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

type Segment =
  | { readonly type: "move"; readonly from: Point; readonly to: Point }
  | { readonly type: "line"; readonly from: Point; readonly to: Point }
  | { readonly type: "cubic"; readonly from: Point; readonly first: Point; readonly second: Point; readonly to: Point };

const COMMAND = /([MmLlHhVvCcSsQqTtAaZz])|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/g;
const ARGUMENTS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };
// Pieces a curve is cut into for its length: 64 keep the error below 0.01 px on curves the size of a page.
const PIECES = 64;

export function pathBox(d: string): Box | undefined {
  const segments = parsePath(d);
  if (segments.length === 0) return undefined;
  const xs: number[] = [];
  const ys: number[] = [];
  for (const segment of segments) {
    xs.push(segment.to.x);
    ys.push(segment.to.y);
    if (segment.type !== "move") {
      xs.push(segment.from.x);
      ys.push(segment.from.y);
    }
    if (segment.type === "cubic") {
      const { from, first, second, to } = segment;
      for (const t of extremes(from.x, first.x, second.x, to.x)) xs.push(cubicAt(t, from.x, first.x, second.x, to.x));
      for (const t of extremes(from.y, first.y, second.y, to.y)) ys.push(cubicAt(t, from.y, first.y, second.y, to.y));
    }
  }
  // A path may have more points than a function may have arguments.
  const smallest = (list: number[]) => list.reduce((a, b) => (b < a ? b : a));
  const largest = (list: number[]) => list.reduce((a, b) => (b > a ? b : a));
  const x = smallest(xs);
  const y = smallest(ys);
  if (Number.isNaN(x) || Number.isNaN(y)) return undefined;
  return { x, y, width: largest(xs) - x, height: largest(ys) - y };
}

export function pathLength(d: string): number {
  return flatten(d).reduce((sum, piece) => sum + piece.length, 0);
}

export function pointAtLength(d: string, wanted: number): Point {
  const pieces = flatten(d);
  let left = Math.max(0, wanted);
  for (const { from, to, length } of pieces) {
    if (left <= length && length > 0) {
      const share = left / length;
      return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    }
    left -= length;
  }
  return pieces.at(-1)?.to ?? parsePath(d)[0]?.to ?? { x: 0, y: 0 };
}

interface Piece {
  readonly from: Point;
  readonly to: Point;
  readonly length: number;
}

function flatten(d: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (from: Point, to: Point) => pieces.push({ from, to, length: Math.hypot(to.x - from.x, to.y - from.y) });
  for (const segment of parsePath(d)) {
    if (segment.type === "line") add(segment.from, segment.to);
    if (segment.type !== "cubic") continue;
    let previous = segment.from;
    for (let index = 1; index <= PIECES; index++) {
      const t = index / PIECES;
      const { from, first, second, to } = segment;
      const next = { x: cubicAt(t, from.x, first.x, second.x, to.x), y: cubicAt(t, from.y, first.y, second.y, to.y) };
      add(previous, next);
      previous = next;
    }
  }
  return pieces;
}

function parsePath(d: string): Segment[] {
  const segments: Segment[] = [];
  let at: Point = { x: 0, y: 0 };
  let start: Point = at;
  let control: Point | undefined;
  let controlOf = "";
  for (const { name, values } of commandsOf(d)) {
    const command = name.toUpperCase();
    const relative = name !== command;
    const point = (index: number): Point => ({
      x: (values[index] ?? 0) + (relative ? at.x : 0),
      y: (values[index + 1] ?? 0) + (relative ? at.y : 0),
    });
    const line = (to: Point) => {
      segments.push({ type: "line", from: at, to });
      at = to;
    };
    const cubic = (first: Point, second: Point, to: Point) => {
      segments.push({ type: "cubic", from: at, first, second, to });
      at = to;
    };
    const mirrored = (kind: string): Point =>
      control !== undefined && controlOf === kind ? { x: 2 * at.x - control.x, y: 2 * at.y - control.y } : at;
    let nextControl: Point | undefined;
    let kind = "";
    switch (command) {
      case "M":
        segments.push({ type: "move", from: at, to: point(0) });
        at = point(0);
        start = at;
        break;
      case "L":
        line(point(0));
        break;
      case "H":
        line({ x: (values[0] ?? 0) + (relative ? at.x : 0), y: at.y });
        break;
      case "V":
        line({ x: at.x, y: (values[0] ?? 0) + (relative ? at.y : 0) });
        break;
      case "C":
      case "S": {
        const first = command === "C" ? point(0) : mirrored("cubic");
        const second = point(command === "C" ? 2 : 0);
        const to = point(command === "C" ? 4 : 2);
        cubic(first, second, to);
        nextControl = second;
        kind = "cubic";
        break;
      }
      case "Q":
      case "T": {
        const middle = command === "Q" ? point(0) : mirrored("quadratic");
        const to = point(command === "Q" ? 2 : 0);
        cubic(between(at, middle, 2 / 3), between(to, middle, 2 / 3), to);
        nextControl = middle;
        kind = "quadratic";
        break;
      }
      case "A": {
        const to = point(5);
        for (const [first, second, end] of arcAsCubics(at, values, to)) cubic(first, second, end);
        at = to;
        break;
      }
      default:
        if (at.x !== start.x || at.y !== start.y) line(start);
        at = start;
    }
    control = nextControl;
    controlOf = kind;
  }
  return segments;
}

function* commandsOf(d: string): Generator<{ name: string; values: number[] }> {
  let name = "";
  let values: number[] = [];
  for (const text of arcFlagsApart(d).match(COMMAND) ?? []) {
    const isLetter = /^[A-Za-z]$/.test(text);
    if (isLetter) {
      name = text;
      values = [];
      if (ARGUMENTS[name.toUpperCase()] === 0) yield { name, values };
      continue;
    }
    values.push(Number(text));
    if (values.length === ARGUMENTS[name.toUpperCase()]) {
      yield { name, values };
      values = [];
      // More pairs after a move are lines.
      if (name === "M") name = "L";
      if (name === "m") name = "l";
    }
  }
}

/** In arcs `0 01.5` may stand for the flags 0 and 0 and the number 1.5. */
function arcFlagsApart(d: string): string {
  if (!/[Aa]/.test(d)) return d;
  const number = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?";
  const pattern = new RegExp(
    `(${number})[\\s,]*(${number})[\\s,]*(${number})[\\s,]*([01])[\\s,]*([01])[\\s,]*(${number})[\\s,]*(${number})`,
    "g",
  );
  return d.replace(/[Aa][^A-Za-z]*(?:e[^A-Za-z]*)*/g, (arc) => arc.replace(pattern, "$1 $2 $3 $4 $5 $6 $7 "));
}

function arcAsCubics(from: Point, values: readonly number[], to: Point): [Point, Point, Point][] {
  let [rx = 0, ry = 0] = values;
  const [, , degrees = 0, large = 0, sweep = 0] = values;
  if (rx === 0 || ry === 0) return [[from, to, to]];
  if (from.x === to.x && from.y === to.y) return [];
  rx = Math.abs(rx);
  ry = Math.abs(ry);
  const phi = (degrees * Math.PI) / 180;
  const cos = Math.cos(phi);
  const sin = Math.sin(phi);
  const dx = (from.x - to.x) / 2;
  const dy = (from.y - to.y) / 2;
  const x1 = cos * dx + sin * dy;
  const y1 = -sin * dx + cos * dy;
  const scale = (x1 / rx) ** 2 + (y1 / ry) ** 2;
  if (scale > 1) {
    rx *= Math.sqrt(scale);
    ry *= Math.sqrt(scale);
  }
  const below = (rx * y1) ** 2 + (ry * x1) ** 2;
  const root = Math.sqrt(Math.max(0, ((rx * ry) ** 2 - below) / below));
  const sign = large === sweep ? -1 : 1;
  const cx1 = (sign * root * rx * y1) / ry;
  const cy1 = (-sign * root * ry * x1) / rx;
  const cx = cos * cx1 - sin * cy1 + (from.x + to.x) / 2;
  const cy = sin * cx1 + cos * cy1 + (from.y + to.y) / 2;
  const startAngle = Math.atan2((y1 - cy1) / ry, (x1 - cx1) / rx);
  let turn = Math.atan2((-y1 - cy1) / ry, (-x1 - cx1) / rx) - startAngle;
  if (sweep === 0 && turn > 0) turn -= 2 * Math.PI;
  if (sweep !== 0 && turn < 0) turn += 2 * Math.PI;
  const count = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-9));
  const step = turn / count;
  const reach = (4 / 3) * Math.tan(step / 4);
  const place = (x: number, y: number): Point => ({
    x: cx + cos * rx * x - sin * ry * y,
    y: cy + sin * rx * x + cos * ry * y,
  });
  return Array.from({ length: count }, (_, index) => {
    const begin = startAngle + index * step;
    const end = begin + step;
    const first = place(Math.cos(begin) - reach * Math.sin(begin), Math.sin(begin) + reach * Math.cos(begin));
    const second = place(Math.cos(end) + reach * Math.sin(end), Math.sin(end) - reach * Math.cos(end));
    return [first, second, index === count - 1 ? to : place(Math.cos(end), Math.sin(end))];
  });
}

function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function cubicAt(t: number, p0: number, p1: number, p2: number, p3: number): number {
  const u = 1 - t;
  return u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3;
}

/** Where a cubic turns round, between its ends. */
function extremes(p0: number, p1: number, p2: number, p3: number): number[] {
  const a = -p0 + 3 * p1 - 3 * p2 + p3;
  const b = 2 * (p0 - 2 * p1 + p2);
  const c = p1 - p0;
  const inside = (t: number) => t > 0 && t < 1;
  if (Math.abs(a) < 1e-12) return Math.abs(b) < 1e-12 ? [] : [-c / b].filter(inside);
  const root = b * b - 4 * a * c;
  if (root < 0) return [];
  return [(-b + Math.sqrt(root)) / (2 * a), (-b - Math.sqrt(root)) / (2 * a)].filter(inside);
}
