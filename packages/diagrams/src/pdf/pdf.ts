// A drawing as a PDF whose page is as large as the drawing. Shapes stay shapes. Letters are outlines, shaped by HarfBuzz, so that
// every script is right in every viewer; an invisible layer of text lies over them.

import { flatten } from "../flatten.ts";
import { viewOf } from "../frame.ts";
import type { PictureFile } from "../png.ts";
import { outlineTexts } from "../raster/outline.ts";
import { simplified } from "../raster/resvg.ts";
import { removeUnseen } from "../raster/visible.ts";
import { parseXml, writeXml, type XmlElement } from "../svg/xml.ts";
import { findFonts } from "../text/fonts.ts";
import { contentOf, type PdfContext } from "./content.ts";
import { PdfFile, textString } from "./file.ts";
import type { PdfMatrix } from "./matrix.ts";
import { pagesOf } from "./pages.ts";
import { PdfResources } from "./resources.ts";
import { type PlacedText, TextLayer, textsIn } from "./text-layer.ts";

/** Points of PDF in a pixel of CSS. */
const POINTS = 0.75;
/** Viewers refuse larger pages. */
const MOST_POINTS = 14_400;

/** `svg` has been through `renderDiagram`: its width and height are those of the page. Each board of D2 has a page of its own. */
export async function pdfOf(svg: string): Promise<PictureFile> {
  const root = parseXml(svg);
  const title = root.elements.find(({ localName }) => localName === "title")?.text.trim() ?? "";
  const file = new PdfFile();
  const resources = new PdfResources(file);
  const pages = file.reserve();
  const [kids, warnings]: [number[], Set<string>] = [[], new Set()];
  for (const drawing of pagesOf(root)) {
    const page = await pageOf(drawing);
    if (page.isScaledDown) warnings.add("The page would be larger than PDF allows. It was scaled down.");
    kids.push(written(page, { file, resources, pages }));
  }
  resources.write();
  file.add(`<< /Type /Pages /Kids [${kids.map((id) => `${id} 0 R`).join(" ")}] /Count ${kids.length} >>`, pages);
  const shown = title === "" ? "" : " /ViewerPreferences << /DisplayDocTitle true >>";
  const catalog = file.add(`<< /Type /Catalog /Pages ${pages} 0 R${shown} >>`);
  const named = title === "" ? "" : ` /Title ${textString(title.slice(0, 500))}`;
  const info = file.add(`<< /Producer (Millrace)${named} >>`);
  return { bytes: file.bytes(catalog, info), warnings: [...warnings] };
}

interface Page {
  readonly shapes: XmlElement;
  readonly texts: readonly PlacedText[];
  /** From the drawing's pixels, whose y goes down, to the page. */
  readonly matrix: PdfMatrix;
  /** In points. */
  readonly size: readonly [width: number, height: number];
  readonly isScaledDown: boolean;
}

async function pageOf(root: XmlElement): Promise<Page> {
  const view = viewOf(root);
  const side = (name: "width" | "height") => Number(root.attributes.get(name)) || view[name];
  const asked = [side("width") * POINTS, side("height") * POINTS] as const;
  const scale = Math.min(1, MOST_POINTS / Math.max(...asked));
  const [width, height] = asked.map((points) => Math.max(1, points * scale)) as [number, number];
  flatten(root, findFonts());
  const texts = await textsIn(root);
  await outlineTexts(root, { every: true });
  const isHarmless = removeUnseen(root, view);
  root.attributes.set("width", String(view.width));
  root.attributes.set("height", String(view.height));
  const shapes = parseXml(await simplified(writeXml(root), isHarmless));
  const [x, y] = [width / view.width, height / view.height];
  const matrix: PdfMatrix = [x, 0, 0, -y, -view.x * x, height + view.y * y];
  return { shapes, texts, matrix, size: [width, height], isScaledDown: scale < 1 };
}

interface WholeFile {
  readonly file: PdfFile;
  readonly resources: PdfResources;
  /** The object that holds all pages. */
  readonly pages: number;
}

/** The object of the page. */
function written({ shapes, texts, matrix, size }: Page, { file, resources, pages }: WholeFile): number {
  const byId = new Map(
    [...shapes.descendants()].flatMap((each) => {
      const id = each.attributes.get("id");
      return id === undefined ? [] : [[id, each] as const];
    }),
  );
  const box = [0, 0, ...size];
  const around: PdfContext = { file, resources, byId, box };
  const drawing = contentOf(shapes.elements, matrix, around);
  const letters = new TextLayer().write(texts, matrix, around);
  const content = file.stream(`${drawing}\n${letters}`);
  const media = `/MediaBox [${box.map((each) => each.toFixed(2)).join(" ")}]`;
  const group = "/Group << /S /Transparency /CS /DeviceRGB >>";
  return file.add(
    `<< /Type /Page /Parent ${pages} 0 R ${media} ${group} /Contents ${content} 0 R /Resources ${resources.id} 0 R >>`,
  );
}
