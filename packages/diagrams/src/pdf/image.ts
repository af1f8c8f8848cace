// Pictures in a drawing go into the file as their pixels, with their opacity as a mask.

import { createRequire } from "node:module";
import { imageSizeOf } from "../svg/data-image.ts";
import type { PdfFile } from "./file.ts";

type Resvg = typeof import("@resvg/resvg-js");

const MOST_PIXELS = 16_000_000;

/** Undefined for what is no picture. */
export function imageObject(address: string, file: PdfFile): number | undefined {
  const plain = address.replace(/^(data:[^,]*,)\s+/, "$1");
  const size = imageSizeOf(plain);
  if (size === undefined || size.width * size.height > MOST_PIXELS) return undefined;
  const head = `/Type /XObject /Subtype /Image /Width ${size.width} /Height ${size.height} /BitsPerComponent 8`;
  const { pixels } = pixelsOf(plain, size);
  const count = size.width * size.height;
  const colours = new Uint8Array(count * 3);
  const opacities = new Uint8Array(count);
  for (let at = 0; at < count; at++) {
    const alpha = pixels[at * 4 + 3] ?? 0;
    opacities[at] = alpha;
    for (let channel = 0; channel < 3; channel++)
      colours[at * 3 + channel] = alpha === 0 ? 255 : Math.round(((pixels[at * 4 + channel] ?? 0) * 255) / alpha);
  }
  const mask = opacities.every((alpha) => alpha === 255)
    ? ""
    : ` /SMask ${file.stream(opacities, `${head} /ColorSpace /DeviceGray`)} 0 R`;
  return file.stream(colours, `${head} /ColorSpace /DeviceRGB${mask}`);
}

/** The rasteriser reads every kind of picture that the sanitiser lets through. */
function pixelsOf(address: string, { width, height }: { width: number; height: number }): { pixels: Uint8Array } {
  const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js") as Resvg;
  const size = `width="${width}" height="${height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${address}"/></svg>`;
  return new Resvg(svg, { font: { loadSystemFonts: false }, logLevel: "off" }).render();
}
