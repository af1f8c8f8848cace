import type { Figure } from "../api/report.ts";

const Z = 1.959963984540054;

/** The 95 % interval of a share after Wilson: honest for few answers, where the plain formula says 0 to 0. */
export function wilson(k: number, n: number, quantile = Z): { low: number; high: number } {
  if (n === 0) return { low: 0, high: 1 };
  const p = k / n;
  const z2 = quantile * quantile;
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (quantile / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

export function figure(id: string, label: string, k: number, n: number): Figure {
  const { low, high } = wilson(k, n);
  return { id, label, k, n, low: round(low), high: round(high) };
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
