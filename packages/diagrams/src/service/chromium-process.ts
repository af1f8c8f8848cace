// The main module of the renderer with a browser: one diagram at a time, in one warm page that is offline. When the process is
// killed, at a deadline say, its browser ends with it; the next one starts its own.

import { preferChromium } from "millrace/chromium";
import { type Context, handedDown } from "millrace/processor";
import type { CommonOptions } from "../api/options.ts";
import type { RenderedDiagram, RenderPayload } from "../api/render.ts";
import { sharedChromium } from "../chromium/chromium.ts";
import type { DiagramEngine } from "../engine.ts";
import { engineOf } from "../engines.ts";
import { normalised } from "../normalised.ts";
import { renderDiagram } from "../render.ts";
import type { DrawingInfo } from "./drawing.ts";
import { failureOf, named } from "./finish.ts";
import { keysOf } from "./keys.ts";
import { drawnByAnother } from "./once.ts";

preferChromium(handedDown("CHROMIUM_PATH") || undefined);

/**
 * A browser takes a second to start, and D2 as long to load, which must not count against the first diagram. Neither may ever be
 * needed. Mermaid is loaded by the page.
 */
export async function prepare({ format }: RenderPayload): Promise<void> {
  await sharedChromium();
  if (format !== "mermaid") await (await engineOf(format)).warmUp();
}

export default async function render(ctx: Context, payload: RenderPayload): Promise<RenderedDiagram> {
  const known = await drawnByAnother(ctx, payload);
  if (known !== undefined) return named(ctx, known, known.info as DrawingInfo);
  const { format, source, options = {}, outputType } = payload;
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const drawn = await renderDiagram(engine, normalised(source), options, outputType);
  if ("fault" in drawn) throw failureOf(drawn.fault);
  const info: DrawingInfo = { format, warnings: drawn.warnings };
  const { asked } = keysOf(payload, ctx.tenant);
  if (outputType === "svg") {
    const bytes = new TextEncoder().encode(drawn.svg);
    return named(ctx, { key: asked, contentType: "image/svg+xml", bytes, info }, info);
  }
  return named(ctx, { key: asked, contentType: "image/png", bytes: drawn.picture as Uint8Array, info }, info);
}
