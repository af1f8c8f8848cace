// D2 puts Markdown into foreignObject as HTML, which most viewers do not show. Here it becomes SVG text, laid out as a browser does
// with D2's own stylesheet, fonts and colours.

import { SVG } from "../mermaid/dom/attributed.ts";
import { Document } from "../mermaid/dom/document.ts";
import type { Element } from "../mermaid/dom/element.ts";
import { Geometry } from "../mermaid/geometry/geometry.ts";
import { TextStyles } from "../mermaid/geometry/text-style.ts";
import { adopt } from "../mermaid/html/convert.ts";
import type { HtmlStyle } from "../mermaid/html/style.ts";
import { htmlAsSvg } from "../mermaid/html/to-svg.ts";
import { serialise } from "../mermaid/serialise.ts";
import { parseXml, type XmlElement } from "../svg/xml.ts";
import type { Typesetter } from "../text/typesetter.ts";

/** The drawing without HTML. */
export function markdownAsText(root: XmlElement, typesetter: Typesetter): XmlElement {
  const document = new Document();
  const copy = adopt(root, SVG, document);
  document.body.appendChild(copy);
  htmlAsSvg(copy, new Geometry(new D2Styles(document), typesetter));
  const drawn = parseXml(serialise(copy));
  const classes = classesOfColours(root);
  for (const element of drawn.descendants())
    if (/^(?:text|tspan|rect)$/.test(element.localName)) restyle(element, classes);
  return drawn;
}

/** D2 names a font after the drawing, and the weight stands in that name. */
const FACE = /["']?(d2-\d+-font-([a-z]+))["']?/;
const WEIGHTS: Readonly<Record<string, number>> = { bold: 700, semibold: 600 };

class D2Styles extends TextStyles {
  override html(element: Element): HtmlStyle {
    const style = super.html(element);
    const [, name, face = ""] = FACE.exec(style.family) ?? [];
    if (name === undefined) return style;
    // D2's stylesheet gives tables a scroll bar by making blocks of them.
    const display = element.localName === "table" ? "table" : style.display;
    return { ...style, display, family: `"${name}"`, weight: WEIGHTS[face] ?? 400, italic: face === "italic" };
  }
}

/** A reader's D2 font has its weight already. Colours become D2's classes, which a dark theme changes. */
function restyle({ attributes }: XmlElement, classes: ReadonlyMap<string, string>): void {
  const style = attributes.get("style");
  if (style === undefined) return;
  const [, name] = FACE.exec(style) ?? [];
  let changed =
    name === undefined
      ? style
      : style
          .replace(/font-family:[^;]*/, `font-family:"${name}"`)
          .replace(/font-weight:[^;]*/, "font-weight:400")
          .replace(/font-style:[^;]*/, "font-style:normal");
  const colour = /(?:^|;)\s*fill:\s*([^;!]+?)\s*(?:!important)?\s*(?:;|$)/.exec(changed)?.[1];
  const known = colour === undefined ? undefined : classes.get(colour.toLowerCase());
  if (known !== undefined && !attributes.has("class")) {
    changed = changed.replace(/(^|;)\s*fill:[^;]*/, "$1").replace(/(^|;)\s*color:[^;]*/, "$1");
    attributes.set("class", known);
  }
  attributes.set("style", changed.replace(/;{2,}/g, ";").replace(/^;/, ""));
}

/** `#0A0F25` to `fill-N1`, as the light theme has them; empty where there is no dark one. */
function classesOfColours(root: XmlElement): Map<string, string> {
  const found = new Map<string, string>();
  for (const element of root.descendants()) {
    if (element.localName !== "style") continue;
    const [light = "", dark] = element.text.split("@media");
    if (dark === undefined) continue;
    for (const [, name = "", colour = ""] of light.matchAll(/\.(fill-[A-Z]+\d)\{fill:(#[\da-f]+);?\}/gi))
      if (!found.has(colour.toLowerCase())) found.set(colour.toLowerCase(), name);
  }
  return found;
}
