// SVG to PNG by resvg, with our own font files and nothing else: no system fonts, no files, no addresses.

import type { PictureType } from "./api/render.ts";
import { flatten } from "./flatten.ts";
import { viewOf } from "./frame.ts";
import { outlineTexts } from "./raster/outline.ts";
import { NotRasterised, pictureOf } from "./raster/resvg.ts";
import { removeUnseen } from "./raster/visible.ts";
import { parseXml, writeXml, type XmlElement } from "./svg/xml.ts";
import { findFonts } from "./text/fonts.ts";

// A screen of 4K has 8 M. Each takes 4 bytes, and several copies are made on the way.
const MAX_PIXELS = 16_000_000;

/** Every font file is read again for every picture. Letters of other fonts are paths by then. */
const DRAWN_AS_TEXT = new Set(["Arimo", "Cousine", "Source Sans Pro"]);

export interface PictureFile {
  /** The bytes of the file. */
  readonly bytes: Uint8Array;
  /** Sentences about what is not as asked. */
  readonly warnings: readonly string[];
}

/** `svg` has been through `renderDiagram`: its width and height are the picture's. */
export async function rasterise(svg: string, type: PictureType = "png"): Promise<PictureFile> {
  const root = parseXml(svg);
  const { width, height, warnings } = pictureSize(root);
  const fonts = findFonts();
  flatten(root, fonts);
  await outlineTexts(root);
  const isHarmless = removeUnseen(root, viewOf(root));
  root.attributes.set("width", String(width));
  root.attributes.set("height", String(height));
  const files = fonts.files.filter(({ family }) => DRAWN_AS_TEXT.has(family)).map(({ path }) => path);
  const picture = { files, sans: fonts.sans, mono: fonts.mono };
  const bytes = await pictureOf(writeXml(root), picture, { isHarmless, type });
  return { bytes, warnings };
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly warnings: readonly string[];
}

/** In whole pixels. A picture above the limit is made smaller, in its own proportions. */
export function pictureSize(root: XmlElement): PictureSize {
  const view = viewOf(root);
  const side = (name: "width" | "height") => Number(root.attributes.get(name) ?? view[name]);
  const [wide, high] = [side("width"), side("height")];
  const share = Math.sqrt(MAX_PIXELS / (wide * high));
  const scale = share < 1 ? share : 1;
  // A drawing of one line can be wider than the limit allows with a single pixel of height.
  const whole = (length: number) =>
    Math.min(MAX_PIXELS, Math.max(1, scale < 1 ? Math.floor(length * scale) : Math.round(length)));
  const [width, height] = [whole(wide), whole(high)];
  if (!(width * height <= MAX_PIXELS))
    throw new NotRasterised("The drawing is too large to make a picture. Ask for SVG.");
  if (scale === 1) return { width, height, warnings: [] };
  const asked = `${Math.round(wide)} × ${Math.round(high)}`;
  const said = `The picture would have ${asked} pixels; the limit is ${MAX_PIXELS / 1e6} million. It was scaled down to ${width} × ${height}.`;
  return { width, height, warnings: [said] };
}
