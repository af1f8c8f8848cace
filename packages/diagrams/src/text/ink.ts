// The ink of glyphs, which can reach out of their lines and advances.

import type { LoadedFace } from "./typesetter.ts";

export type GlyphInk = readonly [left: number, right: number, above: number, below: number];

/** How far the ink of a text reaches, from where it begins; above and below its baseline. */
export interface Ink {
  readonly leftPx: number;
  readonly rightPx: number;
  readonly abovePx: number;
  readonly belowPx: number;
}

export function inkOf(
  glyph: number,
  { font, unitsPerEm, extents }: Pick<LoadedFace, "font" | "unitsPerEm" | "extents">,
): GlyphInk | undefined {
  if (!extents.has(glyph)) {
    const found = font.glyphExtents(glyph);
    const blank = found === undefined || found.width === 0;
    if (blank) extents.set(glyph, undefined);
    else {
      const { xBearing, yBearing, width, height } = found;
      // HarfBuzz counts heights downwards from the top, as negative numbers.
      const ends = [xBearing, xBearing + width, yBearing, -(yBearing + height)] as const;
      extents.set(glyph, ends.map((end) => end / unitsPerEm) as unknown as GlyphInk);
    }
  }
  return extents.get(glyph);
}
