// Which letters a font has, as ranges of code points: a set of the 14,000 of Chinese would take a megabyte in every renderer.

/** Sorted, each with its first and its last code point. */
export type Ranges = readonly (readonly [first: number, last: number])[];

export function covers(ranges: Ranges, codePoint: number): boolean {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = ranges[middle] as readonly [number, number];
    if (codePoint < first) high = middle - 1;
    else if (codePoint > last) low = middle + 1;
    else return true;
  }
  return false;
}

export function rangesOf(codePoints: Iterable<number>): Ranges {
  const ranges: [number, number][] = [];
  for (const codePoint of [...new Set(codePoints)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && codePoint === last[1] + 1) last[1] = codePoint;
    else ranges.push([codePoint, codePoint]);
  }
  return ranges;
}

/** As in CSS, without "U+": `5d0-5ea,200f`. */
export function writeRanges(ranges: Ranges): string {
  const hex = (codePoint: number) => codePoint.toString(16);
  return ranges.map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`)).join(",");
}

/** Reads CSS's form with and without "U+". */
export function readRanges(text: string): Ranges {
  if (text === "") return [];
  return text.split(",").map((range) => {
    const [first = 0, last = first] = range
      .trim()
      .replace(/^U\+/i, "")
      .split("-")
      .map((end) => Number.parseInt(end, 16));
    return [first, last] as const;
  });
}

export function codePointsOf(ranges: string): Iterable<number> {
  return codePointsIn(readRanges(ranges));
}

export function* codePointsIn(ranges: Ranges): Iterable<number> {
  for (const [first, last] of ranges) for (let codePoint = first; codePoint <= last; codePoint++) yield codePoint;
}

/** Of a TrueType or OpenType file. */
export async function coverageOf(font: Uint8Array): Promise<Ranges> {
  const { Blob, Face } = await import("harfbuzzjs");
  const bytes = font.buffer.slice(font.byteOffset, font.byteOffset + font.byteLength) as ArrayBuffer;
  return rangesOf(new Face(new Blob(bytes)).collectUnicodes());
}
