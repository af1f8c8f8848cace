// The main module of a process that has diagrams drawn by a Kroki.

import { type Context, handedDown, type Shareable } from "millrace/processor";
import type { RenderedDiagram } from "../../api/render.ts";
import type { DiagramEngine } from "../../engine.ts";
import { normalised } from "../../normalised.ts";
import { renderDiagram } from "../../render.ts";
import { plainDrawing } from "../../svg/plain-drawing.ts";
import type { DrawingInfo } from "../drawing.ts";
import { failureOf } from "../finish.ts";
import { renderOnce } from "../render-once.ts";
import { fetchDrawing, UPSTREAM_VARIABLE } from "./fetch.ts";
import type { UpstreamPayload } from "./payload.ts";

export default async function render(ctx: Context, payload: UpstreamPayload): Promise<RenderedDiagram> {
  return renderOnce(ctx, payload, (key) => draw(ctx, payload, key));
}

async function draw(ctx: Context, payload: UpstreamPayload, key: string): Promise<Shareable> {
  const address = handedDown(UPSTREAM_VARIABLE) ?? "";
  const source = normalised(payload.source);
  const engine: DiagramEngine = {
    warmUp: async () => undefined,
    render: async () => {
      const svg = await fetchDrawing(address, { ...payload, source }, ctx.signal);
      return typeof svg === "string" ? plainDrawing(svg) : svg;
    },
  };
  const drawn = await renderDiagram(engine, source, {});
  if ("fault" in drawn) throw failureOf(drawn.fault);
  const info: DrawingInfo = { format: payload.upstream, warnings: drawn.warnings };
  return { key, contentType: "image/svg+xml", bytes: new TextEncoder().encode(drawn.svg), info };
}
