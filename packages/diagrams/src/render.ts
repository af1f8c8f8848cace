// One diagram from source to bytes: engine, sanitiser, frame, and for PNG the rasteriser.

import type { CommonOptions } from "./api/options.ts";
import type { OutputType } from "./api/render.ts";
import { NoChromium, sharedChromium } from "./chromium/chromium.ts";
import type { DiagramEngine, Drawing, Fault } from "./engine.ts";
import { finishDrawing } from "./flat/finish.ts";
import { embedFonts } from "./fonts/embed.ts";
import { frame } from "./frame.ts";
import { imagesNotDrawn, takeImages } from "./images.ts";
import { type PictureFile, pictureSize } from "./png.ts";
import { converted } from "./raster/convert.ts";
import { NotRasterised } from "./raster/resvg.ts";
import { sanitiseTree } from "./sanitise.ts";
import { parseXml, writeXml, type XmlElement } from "./svg/xml.ts";

export interface Rendering extends Omit<Drawing, "isPadded" | "browserSvg" | "ground"> {
  /** The bytes of a drawing that was asked for in pixels or as PDF. */
  readonly picture?: Uint8Array;
}

export async function renderDiagram<Options extends CommonOptions>(
  engine: DiagramEngine<Options>,
  source: string,
  options: Options,
  outputType: OutputType = "svg",
): Promise<Rendering | { fault: Fault }> {
  const drawing = await engine.render(source, options);
  if ("fault" in drawing) return { fault: { ...drawing.fault, message: shortened([drawing.fault.message]).join("") } };
  const tree = parseXml(drawing.svg);
  const images = takeImages(tree);
  const root = sanitiseTree(tree);
  const framing = framingOf(options, drawing);
  const size = frame(root, framing, drawing.ground);
  finishDrawing(root);
  images.insert(root);
  const unembedded = options.embedFont === true ? await embedFonts(root) : undefined;
  const svg = writeXml(root);
  const lost = imagesNotDrawn(images.missing);
  const warnings = [...drawing.warnings, ...[unembedded, lost].filter((each) => each !== undefined)];
  const rendered = { svg, ...size, warnings: shortened(warnings) };
  if (outputType === "svg") return rendered;
  try {
    if (options.engine !== "chromium") return withPicture(rendered, await converted(svg, outputType));
    if (outputType !== "png") return { fault: { message: "A Chromium draws SVG and PNG, and no other picture." } };
    if (drawing.browserSvg === undefined) return withPicture(rendered, await pictureByChromium(root));
    const inBrowser = parseXml(drawing.browserSvg);
    frame(inBrowser, framing);
    return withPicture({ ...rendered, warnings: lost === undefined ? [] : [lost] }, await pictureByChromium(inBrowser));
  } catch (error) {
    if (error instanceof NotRasterised || error instanceof NoChromium) return { fault: { message: error.message } };
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

async function pictureByChromium(root: XmlElement): Promise<PictureFile> {
  const { width, height, warnings } = pictureSize(root);
  const chromium = await sharedChromium();
  return { bytes: await chromium.picture(writeXml(root), width, height), warnings };
}

function withPicture(drawing: Rendering, { bytes, warnings }: PictureFile): Rendering {
  return { ...drawing, picture: bytes, warnings: [...drawing.warnings, ...warnings] };
}
