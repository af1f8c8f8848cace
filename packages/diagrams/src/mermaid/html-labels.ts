// A few kinds of diagram write labels as HTML whatever they are told. Here they become SVG text, in the middle of their place
// and broken to its width.

import { parseXml, writeXml, XmlElement } from "../svg/xml.ts";
import type { TextStyle, Typesetter } from "../text/typesetter.ts";

const SIZE_PX = 16;
const LINE_PX = SIZE_PX * 1.1;

export function htmlLabelsAsText(svg: string, typesetter: Typesetter): string {
  if (!svg.includes("<foreignObject")) return svg;
  const root = parseXml(svg);
  for (const object of [...root.descendants()].filter(({ localName }) => localName === "foreignObject")) {
    const siblings = object.parentElement?.children;
    if (siblings === undefined) continue;
    const text = label(object, typesetter);
    siblings[siblings.indexOf(object)] = text;
    text.parentElement = object.parentElement;
  }
  return writeXml(root);
}

function label(object: XmlElement, typesetter: Typesetter): XmlElement {
  const [x = 0, y = 0, width = 0, height = 0] = ["x", "y", "width", "height"].map(
    (name) => Number.parseFloat(object.attributes.get(name) ?? "0") || 0,
  );
  const isBold = [...object.descendants()].some(({ localName }) => localName === "b" || localName === "strong");
  const style: TextStyle = { family: "sans-serif", sizePx: SIZE_PX, weight: isBold ? 700 : 400, italic: false };
  const lines = linesOf(object).flatMap((line) => wrap(line, width, style, typesetter));
  const middle = { x: x + width / 2, y: y + height / 2 - ((lines.length - 1) * LINE_PX) / 2 };
  const text = new XmlElement("text", [
    ["text-anchor", "middle"],
    ["dominant-baseline", "central"],
    ["font-size", String(SIZE_PX)],
    ...(isBold ? [["font-weight", "700"] as const] : []),
  ]);
  for (const [at, line] of lines.entries()) {
    const span = new XmlElement("tspan", [
      ["x", short(middle.x)],
      ["y", short(middle.y + at * LINE_PX)],
    ]);
    span.append(line);
    text.append(span);
  }
  return text;
}

/** What stands between breaks and in paragraphs of its own. */
function linesOf(element: XmlElement): string[] {
  const lines = [""];
  const read = (parent: XmlElement) => {
    for (const child of parent.children) {
      if (typeof child === "string") lines[lines.length - 1] += child;
      else if (child.localName === "br") lines.push("");
      else {
        const isBlock = /^(?:p|div|li|h\d)$/.test(child.localName);
        if (isBlock) lines.push("");
        read(child);
        if (isBlock) lines.push("");
      }
    }
  };
  read(element);
  return lines.map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "");
}

/** Where Mermaid measured the label itself, it fits: a pixel more is allowed. */
function wrap(line: string, widthPx: number, style: TextStyle, typesetter: Typesetter): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current !== "" && typesetter.widthPx(longer, style) > widthPx + 1) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}

function short(number: number): string {
  return String(Math.round(number * 1000) / 1000);
}
