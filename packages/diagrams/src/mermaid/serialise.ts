// Writes the drawing as XML. Numbers keep three decimals: finer than any screen shows, and alike on every machine.

import { decodeEntities, escapeMarkup } from "../svg/markup.ts";
import { writable } from "../svg/xml.ts";
import { Element } from "./dom/element.ts";
import type { Node, Text } from "./dom/node.ts";

const MEASURED = new Set(
  "x y x1 y1 x2 y2 cx cy r rx ry dx dy d points transform width height viewBox refX refY markerWidth markerHeight style offset stroke-width stroke-dasharray stroke-dashoffset font-size".split(
    " ",
  ),
);
const XML_NAME = /^[A-Za-z_][\w.:-]*$/;

export function serialise(element: Element): string {
  const parts: string[] = [];
  write(element, parts);
  return parts.join("");
}

function write(element: Element, parts: string[]): void {
  parts.push("<", element.localName);
  for (const [name, value] of element.attributeEntries()) {
    if (!XML_NAME.test(name)) continue;
    const shown = MEASURED.has(name) ? rounded(value) : value;
    parts.push(" ", name, '="', escapeAttribute(shown), '"');
  }
  if (element.firstChild === null) {
    parts.push("/>");
    return;
  }
  parts.push(">");
  for (let child: Node | null = element.firstChild; child !== null; child = child.nextSibling) {
    if (child instanceof Element) write(child, parts);
    else parts.push(escapeText((child as Text).data));
  }
  parts.push("</", element.localName, ">");
}

export function rounded(text: string): string {
  if (!text.includes(".") && !text.includes("e-")) return text;
  return text.replace(/-?(?:\d+\.?\d*|\.\d+)e-\d+|-?\d*\.\d{4,}/g, (number) => {
    const value = Math.round(Number(number) * 1000) / 1000;
    return String(value === 0 ? 0 : value);
  });
}

function escapeText(text: string): string {
  return escapeMarkup(writable(withEntities(text)));
}

function escapeAttribute(text: string): string {
  return escapeText(text)
    .replaceAll('"', "&quot;")
    .replace(/[\n\r\t]/g, " ");
}

/** Mermaid keeps entities such as #35; out of the parsers' way as ﬂ°°35¶ß, and #quot; as ﬂ°quot¶ß. */
function withEntities(text: string): string {
  if (!text.includes("ﬂ°")) return text;
  return text.replace(/ﬂ°(°?)(\w+)¶ß/g, (_, numeric: string, name: string) => {
    return decodeEntities(numeric === "" ? `&${name};` : `&#${name};`);
  });
}
