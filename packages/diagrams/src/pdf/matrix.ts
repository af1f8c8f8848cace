/** As SVG and PDF write it: `a b c d e f`. */
export type PdfMatrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: PdfMatrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export function times(outer: PdfMatrix, inner: PdfMatrix): PdfMatrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

const STEP = /(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)/g;

export function matrixOf(transform: string | undefined): PdfMatrix {
  let matrix = IDENTITY;
  for (const [, name = "", list = ""] of (transform ?? "").matchAll(STEP)) {
    const numbers = (list.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
    matrix = times(matrix, stepOf(name, numbers));
  }
  return matrix;
}

function stepOf(name: string, [a = 0, b, c, d = 0, e = 0, f = 0]: readonly number[]): PdfMatrix {
  const radians = (a * Math.PI) / 180;
  switch (name) {
    case "matrix":
      return [a, b ?? 0, c ?? 0, d, e, f];
    case "translate":
      return [1, 0, 0, 1, a, b ?? 0];
    case "scale":
      return [a, 0, 0, b ?? a, 0, 0];
    case "skewX":
      return [1, 0, Math.tan(radians), 1, 0, 0];
    case "skewY":
      return [1, Math.tan(radians), 0, 1, 0, 0];
    default: {
      const [sine, cosine] = [Math.sin(radians), Math.cos(radians)];
      const turn: PdfMatrix = [cosine, sine, -sine, cosine, 0, 0];
      const [x, y] = [b ?? 0, c ?? 0];
      return times([1, 0, 0, 1, x, y], times(turn, [1, 0, 0, 1, -x, -y]));
    }
  }
}

export function applied([a, b, c, d, e, f]: PdfMatrix, x: number, y: number): readonly [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** A number as PDF writes it: never with an exponent. */
export function num(value: number): string {
  if (!Number.isFinite(value)) return "0";
  const text = (Math.round(value * 1e5) / 1e5).toFixed(5).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
}

export function nums(values: readonly number[]): string {
  return values.map(num).join(" ");
}
