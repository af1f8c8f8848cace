import assert from "node:assert/strict";
import type { Format } from "../../../src/api/formats.ts";
import type { CommonOptions } from "../../../src/api/options.ts";
import type { OutputType } from "../../../src/api/render.ts";
import type { DiagramEngine, Fault } from "../../../src/engine.ts";
import { engineOf } from "../../../src/engines.ts";
import { normalised } from "../../../src/normalised.ts";
import { type Rendering, renderDiagram } from "../../../src/render.ts";

export async function drawnOrFault(
  format: Format,
  source: string,
  options: object = {},
  outputType: OutputType = "svg",
): Promise<Rendering | { fault: Fault }> {
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  return renderDiagram(engine, normalised(source), options, outputType);
}

export async function drawn(
  format: Format,
  source: string,
  options: object = {},
  outputType: OutputType = "svg",
): Promise<Rendering> {
  const rendered = await drawnOrFault(format, source, options, outputType);
  assert.ok("svg" in rendered, "fault" in rendered ? `${format}: ${rendered.fault.message}` : "");
  return rendered;
}

export async function faultIn(format: Format, source: string): Promise<Fault> {
  const rendered = await drawnOrFault(format, source);
  assert.ok("fault" in rendered, `${format} draws ${source.slice(0, 80)}`);
  return rendered.fault;
}
