// The main module of a renderer: it draws one diagram at a time, in a process of its own that can reach nothing.

import type { Context, Shareable } from "millrace/processor";
import type { Format } from "../api/formats.ts";
import type { CommonOptions } from "../api/options.ts";
import { CONTENT_TYPES, type OutputType, type RenderedDiagram, type RenderPayload } from "../api/render.ts";
import type { DiagramEngine } from "../engine.ts";
import { engineOf } from "../engines.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { normalised } from "../normalised.ts";
import type { PictureFile } from "../png.ts";
import { converted } from "../raster/convert.ts";
import { NotRasterised } from "../raster/resvg.ts";
import { renderDiagram } from "../render.ts";
import type { DrawingInfo } from "./drawing.ts";
import { failureOf, named } from "./finish.ts";
import { keysOf } from "./keys.ts";
import { drawnByAnother } from "./once.ts";

const warm = new Map<Format, LoadedOnce<void>>();

// Before the first job comes: a child says that it is ready when this file is loaded. An installation that draws only with
// other engines may have no Mermaid, which is reported when a Mermaid diagram comes.
await warmUp("mermaid").catch(() => undefined);

/** D2 takes a second to load, which is no fault of the diagram that comes first. */
export async function prepare({ format }: RenderPayload): Promise<Format> {
  await warmUp(format);
  return format;
}

/** Where D2 is drawn, a renderer that takes over has it loaded as well. */
export async function standBy(formats: readonly Format[]): Promise<void> {
  for (const format of formats) await warmUp(format);
}

function warmUp(format: Format): Promise<void> {
  let ready = warm.get(format);
  if (ready === undefined) {
    ready = new LoadedOnce(async () => (await engineOf(format)).warmUp());
    warm.set(format, ready);
  }
  return ready.get();
}

export default async function render(ctx: Context, payload: RenderPayload): Promise<RenderedDiagram> {
  const known = await drawnByAnother(ctx, payload);
  if (known !== undefined) return named(ctx, known, known.info as DrawingInfo);
  const keys = keysOf(payload, ctx.tenant);
  const svg = payload.outputType === "svg" ? undefined : await ctx.shared(keys.svg);
  const drawing = svg ?? (await draw(payload, keys.svg, ctx));
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

async function draw({ format, source, options = {} }: RenderPayload, key: string, ctx: Context): Promise<Shareable> {
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const drawn = await renderDiagram(engine, normalised(source), options);
  if ("fault" in drawn) throw failureOf(drawn.fault);
  if (drawn.warnings.length > 0) ctx.log.warn("drawn with warnings", { format, warnings: [...drawn.warnings] });
  const info: DrawingInfo = { format, warnings: drawn.warnings };
  return { key, contentType: "image/svg+xml", bytes: new TextEncoder().encode(drawn.svg), info };
}

async function picture(svg: string, type: Exclude<OutputType, "svg">): Promise<PictureFile> {
  try {
    return await converted(svg, type);
  } catch (error) {
    if (error instanceof NotRasterised) throw failureOf({ message: error.message });
    throw error;
  }
}
