// One diagram from source to bytes: engine, sanitiser, frame, and for PNG the rasteriser.

import type { CommonOptions } from "../../api/diagram-options.ts";
import type { Drawing, Engine, Fault } from "./engine.ts";
import { frame } from "./frame.ts";
import { rasterise, TooManyPixels } from "./png.ts";
import { sanitiseTree } from "./sanitise.ts";
import { parseXml, writeXml } from "./svg/xml.ts";

export interface Rendered extends Omit<Drawing, "isPadded"> {
  readonly png?: Uint8Array;
}

export async function renderDiagram<Options extends CommonOptions>(
  engine: Engine<Options>,
  source: string,
  options: Options,
  outputType: "svg" | "png" = "svg",
): Promise<Rendered | { fault: Fault }> {
  const drawing = await engine.render(source, options);
  if ("fault" in drawing) return drawing;
  const root = sanitiseTree(parseXml(drawing.svg));
  const { padding, ...rest } = options;
  const size = frame(root, drawing.isPadded === true || padding === undefined ? rest : { ...rest, padding });
  const svg = writeXml(root);
  const rendered = { svg, ...size, warnings: drawing.warnings };
  if (outputType === "svg") return rendered;
  try {
    return { ...rendered, png: await rasterise(svg) };
  } catch (error) {
    if (error instanceof TooManyPixels) return { fault: { message: error.message } };
    throw error;
  }
}
