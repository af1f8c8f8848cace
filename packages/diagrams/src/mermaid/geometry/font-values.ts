// The values of CSS that say how large and how heavy a text is.

const SIZE_WORDS: Readonly<Record<string, number>> = {
  "xx-small": 9,
  "x-small": 10,
  small: 13,
  medium: 16,
  large: 18,
  "x-large": 24,
  "xx-large": 32,
};

export function parseSize(text: string | undefined, inheritedPx: number): number {
  const size = own(text)?.trim();
  if (size === undefined) return inheritedPx;
  const word = SIZE_WORDS[size];
  if (word !== undefined) return word;
  if (size === "smaller") return inheritedPx / 1.2;
  if (size === "larger") return inheritedPx * 1.2;
  if (size.endsWith("%")) return (inheritedPx * Number.parseFloat(size)) / 100;
  const px = parseLength(size, inheritedPx);
  return Number.isFinite(px) && px >= 0 ? px : inheritedPx;
}

export function parseWeight(text: string | undefined, inherited: number): number {
  const weight = own(text);
  if (weight === undefined) return inherited;
  if (weight === "normal") return 400;
  if (weight === "bold") return 700;
  if (weight === "bolder") return inherited < 400 ? 400 : inherited < 600 ? 700 : 900;
  if (weight === "lighter") return inherited < 600 ? 100 : inherited < 800 ? 400 : 700;
  const number = Number(weight);
  return number >= 1 && number <= 1000 ? number : inherited;
}

/** A length in px; `em` means the font's own size. NaN when it is none. */
export function parseLength(text: string, emPx: number): number {
  const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(px|em|rem|ex|pt|in|cm|mm)?\s*$/i.exec(text);
  if (found === null) return Number.NaN;
  const number = Number(found[1]);
  switch (found[2]?.toLowerCase()) {
    case "em":
      return number * emPx;
    case "rem":
      return number * 16;
    case "ex":
      return number * emPx * 0.5283;
    case "pt":
      return (number * 4) / 3;
    case "in":
      return number * 96;
    case "cm":
      return (number * 96) / 2.54;
    case "mm":
      return (number * 96) / 25.4;
    default:
      return number;
  }
}

/** Undefined for what says nothing of its own. */
export function own(value: string | undefined): string | undefined {
  return value === undefined || value === "inherit" || value === "unset" || value === "" ? undefined : value;
}
