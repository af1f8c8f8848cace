// A finished SVG as another file: a picture, or a PDF.

import type { OutputType } from "../api/render.ts";
import { type PictureFile, rasterise } from "../png.ts";

/** `svg` has been through `renderDiagram`. */
export async function converted(svg: string, type: Exclude<OutputType, "svg">): Promise<PictureFile> {
  return type === "pdf" ? await (await import("../pdf/pdf.ts")).pdfOf(svg) : await rasterise(svg, type);
}
