// The main module of a renderer: it draws one diagram at a time, in a process of its own that can reach nothing.

import type { Context, Shareable } from "millrace/processor";
import type { CommonOptions, Format } from "../api/options.ts";
import type { RenderedDiagram, RenderPayload } from "../api/render.ts";
import type { DiagramEngine } from "../engine.ts";
import { engineOf } from "../engines.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { normalised } from "../normalised.ts";
import { rasterise, TooManyPixels } from "../png.ts";
import { renderDiagram } from "../render.ts";
import type { DrawingInfo } from "./drawing.ts";
import { failureOf, named } from "./finish.ts";
import { keysOf } from "./keys.ts";
import { drawnByAnother } from "./once.ts";

const warm = new Map<Format, LoadedOnce<void>>();

// Before the first job comes: a child says that it is ready when this file is loaded. Whoever draws only with other engines
// may have no Mermaid; that shows when it is asked for.
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
  const drawing = svg ?? (await draw(payload, keys.svg));
  const info = drawing.info as DrawingInfo;
  if (payload.outputType === "svg") return named(ctx, drawing, info);
  // Kept as well: whoever asks for the SVG next, or for the picture again after it went, needs no layout.
  if (svg === undefined) await ctx.share(drawing, { named: false });
  const bytes = await picture(new TextDecoder().decode(drawing.bytes));
  return named(ctx, { key: keys.asked, contentType: "image/png", bytes, info }, info);
}

async function draw({ format, source, options = {} }: RenderPayload, key: string): Promise<Shareable> {
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const drawn = await renderDiagram(engine, normalised(source), options);
  if ("fault" in drawn) throw failureOf(drawn.fault);
  const info: DrawingInfo = { format, warnings: drawn.warnings };
  return { key, contentType: "image/svg+xml", bytes: new TextEncoder().encode(drawn.svg), info };
}

async function picture(svg: string): Promise<Uint8Array> {
  try {
    return await rasterise(svg);
  } catch (error) {
    if (error instanceof TooManyPixels) throw failureOf({ message: error.message });
    throw error;
  }
}
