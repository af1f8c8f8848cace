// Gives a drawing its size, its margin and its ground: the same way for every engine.

import type { CommonOptions } from "./api/options.ts";
import { XmlElement } from "./svg/xml.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The colours behind a drawing that is asked for without one. */
export interface GroundColours {
  readonly light: string;
  /** For readers in the dark, where the drawing has colours for them. */
  readonly dark?: string;
}

/** Changes the tree; tells its size in pixels. */
export function frame(
  root: XmlElement,
  { background, padding = 0, ...sizes }: Pick<CommonOptions, "background" | "padding" | "scale" | "width" | "height">,
  ground?: GroundColours,
): Size {
  const view = viewOf(root);
  const x = view.x - padding;
  const y = view.y - padding;
  const width = view.width + 2 * padding;
  const height = view.height + 2 * padding;
  const scale = scaleOf({ width, height }, sizes);
  root.attributes.set("viewBox", [x, y, width, height].map(short).join(" "));
  root.attributes.set("width", short(width * scale));
  root.attributes.set("height", short(height * scale));
  // Browsers on some systems round every letter to whole pixels unless told not to; our boxes are measured exactly.
  root.attributes.set("text-rendering", "geometricPrecision");
  const style = (root.attributes.get("style") ?? "")
    .replace(/(?:max-width|background(?:-color)?)\s*:[^;]*;?/g, "")
    .trim();
  if (style === "") root.attributes.delete("style");
  else root.attributes.set("style", style);
  const behind = background === undefined ? ground : { light: background };
  if (behind !== undefined && behind.light !== "transparent") lay(root, { x, y, width, height }, behind);
  return { width: width * scale, height: height * scale };
}

function scaleOf(own: Size, { width, height, scale = 1 }: Pick<CommonOptions, "width" | "height" | "scale">): number {
  if (width === undefined && height === undefined) return scale;
  const shares = [width === undefined ? [] : [width / own.width], height === undefined ? [] : [height / own.height]];
  return scale * Math.min(...shares.flat());
}

function lay(root: XmlElement, { x, y, width, height }: View, { light, dark }: GroundColours): void {
  const ground = new XmlElement("rect", [
    ["x", short(x)],
    ["y", short(y)],
    ["width", short(width)],
    ["height", short(height)],
    ["fill", light],
    // Stylesheets of engines colour rectangles; this one is ours.
    ["style", `${dark === undefined ? `fill:${light};` : ""}stroke:none`],
    ...(dark === undefined ? [] : [["class", GROUND] as const]),
  ]);
  const parts: XmlElement[] = [ground];
  if (dark !== undefined) {
    const style = new XmlElement("style");
    style.append(
      `.${GROUND}{fill:${light}!important}@media (prefers-color-scheme:dark){.${GROUND}{fill:${dark}!important}}`,
    );
    parts.unshift(style);
  }
  for (const part of parts) part.parentElement = root;
  root.children.unshift(...parts);
}

const GROUND = "drawing-ground";

interface View extends Size {
  readonly x: number;
  readonly y: number;
}

export function viewOf(root: XmlElement): View {
  const [x = 0, y = 0, width = 0, height = 0] = (root.attributes.get("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (width > 0 && height > 0 && Number.isFinite(x) && Number.isFinite(y)) return { x, y, width, height };
  const side = (name: string, otherwise: number) => Number.parseFloat(root.attributes.get(name) ?? "") || otherwise;
  return { x: 0, y: 0, width: side("width", 400), height: side("height", 150) };
}

function short(number: number): string {
  return String(Math.round(number * 1000) / 1000);
}
