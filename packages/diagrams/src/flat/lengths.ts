// Of Arimo, as a share of its size.
const X_HEIGHT = 0.5283;

/** A font size in pixels; `inheritedPx` for none and for one that cannot be read. */
export function fontSizePx(value: string | undefined, inheritedPx: number): number {
  const number = Number.parseFloat(value ?? "");
  if (value === undefined || Number.isNaN(number)) return inheritedPx;
  if (value.endsWith("%")) return (inheritedPx * number) / 100;
  if (value.endsWith("rem")) return number * 16;
  if (value.endsWith("em")) return inheritedPx * number;
  if (value.endsWith("ex")) return inheritedPx * number * X_HEIGHT;
  return value.endsWith("pt") ? (number * 4) / 3 : number;
}

/** One length in pixels; undefined for none and for lists. */
export function lengthPx(value: string | undefined, emPx: number): number | undefined {
  const [, number, unit] = /^\s*(-?[\d.]+)(px|em|ex)?\s*$/.exec(value ?? "") ?? [];
  if (number === undefined) return undefined;
  return Number(number) * (unit === "em" ? emPx : unit === "ex" ? emPx * X_HEIGHT : 1);
}
