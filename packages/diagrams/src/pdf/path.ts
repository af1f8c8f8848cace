// Paths as resvg writes them: M, L, Q, C and Z with absolute numbers.

import { applied, nums, type PdfMatrix } from "./matrix.ts";

type Step = readonly [command: "M" | "L" | "C" | "Z", ...numbers: number[]];

const PART = /([MLHVQCZ])([^MLHVQCZ]*)/gi;

export function stepsOf(d: string): Step[] {
  const steps: Step[] = [];
  let [x, y] = [0, 0];
  for (const [, letter = "", list = ""] of d.matchAll(PART)) {
    const numbers = (list.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
    const command = letter.toUpperCase();
    if (command === "Z") steps.push(["Z"]);
    for (let at = 0; at < numbers.length; at += sizeOf(command)) {
      const given = numbers.slice(at, at + sizeOf(command));
      if (command === "H") given.push(y);
      if (command === "V") given.unshift(x);
      if (command === "Q") given.splice(0, 4, ...cubic(x, y, given));
      const [endX = x, endY = y] = given.slice(-2);
      steps.push([command === "M" && at === 0 ? "M" : given.length === 6 ? "C" : "L", ...given]);
      [x, y] = [endX, endY];
    }
  }
  return steps;
}

function sizeOf(command: string): number {
  return command === "C" ? 6 : command === "Q" ? 4 : command === "H" || command === "V" ? 1 : 2;
}

function cubic(x: number, y: number, [cx = 0, cy = 0, endX = 0, endY = 0]: readonly number[]): number[] {
  const third = (from: number, control: number) => from + (2 / 3) * (control - from);
  return [third(x, cx), third(y, cy), third(endX, cx), third(endY, cy), endX, endY];
}

const OPERATORS = { M: "m", L: "l", C: "c", Z: "h" } as const;

/** In PDF's operators, moved by the matrix. */
export function pathOperators(d: string, matrix?: PdfMatrix): string {
  return stepsOf(d)
    .map(([command, ...numbers]) => {
      const moved = matrix === undefined ? numbers : movedBy(matrix, numbers);
      return command === "Z" ? "h" : `${nums(moved)} ${OPERATORS[command]}`;
    })
    .join("\n");
}

function movedBy(matrix: PdfMatrix, numbers: readonly number[]): number[] {
  const moved: number[] = [];
  for (let at = 0; at + 1 < numbers.length; at += 2)
    moved.push(...applied(matrix, numbers[at] as number, numbers[at + 1] as number));
  return moved;
}

export interface Extent {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Of its points and controls: a little more than the ink at most. */
export function extentOf(d: string): Extent {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [, ...numbers] of stepsOf(d)) {
    for (let at = 0; at + 1 < numbers.length; at += 2) {
      const [x, y] = [numbers[at] as number, numbers[at + 1] as number];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  }
  return right < left
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top };
}
