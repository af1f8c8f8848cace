// The HTML labels of a finished drawing as plain SVG text, so that every viewer shows them: each line one text, with a part of
// its own for every style in it.

import type { Element } from "../dom/element.ts";
import type { Geometry } from "../geometry/geometry.ts";
import { create } from "./create.ts";
import type { ContentLayout, Ground, Picture } from "./laid-out.ts";
import { lineAsText } from "./line-to-svg.ts";

export function htmlAsSvg(root: Element, geometry: Geometry): void {
  for (const object of root.querySelectorAll("foreignObject")) {
    const group = create(object, "g", {});
    const place = position(object);
    if (place !== "") group.setAttribute("transform", place);
    for (const child of object.children) {
      const laid = geometry.layoutHtml(child);
      geometry.noteMissing(laid.lines.flatMap(({ pieces }) => pieces.map(({ text }) => text)));
      draw(laid, group);
    }
    // Beside it in a switch stands the same text once more, for viewers that know no HTML.
    const old = object.parentElement?.localName === "switch" ? object.parentElement : object;
    if (group.firstChild === null) old.remove();
    else old.replaceWith(group);
  }
}

function position(object: Element): string {
  const [x, y] = ["x", "y"].map((name) => Number.parseFloat(object.getAttribute(name) ?? "0") || 0) as [number, number];
  const own = object.getAttribute("transform") ?? "";
  const moved = x === 0 && y === 0 ? "" : `translate(${x}, ${y})`;
  return [own, moved].filter((each) => each !== "").join(" ");
}

function draw({ grounds, lines, pictures }: ContentLayout, group: Element): void {
  for (const ground of grounds) group.appendChild(rectangle(ground, group));
  for (const picture of pictures) drawPicture(picture, group);
  for (const line of lines) {
    const text = lineAsText(line, group);
    if (text !== undefined) group.appendChild(text);
  }
}

function rectangle({ x, y, width, height, fill, opacity, radius = 0 }: Ground, near: Element): Element {
  const rounded = radius > 0 ? { rx: String(radius), ry: String(radius) } : {};
  const style = `fill:${fill}!important;stroke:none!important;fill-opacity:1!important;filter:none!important;opacity:${opacity}!important`;
  const corner = { x: String(x), y: String(y), width: String(width), height: String(height) };
  return create(near, "rect", { ...corner, ...rounded, style });
}

/** An icon or a formula is moved as it is, with its own size. */
function drawPicture({ x, y, width, height, element, style }: Picture, group: Element): void {
  const place = { x: String(x), y: String(y), width: String(width), height: String(height) };
  if (element.localName === "img") {
    group.appendChild(create(group, "image", { ...place, href: element.getAttribute("src") ?? "" }));
    return;
  }
  const copy = element.cloneNode(true);
  copy.removeAttribute("style");
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, value);
  const around = create(group, "g", { style: `color:${style.color}!important;fill:${style.color};stroke:none` });
  around.appendChild(copy);
  group.appendChild(around);
}
