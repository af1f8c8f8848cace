// The main module of a renderer: it draws one diagram at a time, in a process of its own that can reach nothing.

import type { Context, Shareable } from "millrace/processor";
import type { Format } from "../api/formats.ts";
import type { CommonOptions } from "../api/options.ts";
import type { RenderedDiagram, RenderPayload } from "../api/render.ts";
import type { DiagramEngine } from "../engine.ts";
import { engineOf } from "../engines.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { normalised } from "../normalised.ts";
import { renderDiagram } from "../render.ts";
import type { DrawingInfo } from "./drawing.ts";
import { failureOf } from "./finish.ts";
import { renderOnce } from "./render-once.ts";

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
  return renderOnce(ctx, payload, (key) => draw(payload, key, ctx));
}

async function draw({ format, source, options = {} }: RenderPayload, key: string, ctx: Context): Promise<Shareable> {
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const drawn = await renderDiagram(engine, normalised(source), options);
  if ("fault" in drawn) throw failureOf(drawn.fault);
  if (drawn.warnings.length > 0) ctx.log.warn("drawn with warnings", { format, warnings: [...drawn.warnings] });
  const info: DrawingInfo = { format, warnings: drawn.warnings };
  return { key, contentType: "image/svg+xml", bytes: new TextEncoder().encode(drawn.svg), info };
}
