// One source of the corpus, drawn by us and by the reference, in figures.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Format } from "../../../packages/diagrams/src/api/formats.ts";
import type { CommonOptions } from "../../../packages/diagrams/src/api/options.ts";
import type { DiagramEngine } from "../../../packages/diagrams/src/engine.ts";
import { engineOf } from "../../../packages/diagrams/src/engines.ts";
import { renderDiagram } from "../../../packages/diagrams/src/render.ts";
import type { ReferenceBrowser } from "../../../packages/diagrams/test/support/reference/browser.ts";
import { compareLetters, type LetterComparison } from "../../../packages/diagrams/test/support/reference/letters.ts";
import type { CorpusSource } from "./sources.ts";
import type { Viewer } from "./viewers.ts";

export interface Compared {
  readonly id: string;
  readonly origin: string;
  /** Why we did not draw what the reference draws. */
  readonly fault?: string;
  readonly letters?: LetterComparison;
  /** How much wider or higher ours is, in pixels, and as a share of the reference. */
  readonly sizePx?: number;
  readonly sizeShare?: number;
  readonly edgeLabels?: number;
  readonly linesThrough?: number;
  /** Shares of ink that differ: from the reference, our PNG from our SVG, other programs' pictures from our SVG. */
  readonly ink?: number;
  readonly pngInk?: number;
  readonly librsvgInk?: number;
  readonly inkscapeInk?: number;
  /** Pictures of the reference that ours has neither drawn nor warned of. */
  readonly droppedIcons?: number;
  readonly isState?: boolean;
  readonly warnings: readonly string[];
}

export interface Tools {
  readonly browser: ReferenceBrowser;
  /** Undefined where it is not installed. */
  readonly librsvg: Viewer | undefined;
  readonly inkscape: Viewer | undefined;
  /** A folder for the drawings and pictures; undefined: they are not kept. */
  readonly keep: string | undefined;
}

const MAX_PIXELS = 12_000_000;

/** `reference` is the upstream's SVG. */
export async function compareWith(
  reference: string,
  { id, origin, source }: CorpusSource,
  format: Format,
  tools: Tools,
): Promise<Compared> {
  const { browser, librsvg, inkscape } = tools;
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const rendered = await renderDiagram(engine, source, {}, "png");
  const about = { id, origin };
  if ("fault" in rendered) return { ...about, fault: rendered.fault.message, warnings: [] };
  const { svg, picture: png, width, height, warnings } = rendered;
  const theirs = await browser.lettersOf(reference);
  const letters = format === "mermaid" ? compareLetters(await browser.lettersOf(svg), theirs) : undefined;
  const [wider, higher] = [width - theirs.width, height - theirs.height];
  const edgeLabels = letters?.edgeLabels ?? [];
  const linesThrough = edgeLabels.length === 0 ? 0 : await browser.linesThrough(svg, edgeLabels);
  const figures = {
    ...about,
    isState: /^stateDiagram/m.test(source),
    ...(letters !== undefined && { letters }),
    sizePx: Math.max(Math.abs(wider), Math.abs(higher)),
    sizeShare: Math.max(Math.abs(wider) / theirs.width, Math.abs(higher) / theirs.height),
    edgeLabels: edgeLabels.length,
    linesThrough,
    droppedIcons: droppedIcons(reference, svg, warnings),
    warnings,
  };
  if (png === undefined || width * height > MAX_PIXELS || theirs.width * theirs.height > MAX_PIXELS) return figures;
  const [ours, upstream] = [
    await browser.picture(svg, width, height),
    await browser.picture(sized(reference, theirs), theirs.width, theirs.height),
  ];
  const elsewhere = await librsvg?.picture(svg, width, height);
  const edited = await inkscape?.picture(svg, width, height);
  const files = { source, svg, reference, ours, upstream, png, elsewhere, edited };
  if (tools.keep !== undefined) await keep(tools.keep, id, files);
  // A program that refuses a drawing shows none of it.
  const inkOf = async (picture: Uint8Array | undefined) =>
    picture === undefined ? 1 : await browser.ink(ours, picture);
  return {
    ...figures,
    ink: await browser.ink(ours, upstream),
    pngInk: await browser.ink(ours, png),
    ...(librsvg !== undefined && { librsvgInk: await inkOf(elsewhere) }),
    ...(inkscape !== undefined && { inkscapeInk: await inkOf(edited) }),
  };
}

function droppedIcons(reference: string, svg: string, warnings: readonly string[]): number {
  const images = (text: string) => text.match(/<image\b/g)?.length ?? 0;
  return warnings.some((each) => /image|icon/i.test(each)) ? 0 : Math.max(0, images(reference) - images(svg));
}

/** As a picture it needs a size of its own. */
function sized(svg: string, { width, height }: { width: number; height: number }): string {
  return svg.replace(/^<svg[^>]*>/, (tag) => {
    const bare = tag.replace(/ (?:width|height)="[^"]*"/g, "").replace(/max-width:\s*[\d.]+px;?/, "");
    return bare.replace("<svg", `<svg width="${width}" height="${height}"`);
  });
}

async function keep(folder: string, id: string, files: Record<string, string | Uint8Array | undefined>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const names: Record<string, string> = {
    source: "txt",
    svg: "ours.svg",
    reference: "theirs.svg",
    ours: "ours.png",
    upstream: "theirs.png",
    png: "png.png",
    elsewhere: "librsvg.png",
    edited: "inkscape.png",
  };
  for (const [name, content] of Object.entries(files))
    if (content !== undefined) writeFileSync(join(folder, `${id}.${names[name]}`), content);
}
