// The shapes of a drawing as PDF's operators. Every shape is written with its whole matrix, so that forms, masks and patterns can
// be used anywhere.

import type { XmlElement } from "../svg/xml.ts";
import { rgbOf } from "./colour.ts";
import type { PdfFile } from "./file.ts";
import { gradientOf } from "./gradient.ts";
import { imageObject } from "./image.ts";
import { matrixOf, num, nums, type PdfMatrix, times } from "./matrix.ts";
import { extentOf, pathOperators } from "./path.ts";
import type { PdfResources } from "./resources.ts";

export interface PdfContext {
  readonly file: PdfFile;
  readonly resources: PdfResources;
  readonly byId: ReadonlyMap<string, XmlElement>;
  /** `/BBox` of every form: the page. */
  readonly box: readonly number[];
}

const MOST_DEPTH = 60;
const JOINS: Readonly<Record<string, number>> = { miter: 0, round: 1, bevel: 2 };
const CAPS: Readonly<Record<string, number>> = { butt: 0, round: 1, square: 2 };

export function contentOf(children: readonly XmlElement[], matrix: PdfMatrix, around: PdfContext, depth = 0): string {
  if (depth > MOST_DEPTH) return "";
  return children
    .map((element) => {
      switch (element.localName) {
        case "g":
          return groupContent(element, matrix, around, depth);
        case "path":
          return pathContent(element, matrix, around, depth);
        case "image":
          return imageContent(element, matrix, around);
        default:
          return "";
      }
    })
    .filter((part) => part !== "")
    .join("\n");
}

function groupContent(group: XmlElement, outer: PdfMatrix, around: PdfContext, depth: number): string {
  const { attributes } = group;
  const matrix = times(outer, matrixOf(attributes.get("transform")));
  const inside = contentOf(group.elements, matrix, around, depth + 1);
  if (inside === "") return "";
  const opacity = Number(attributes.get("opacity") ?? 1);
  const clip = clipOperators(referred(attributes.get("clip-path"), around), matrix, around, 0);
  const mask = referred(attributes.get("mask"), around);
  const states: string[] = [];
  if (mask !== undefined) states.push(`${around.resources.softMask(maskForm(mask, matrix, around, depth))} gs`);
  if (opacity < 1) states.push(`${around.resources.opacity(opacity, opacity)} gs`);
  if (states.length === 0) return clip === "" ? inside : `q\n${clip}\n${inside}\nQ`;
  // As one layer: the parts of a group do not show through one another.
  const form = around.resources.nameOf("XObject", formObject(inside, around));
  return ["q", clip, ...states, `${form} Do`, "Q"].filter((part) => part !== "").join("\n");
}

function formObject(content: string, { file, resources, box }: PdfContext): number {
  const group = "/Group << /S /Transparency /CS /DeviceRGB >>";
  return file.stream(
    content,
    `/Type /XObject /Subtype /Form /BBox [${nums(box)}] ${group} /Resources ${resources.id} 0 R`,
  );
}

function maskForm(mask: XmlElement, matrix: PdfMatrix, around: PdfContext, depth: number): number {
  return formObject(contentOf(mask.elements, matrix, around, depth + 1), around);
}

/** The shapes of a clip path are one path. */
function clipOperators(clip: XmlElement | undefined, matrix: PdfMatrix, around: PdfContext, depth: number): string {
  if (clip === undefined || depth > 5) return "";
  const own = times(matrix, matrixOf(clip.attributes.get("transform")));
  const paths = clip.elements.flatMap((child) => clipPaths(child, own));
  const isEvenOdd = clip.elements.some(({ attributes }) => attributes.get("clip-rule") === "evenodd");
  const further = clipOperators(referred(clip.attributes.get("clip-path"), around), matrix, around, depth + 1);
  // Without a shape nothing is left of what is clipped.
  const path = paths.length === 0 ? "0 0 0 0 re" : paths.join("\n");
  return [further, path, isEvenOdd ? "W* n" : "W n"].filter((part) => part !== "").join("\n");
}

function clipPaths(element: XmlElement, outer: PdfMatrix): string[] {
  const matrix = times(outer, matrixOf(element.attributes.get("transform")));
  if (element.localName === "path") return [pathOperators(element.attributes.get("d") ?? "", matrix)];
  return element.localName === "g" ? element.elements.flatMap((child) => clipPaths(child, matrix)) : [];
}

