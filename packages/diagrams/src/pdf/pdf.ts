// A drawing as a PDF of one page, as large as the drawing. Shapes stay shapes. Letters are outlines, shaped by HarfBuzz, so that
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
import { PdfResources } from "./resources.ts";
import { type PlacedText, TextLayer, textsIn } from "./text-layer.ts";

/** Points of PDF in a pixel of CSS. */
const POINTS = 0.75;
/** Viewers refuse larger pages. */
const MOST_POINTS = 14_400;

/** `svg` has been through `renderDiagram`: its width and height are those of the page. */
export async function pdfOf(svg: string): Promise<PictureFile> {
  const root = parseXml(svg);
  const view = viewOf(root);
  const title = root.elements.find(({ localName }) => localName === "title")?.text.trim() ?? "";
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
  // From the drawing's pixels, whose y goes down, to the page.
  const [x, y] = [width / view.width, height / view.height];
  const page: PdfMatrix = [x, 0, 0, -y, -view.x * x, height + view.y * y];
  const bytes = written({ shapes, texts, page, title, size: [width, height] });
  const warnings = scale < 1 ? ["The page would be larger than PDF allows. It was scaled down."] : [];
  return { bytes, warnings };
}

interface Page {
  readonly shapes: XmlElement;
  readonly texts: readonly PlacedText[];
  readonly page: PdfMatrix;
  readonly title: string;
  /** In points. */
  readonly size: readonly [width: number, height: number];
}

function written({ shapes, texts, page, title, size }: Page): Uint8Array {
  const file = new PdfFile();
  const resources = new PdfResources(file);
  const byId = new Map(
    [...shapes.descendants()].flatMap((each) => {
      const id = each.attributes.get("id");
      return id === undefined ? [] : [[id, each] as const];
    }),
  );
  const box = [0, 0, ...size];
  const around: PdfContext = { file, resources, byId, box };
  const drawing = contentOf(shapes.elements, page, around);
  const letters = new TextLayer().write(texts, page, around);
  const content = file.stream(`${drawing}\n${letters}`);
  resources.write();
  const pages = file.reserve();
  const media = `/MediaBox [${box.map((each) => each.toFixed(2)).join(" ")}]`;
  const group = "/Group << /S /Transparency /CS /DeviceRGB >>";
  const only = file.add(
    `<< /Type /Page /Parent ${pages} 0 R ${media} ${group} /Contents ${content} 0 R /Resources ${resources.id} 0 R >>`,
  );
  file.add(`<< /Type /Pages /Kids [${only} 0 R] /Count 1 >>`, pages);
  const shown = title === "" ? "" : " /ViewerPreferences << /DisplayDocTitle true >>";
  const catalog = file.add(`<< /Type /Catalog /Pages ${pages} 0 R${shown} >>`);
  const named = title === "" ? "" : ` /Title ${textString(title.slice(0, 500))}`;
  const info = file.add(`<< /Producer (Millrace)${named} >>`);
  return file.bytes(catalog, info);
}
