import type { Figure } from "../api/report.ts";

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** "9 of 30 · 17–48 %" */
export function kOfN({ k, n, low, high }: Pick<Figure, "k" | "n" | "low" | "high">): string {
  return `${k} of ${n} · ${Math.round(low * 100)}–${Math.round(high * 100)} %`;
}

export const NO_MODEL = "No AI model was asked";
export const NOT_MEASURED = "not measured";

export function dollars(usd: number | null): string {
  if (usd === null) return "cost unknown";
  return usd < 0.01 && usd > 0 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}
