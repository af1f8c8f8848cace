// The pictures in a drawing, for every engine: one that came along as an SVG becomes part of the drawing, and one that would have
// to be fetched becomes a placeholder that a warning names.

import { finishDrawing } from "./flat/finish.ts";
import { sanitiseTree } from "./sanitise.ts";
import { imageBytes, imageSizeOf } from "./svg/data-image.ts";
import { parseXml, XmlElement, XmlError } from "./svg/xml.ts";

export interface DrawingImages {
  /** The addresses of the pictures that are not drawn. */
  readonly missing: readonly string[];
  /** Puts the SVGs among them into the finished drawing, where no stylesheet of the diagram reaches them any more. */
  insert(finished: XmlElement): void;
}

/** Changes the tree, which has not been sanitised yet. */
export function takeImages(root: XmlElement): DrawingImages {
  const missing: string[] = [];
  const drawings: XmlElement[] = [];
  const images = [...root.descendants()].filter(({ localName }) => localName === "image");
  for (const image of images) {
    const address = image.attributes.get("href") ?? image.attributes.get("xlink:href") ?? "";
    if (/^data:image\/svg\+xml[;,]/i.test(address)) {
      const drawing = nested(address, image);
      if (drawing !== undefined) {
        replace(image, placeFor(image, drawings.length));
        drawings.push(drawing);
        continue;
      }
    } else if (imageSizeOf(address) !== undefined) continue;
    missing.push(address);
    replace(image, placeholder(image));
  }
  return { missing, insert: (finished) => insertAt(finished, drawings) };
}

const PLACE = "data-picture";

function placeFor({ attributes }: XmlElement, at: number): XmlElement {
  const transform = attributes.get("transform");
  return new XmlElement("g", [
    [PLACE, String(at)],
    ...(transform === undefined ? [] : [["transform", transform] as const]),
  ]);
}

function insertAt(root: XmlElement, drawings: readonly XmlElement[]): void {
  if (drawings.length === 0) return;
  for (const place of [...root.descendants()]) {
    const at = place.attributes.get(PLACE);
    const drawing = at === undefined ? undefined : drawings[Number(at)];
    place.attributes.delete(PLACE);
    if (drawing === undefined || drawing.parentElement !== null) continue;
    prefixIds(drawing, `${root.attributes.get("id") ?? "drawing"}-picture-${at}-`);
    place.append(drawing);
  }
}

const MOST_NAMED = 5;

export function imagesNotDrawn(addresses: readonly string[]): string | undefined {
  if (addresses.length === 0) return undefined;
  const all = [...new Set(addresses)];
  const shown = all.map((each) => (each === "" ? "an image without an address" : each.slice(0, 80)));
  const more = shown.length > MOST_NAMED ? ` and ${shown.length - MOST_NAMED} more` : "";
  return `Images are not fetched, so a placeholder stands for ${shown.slice(0, MOST_NAMED).join(", ")}${more}. A data: address is drawn.`;
}

function replace(image: XmlElement, other: XmlElement): void {
  const parent = image.parentElement;
  if (parent === null) return;
  parent.children[parent.children.indexOf(image)] = other;
  other.parentElement = parent;
}

/** An SVG in an SVG, with styles and ids of its own. Undefined for what cannot be read. */
function nested(address: string, image: XmlElement): XmlElement | undefined {
  const bytes = imageBytes(address);
  const size = imageSizeOf(address);
  if (bytes === undefined || size === undefined) return undefined;
  try {
    const drawing = sanitiseTree(parseXml(new TextDecoder().decode(bytes)));
    // A picture in the picture is not looked into.
    for (const each of [...drawing.descendants()].filter(({ localName }) => localName === "image"))
      replace(each, new XmlElement("g"));
    finishDrawing(drawing);
    if (!drawing.attributes.has("viewBox")) drawing.attributes.set("viewBox", `0 0 ${size.width} ${size.height}`);
    for (const name of ["id", "class", "style"]) drawing.attributes.delete(name);
    // What it leaves unsaid is not inherited from the diagram.
    for (const [name, value] of [
      ["fill", "black"],
      ["stroke", "none"],
    ] as const)
      if (!drawing.attributes.has(name)) drawing.attributes.set(name, value);
    for (const name of ["x", "y", "width", "height", "preserveAspectRatio"]) {
      const value = image.attributes.get(name);
      if (value === undefined) drawing.attributes.delete(name);
      else drawing.attributes.set(name, value);
    }
    return drawing;
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

/** Two pictures can use the same names. */
function prefixIds(root: XmlElement, prefix: string): void {
  for (const { attributes } of root.descendants()) {
    for (const [name, value] of attributes) {
      if (name === "id") attributes.set(name, prefix + value);
      else if (/^(?:xlink:)?href$/.test(name) && value.startsWith("#"))
        attributes.set(name, `#${prefix}${value.slice(1)}`);
      else if (value.includes("url(#")) attributes.set(name, value.replaceAll("url(#", `url(#${prefix}`));
    }
  }
}

/** A dashed frame with a mountain and a sun, as browsers show it. */
function placeholder(image: XmlElement): XmlElement {
  const side = (name: string) => Number.parseFloat(image.attributes.get(name) ?? "0") || 0;
  const [x, y, width, height] = [side("x"), side("y"), side("width"), side("height")];
  const transform = image.attributes.get("transform");
  const group = new XmlElement("g", [
    ["class", "missing-image"],
    ...(transform === undefined ? [] : [["transform", transform] as const]),
  ]);
  const line = "fill:none!important;stroke:#888!important;stroke-width:1px!important";
  const shape = (name: string, attributes: Readonly<Record<string, string | number>>, style = line) => {
    const entries = Object.entries(attributes).map(([key, value]) => [key, String(value)] as const);
    group.append(new XmlElement(name, [...entries, ["style", style]]));
  };
  const frame = { x: x + 0.5, y: y + 0.5, width: Math.max(0, width - 1), height: Math.max(0, height - 1) };
  shape("rect", frame, `${line};stroke-dasharray:4 3!important`);
  const size = Math.min(width, height) / 2;
  const [left, bottom] = [x + (width - size) / 2, y + (height + size) / 2];
  const at = (right: number, up: number) => `${left + right * size},${bottom - up * size}`;
  shape("path", { d: `M${at(0, 0.1)}L${at(0.35, 0.6)}L${at(0.6, 0.25)}L${at(0.75, 0.45)}L${at(1, 0.1)}Z` });
  shape("circle", { cx: left + 0.78 * size, cy: bottom - 0.8 * size, r: size / 10 });
  return group;
}
