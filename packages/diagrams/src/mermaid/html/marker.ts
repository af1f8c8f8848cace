// The bullets and numbers of lists, left of an item's first line, where Chromium puts them.

import type { Typesetter } from "../../text/typesetter.ts";
import type { Element } from "../dom/element.ts";
import type { BlockBox } from "./boxes.ts";
import type { ContentLayout } from "./laid-out.ts";

/** Between a bullet and its text. */
const GAP_PX = 8;

export function withMarker(laid: ContentLayout, { style, element }: BlockBox, typesetter: Typesetter): ContentLayout {
  const [first] = laid.lines;
  if (style.display !== "list-item" || style.listStyle === "none" || first === undefined || element === undefined)
    return laid;
  if (style.listStyle === "decimal") {
    const text = `${numberOf(element)}. `;
    const widthPx = typesetter.widthPx(text, style);
    const piece = {
      text,
      style: { ...style, decoration: undefined },
      owner: element,
      x: -widthPx,
      widthPx,
      trailPx: 0,
      raisedPx: 0,
    };
    const line = { x: -widthPx, baseline: first.baseline, widthPx, align: "left" as const, pieces: [piece] };
    return { ...laid, lines: [line, ...laid.lines] };
  }
  const ascent = typesetter.linePx(style).ascentPx;
  const twoThirds = Math.floor((ascent * 2) / 3);
  const size = Math.floor((twoThirds + 1) / 2);
  const bullet = {
    x: 1 - twoThirds - GAP_PX,
    y: first.baseline - ascent + Math.floor((3 * (ascent - twoThirds)) / 2),
    width: size,
    height: size,
    fill: style.color,
    opacity: style.opacity,
    ...(style.listStyle !== "square" && { radius: size / 2 }),
  };
  return { ...laid, grounds: [...laid.grounds, bullet] };
}

function numberOf(item: Element): number {
  const list = item.parentElement;
  const start = Number.parseInt(list?.getAttribute("start") ?? "1", 10);
  const items = (list?.children ?? []).filter(({ localName }) => localName === "li");
  return (Number.isNaN(start) ? 1 : start) + items.indexOf(item);
}