function pathContent({ attributes }: XmlElement, outer: PdfMatrix, around: PdfContext, depth: number): string {
  const d = attributes.get("d") ?? "";
  const matrix = times(outer, matrixOf(attributes.get("transform")));
  if (d === "" || attributes.get("visibility") === "hidden") return "";
  const paint = (name: "fill" | "stroke") => {
    const otherwise = name === "fill" ? "#000000" : "none";
    const opacity = Number(attributes.get(`${name}-opacity`) ?? 1);
    return paintOf(attributes.get(name) ?? otherwise, opacity, {
      d,
      matrix,
      around,
      depth,
      isStroke: name === "stroke",
    });
  };
  const [fill, stroke] = [paint("fill"), paint("stroke")];
  if (fill === undefined && stroke === undefined) return "";
  const lines = ["q"];
  if ((fill?.opacity ?? 1) < 1 || (stroke?.opacity ?? 1) < 1)
    lines.push(`${around.resources.opacity(fill?.opacity ?? 1, stroke?.opacity ?? 1)} gs`);
  if (fill !== undefined) lines.push(fill.operators);
  if (stroke !== undefined) lines.push(stroke.operators, strokeStyle(attributes));
  const isEvenOdd = attributes.get("fill-rule") === "evenodd";
  const operator = fill === undefined ? "S" : `${stroke === undefined ? "f" : "B"}${isEvenOdd ? "*" : ""}`;
  return [...lines, `${nums(matrix)} cm`, pathOperators(d), operator, "Q"].join("\n");
}

interface Paint {
  readonly operators: string;
  readonly opacity: number;
}

function paintOf(
  value: string,
  opacity: number,
  {
    d,
    matrix,
    around,
    depth,
    isStroke,
  }: { d: string; matrix: PdfMatrix; around: PdfContext; depth: number; isStroke: boolean },
): Paint | undefined {
  if (value === "none" || opacity === 0) return undefined;
  const server = referred(value, around);
  if (server === undefined)
    return value.startsWith("url(")
      ? undefined
      : { operators: `${nums(rgbOf(value))} ${isStroke ? "RG" : "rg"}`, opacity };
  const { file, resources } = around;
  const extent = extentOf(d);
  const painted =
    server.localName === "pattern"
      ? { pattern: tiling(server, matrix, around, depth), opacity: 1 }
      : gradientOf(server, { file, matrix, extent });
  if (painted === undefined) return undefined;
  const name = resources.nameOf("Pattern", painted.pattern);
  const operators = isStroke ? `/Pattern CS ${name} SCN` : `/Pattern cs ${name} scn`;
  return { operators, opacity: opacity * painted.opacity };
}

function tiling(pattern: XmlElement, matrix: PdfMatrix, around: PdfContext, depth: number): number {
  const { attributes } = pattern;
  const number = (name: string) => Number(attributes.get(name) ?? 0);
  const [x, y, width, height] = [number("x"), number("y"), number("width") || 1, number("height") || 1];
  const whole = times(times(matrix, matrixOf(attributes.get("patternTransform"))), [1, 0, 0, 1, x, y]);
  const content = contentOf(pattern.elements, [1, 0, 0, 1, 0, 0], around, depth + 1);
  const size = `/BBox [0 0 ${num(width)} ${num(height)}] /XStep ${num(width)} /YStep ${num(height)}`;
  return around.file.stream(
    content,
    `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 ${size} /Matrix [${nums(whole)}] /Resources ${around.resources.id} 0 R`,
  );
}

function strokeStyle(attributes: ReadonlyMap<string, string>): string {
  const width = Number(attributes.get("stroke-width") ?? 1);
  const dashes = (attributes.get("stroke-dasharray") ?? "").match(/[\d.]+(?:e[-+]?\d+)?/gi)?.map(Number) ?? [];
  const isDashed = dashes.length > 0 && dashes.some((dash) => dash > 0);
  const cap = CAPS[attributes.get("stroke-linecap") ?? "butt"] ?? 0;
  const join = JOINS[attributes.get("stroke-linejoin") ?? "miter"] ?? 0;
  const limit = Math.max(1, Number(attributes.get("stroke-miterlimit") ?? 4));
  const offset = Number(attributes.get("stroke-dashoffset") ?? 0);
  const dash = isDashed ? [`[${nums(dashes)}] ${num(Math.max(0, offset))} d`] : [];
  return [`${num(width)} w ${cap} J ${join} j ${num(limit)} M`, ...dash].join("\n");
}

function imageContent({ attributes }: XmlElement, outer: PdfMatrix, around: PdfContext): string {
  const number = (name: string) => Number(attributes.get(name) ?? 0);
  const id = imageObject(attributes.get("xlink:href") ?? attributes.get("href") ?? "", around.file);
  if (id === undefined) return "";
  const [x, y, width, height] = [number("x"), number("y"), number("width"), number("height")];
  // PDF's pictures stand on their feet in a square of one.
  const place: PdfMatrix = [width, 0, 0, -height, x, y + height];
  const matrix = times(times(outer, matrixOf(attributes.get("transform"))), place);
  return `q\n${nums(matrix)} cm\n${around.resources.nameOf("XObject", id)} Do\nQ`;
}

function referred(value: string | undefined, { byId }: PdfContext): XmlElement | undefined {
  const [, id] = /^url\(#([^)]+)\)/.exec(value ?? "") ?? [];
  return id === undefined ? undefined : byId.get(id);
}
