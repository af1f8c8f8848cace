// Gives a drawing its size, its margin and its ground: the same way for every engine.

import type { CommonOptions } from "./api/options.ts";
import { XmlElement } from "./svg/xml.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Changes the tree; tells its size in pixels. */
export function frame(root: XmlElement, { background, padding = 0, scale = 1 }: CommonOptions): Size {
  const view = viewOf(root);
  const x = view.x - padding;
  const y = view.y - padding;
  const width = view.width + 2 * padding;
  const height = view.height + 2 * padding;
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
  if (background !== undefined && background !== "transparent") {
    const ground = new XmlElement("rect", [
      ["x", short(x)],
      ["y", short(y)],
      ["width", short(width)],
      ["height", short(height)],
      ["fill", background],
      // Stylesheets of engines colour rectangles; this one is ours.
      ["style", `fill:${background};stroke:none`],
    ]);
    ground.parentElement = root;
    root.children.unshift(ground);
  }
  return { width: width * scale, height: height * scale };
}

export function viewOf(root: XmlElement): { x: number; y: number; width: number; height: number } {
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
