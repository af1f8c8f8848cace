// The pictures of a finished drawing: one that would have to be fetched becomes a placeholder that shows it is missing.

import { imageSizeOf } from "../svg/data-image.ts";
import type { Element } from "./dom/element.ts";
import { create } from "./html/create.ts";

/** The addresses of the pictures that are not drawn. */
export function replaceMissingImages(root: Element): string[] {
  const missing: string[] = [];
  for (const image of root.querySelectorAll("image")) {
    const address = image.getAttribute("href") ?? image.getAttribute("xlink:href") ?? "";
    if (imageSizeOf(address) !== undefined) continue;
    missing.push(address);
    image.replaceWith(placeholder(image));
  }
  return missing;
}

/** A dashed frame with a mountain and a sun, as browsers show it. */
function placeholder(image: Element): Element {
  const side = (name: string) => Number.parseFloat(image.getAttribute(name) ?? "0") || 0;
  const [x, y, width, height] = [side("x"), side("y"), side("width"), side("height")];
  const transform = image.getAttribute("transform");
  const group = create(image, "g", { class: "missing-image", ...(transform !== null && { transform }) });
  const line = "fill:none!important;stroke:#888!important;stroke-width:1px!important";
  const frame = { x: String(x + 0.5), y: String(y + 0.5), width: String(width - 1), height: String(height - 1) };
  group.appendChild(create(image, "rect", { ...frame, style: `${line};stroke-dasharray:4 3!important` }));
  const size = Math.min(width, height) / 2;
  const [left, bottom] = [x + (width - size) / 2, y + (height + size) / 2];
  const at = (right: number, up: number) => `${left + right * size},${bottom - up * size}`;
  const mountain = `M${at(0, 0.1)}L${at(0.35, 0.6)}L${at(0.6, 0.25)}L${at(0.75, 0.45)}L${at(1, 0.1)}Z`;
  group.appendChild(create(image, "path", { d: mountain, style: line }));
  const sun = { cx: String(left + 0.78 * size), cy: String(bottom - 0.8 * size), r: String(size / 10) };
  group.appendChild(create(image, "circle", { ...sun, style: line }));
  return group;
}
