// A drawing that is made once for all who ask for it, kept as SVG, and converted to what was asked for.

import type { Context, Shareable } from "millrace/processor";
import { CONTENT_TYPES, type OutputType, type RenderedDiagram } from "../api/render.ts";
import type { PictureFile } from "../png.ts";
import { converted } from "../raster/convert.ts";
import { NotRasterised } from "../raster/resvg.ts";
import type { DrawingInfo } from "./drawing.ts";
import { failureOf, named } from "./finish.ts";
import { type DrawnPayload, keysOf } from "./keys.ts";
import { drawnByAnother } from "./once.ts";

/** `draw` makes the SVG, under the key that it is given. */
export async function renderOnce(
  ctx: Context,
  payload: DrawnPayload,
  draw: (key: string) => Promise<Shareable>,
): Promise<RenderedDiagram> {
  const known = await drawnByAnother(ctx, payload);
  if (known !== undefined) return named(ctx, known, known.info as DrawingInfo);
  const keys = keysOf(payload, ctx.tenant);
  const svg = payload.outputType === "svg" ? undefined : await ctx.shared(keys.svg);
  const drawing = svg ?? (await draw(keys.svg));
  const info = drawing.info as DrawingInfo;
  if (payload.outputType === "svg") return named(ctx, drawing, info);
  // The SVG is kept as well, so that a later request for it, or for the picture after it was deleted, needs no layout.
  if (svg === undefined) await ctx.share(drawing, { named: false });
  const { bytes, warnings } = await picture(new TextDecoder().decode(drawing.bytes), payload.outputType);
  const ofPicture = { ...info, warnings: [...info.warnings, ...warnings] };
  return named(
    ctx,
    { key: keys.asked, contentType: CONTENT_TYPES[payload.outputType], bytes, info: ofPicture },
    ofPicture,
  );
}

async function picture(svg: string, type: Exclude<OutputType, "svg">): Promise<PictureFile> {
  try {
    return await converted(svg, type);
  } catch (error) {
    if (error instanceof NotRasterised) throw failureOf({ message: error.message });
    throw error;
  }
}
