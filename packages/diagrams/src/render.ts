// One diagram from source to bytes: engine, sanitiser, frame, and for PNG the rasteriser.

import type { CommonOptions } from "./api/options.ts";
import { NoChromium, sharedChromium } from "./chromium/chromium.ts";
import type { DiagramEngine, Drawing, Fault } from "./engine.ts";
import { frame } from "./frame.ts";
import { pictureSize, rasterise, TooManyPixels } from "./png.ts";
import { sanitiseTree } from "./sanitise.ts";
import { parseXml, writeXml, type XmlElement } from "./svg/xml.ts";

export interface Rendering extends Omit<Drawing, "isPadded" | "browserSvg"> {
  readonly png?: Uint8Array;
}

export async function renderDiagram<Options extends CommonOptions>(
  engine: DiagramEngine<Options>,
  source: string,
  options: Options,
  outputType: "svg" | "png" = "svg",
): Promise<Rendering | { fault: Fault }> {
  const drawing = await engine.render(source, options);
  if ("fault" in drawing) return { fault: { ...drawing.fault, message: shortened([drawing.fault.message]).join("") } };
  const root = sanitiseTree(parseXml(drawing.svg));
  const framing = framingOf(options, drawing);
  const size = frame(root, framing);
  const svg = writeXml(root);
  const rendered = { svg, ...size, warnings: shortened(drawing.warnings) };
  if (outputType === "svg") return rendered;
  try {
    if (options.engine !== "chromium") return { ...rendered, png: await rasterise(svg) };
    if (drawing.browserSvg === undefined) return { ...rendered, png: await pictureByChromium(root) };
    const inBrowser = parseXml(drawing.browserSvg);
    frame(inBrowser, framing);
    return { ...rendered, png: await pictureByChromium(inBrowser), warnings: [] };
  } catch (error) {
    if (error instanceof TooManyPixels || error instanceof NoChromium) return { fault: { message: error.message } };
    throw error;
  }
}

const MAX_WARNINGS = 20;
const MAX_WARNING_CHARS = 500;

/** Graphviz repeats whole labels in its warnings, one for each node: together they can be larger than a job may keep. */
function shortened(warnings: readonly string[]): string[] {
  const kept = warnings.slice(0, MAX_WARNINGS).map((each) => {
    return each.length > MAX_WARNING_CHARS ? `${each.slice(0, MAX_WARNING_CHARS).toWellFormed()}…` : each;
  });
  const more = warnings.length - kept.length;
  return more > 0 ? [...kept, `And ${more} more warnings.`] : kept;
}

function framingOf(options: CommonOptions, { isPadded = false }: Drawing): CommonOptions {
  const { padding, ...rest } = options;
  return isPadded || padding === undefined ? rest : { ...rest, padding };
}

async function pictureByChromium(root: XmlElement): Promise<Uint8Array> {
  const { width, height } = pictureSize(root);
  const chromium = await sharedChromium();
  return chromium.picture(writeXml(root), width, height);
}
