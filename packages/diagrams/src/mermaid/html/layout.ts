// The HTML of a label, laid out as a browser does.

import type { Typesetter } from "../../text/typesetter.ts";
import type { Element } from "../dom/element.ts";
import { BlockLayout, type Room } from "./block-layout.ts";
import { blockOf, isBlock, type StyleOf } from "./boxes.ts";
import { type ContentLayout, NOTHING } from "./laid-out.ts";
import type { HtmlStyle } from "./style.ts";

/** An element directly in a foreignObject or in the page, and all that is in it. */
export function layoutHtml(element: Element, room: Room, styleOf: StyleOf, typesetter: Typesetter): ContentLayout {
  const style = styleOf(element);
  if (style.display === "none") return NOTHING;
  const layout = new BlockLayout(styleOf, typesetter);
  const box = blockOf(element, styleOf);
  if (isShrunk(element)) return layout.layout({ ...box, style: { ...style, display: "fit" } }, room);
  return layout.layout(isBlock(style) ? box : { ...box, style: asBlock(style) }, room);
}

/** As wide as its content: Mermaid measures formulas in such elements. */
function isShrunk(element: Element): boolean {
  return /(?:^|;)\s*(?:position:\s*absolute|width:\s*fit-content)/.test(element.getAttribute("style") ?? "");
}

/** An inline element alone in its place stands in a line of its own. */
function asBlock(style: HtmlStyle): HtmlStyle {
  return { ...style, display: style.display === "inline" ? "fit" : style.display };
}
