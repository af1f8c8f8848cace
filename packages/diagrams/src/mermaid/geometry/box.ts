// Boxes, and transforms as the six numbers of SVG's matrix(a b c d e f).

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
export const NO_BOX: Box = { x: 0, y: 0, width: 0, height: 0 };

export function union(left: Box | undefined, right: Box | undefined): Box | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const x = Math.min(left.x, right.x);
  const y = Math.min(left.y, right.y);
  const width = Math.max(left.x + left.width, right.x + right.width) - x;
  const height = Math.max(left.y + left.height, right.y + right.height) - y;
  return { x, y, width, height };
}

/** The upright box around a box that was moved, scaled or turned. */
export function transformBox(matrix: Matrix, box: Box): Box {
  const [a, b, c, d, e, f] = matrix;
  if (a === 1 && b === 0 && c === 0 && d === 1)
    return e === 0 && f === 0 ? box : { x: box.x + e, y: box.y + f, width: box.width, height: box.height };
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const xs = [a * box.x + c * box.y, a * right + c * box.y, a * box.x + c * bottom, a * right + c * bottom];
  const ys = [b * box.x + d * box.y, b * right + d * box.y, b * box.x + d * bottom, b * right + d * bottom];
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { x: x + e, y: y + f, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

export function multiply(left: Matrix, right: Matrix): Matrix {
  return [
    left[0] * right[0] + left[2] * right[1],
    left[1] * right[0] + left[3] * right[1],
    left[0] * right[2] + left[2] * right[3],
    left[1] * right[2] + left[3] * right[3],
    left[0] * right[4] + left[2] * right[5] + left[4],
    left[1] * right[4] + left[3] * right[5] + left[5],
  ];
}

/** `translate(1, 2) rotate(90)` and so on; what cannot be read changes nothing. */
export function parseTransform(text: string | null): Matrix {
  if (text === null || text === "") return IDENTITY;
  let matrix = IDENTITY;
  for (const [, name = "", list = ""] of text.matchAll(/(\w+)\s*\(([^)]*)\)/g)) {
    const numbers = list.split(/[\s,]+/).map((part) => Number.parseFloat(part));
    const step = stepOf(
      name,
      numbers.filter((number) => !Number.isNaN(number)),
    );
    matrix = matrix === IDENTITY ? step : multiply(matrix, step);
  }
  return matrix;
}

function stepOf(name: string, numbers: readonly number[]): Matrix {
  const [first = 0, second, third, fourth = 0, fifth = 0, sixth = 0] = numbers;
  const angle = (first * Math.PI) / 180;
  switch (name) {
    case "translate":
      return [1, 0, 0, 1, first, second ?? 0];
    case "translateX":
      return [1, 0, 0, 1, first, 0];
    case "translateY":
      return [1, 0, 0, 1, 0, first];
    case "scale":
      return [first, 0, 0, second ?? first, 0, 0];
    case "rotate": {
      const turn: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
      if (second === undefined) return turn;
      const centre: Matrix = [1, 0, 0, 1, second, third ?? 0];
      return multiply(multiply(centre, turn), [1, 0, 0, 1, -second, -(third ?? 0)]);
    }
    case "skewX":
      return [1, 0, Math.tan(angle), 1, 0, 0];
    case "skewY":
      return [1, Math.tan(angle), 0, 1, 0, 0];
    case "matrix":
      return [first, second ?? 0, third ?? 0, fourth, fifth, sixth];
    default:
      return IDENTITY;
  }
}
