// A diagram as the library gives it: in a renderer process, or in the caller's own.

import type { CommonOptions } from "../api/options.ts";
import type { RenderPayload } from "../api/render.ts";
import type { DiagramEngine, Fault } from "../engine.ts";
import { engineOf } from "../engines.ts";
import { normalised } from "../normalised.ts";
import { type Rendering, renderDiagram } from "../render.ts";

export interface EncodedDrawing {
  readonly bytes: Uint8Array;
  readonly about: Pick<Rendering, "width" | "height" | "warnings">;
}

export async function draw(payload: RenderPayload): Promise<EncodedDrawing | { fault: Fault }> {
  const { format, source, options = {}, outputType } = payload;
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const drawn = await renderDiagram(engine, normalised(source), options, outputType);
  if ("fault" in drawn) return drawn;
  const { svg, picture, width, height, warnings } = drawn;
  return { bytes: picture ?? new TextEncoder().encode(svg), about: { width, height, warnings } };
}
