// SVG to PNG by resvg, with our own font files and nothing else: no system fonts, no files, no addresses.

import { flatten } from "./flatten.ts";
import { viewOf } from "./frame.ts";
import { nameFonts } from "./name-fonts.ts";
import { parseXml, writeXml, type XmlElement } from "./svg/xml.ts";
import { findFonts } from "./text/fonts.ts";

// A screen of 4K has 8 M. Each takes 4 bytes, and several copies are made on the way.
const MAX_PIXELS = 16_000_000;

const ALWAYS = new Set(["Arimo", "Cousine", "Source Sans Pro"]);

export class TooManyPixels extends Error {
  override readonly name = "TooManyPixels";
}

/** `svg` has been through `sanitise` and `frame`: its width and height are the picture's. */
export async function rasterise(svg: string): Promise<Uint8Array> {
  const root = parseXml(svg);
  const { width, height } = pictureSize(root);
  const fonts = findFonts();
  flatten(root, fonts);
  const families = await nameFonts(root, fonts);
  root.attributes.set("width", String(width));
  root.attributes.set("height", String(height));
  const { Resvg } = await import("@resvg/resvg-js");
  const resvg = new Resvg(writeXml(root), {
    font: {
      loadSystemFonts: false,
      // Each file is read anew for every picture, and those of Chinese have 10 MB.
      fontFiles: fonts.files.filter(({ family }) => ALWAYS.has(family) || families.has(family)).map(({ path }) => path),
      defaultFontFamily: fonts.sans,
      sansSerifFamily: fonts.sans,
      serifFamily: fonts.sans,
      monospaceFamily: fonts.mono,
    },
    textRendering: 2,
    logLevel: "off",
  });
  return resvg.render().asPng();
}

/** In whole pixels; refused before anything is drawn. */
export function pictureSize(root: XmlElement): { width: number; height: number } {
  const view = viewOf(root);
  const width = Math.max(1, Math.round(Number(root.attributes.get("width") ?? view.width)));
  const height = Math.max(1, Math.round(Number(root.attributes.get("height") ?? view.height)));
  if (!(width * height <= MAX_PIXELS))
    throw new TooManyPixels(
      `The PNG would have ${width} × ${height} pixels; the limit is ${MAX_PIXELS / 1e6} million. Use a smaller scale, or SVG.`,
    );
  return { width, height };
}
