// The CSS shorthand `bold 12pt Helvetica`, as canvases are given it, for engines that measure by one.

import type { TextStyle } from "./typesetter.ts";

const SIZE = /(-?\d*\.?\d+)(px|pt|em|rem|%)?(?:\/\S+)?\s+(.+)$/;
const PX: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, em: 16, rem: 16, "%": 0.16 };

export function fontFromCss(font: string): TextStyle {
  const [, size = "10", unit = "px", family = "sans-serif"] = SIZE.exec(font.trim()) ?? [];
  const before = font.slice(0, Math.max(0, font.search(SIZE))).toLowerCase();
  const [, weight] = /\b([1-9]00)\b/.exec(before) ?? [];
  return {
    family,
    sizePx: Number(size) * (PX[unit] ?? 1),
    weight: weight === undefined ? (/\bbold/.test(before) ? 700 : 400) : Number(weight),
    italic: /\b(?:italic|oblique)\b/.test(before),
  };
}
