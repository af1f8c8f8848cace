// D2 puts Markdown into foreignObject as HTML, which no picture may contain. Here it becomes SVG text: headings, paragraphs,
// lists and code, wrapped to the width D2 gave it. Simpler than a browser's, but there.

import { XmlElement } from "../svg/xml.ts";
import type { TextStyle, Typesetter } from "../text/typesetter.ts";

interface Line {
  readonly text: string;
  readonly style: TextStyle;
  readonly indentPx: number;
  readonly beforePx: number;
}

const HEADINGS: Readonly<Record<string, number>> = { h1: 32, h2: 24, h3: 20, h4: 16, h5: 14, h6: 13.6 };
const BLOCKS = new Set(["p", "li", "pre", "blockquote", "div", "ul", "ol", "table", "tr", "hr"]);
const BODY: TextStyle = { family: "sans-serif", sizePx: 16, weight: 400, italic: false };

/** How many blocks were replaced. */
export function markdownAsText(root: XmlElement, typesetter: Typesetter): number {
  const found = [...root.descendants()].filter(({ localName }) => localName === "foreignObject");
  for (const object of found) {
    const group = draw(object, typesetter);
    const siblings = object.parentElement?.children;
    if (siblings === undefined) continue;
    siblings[siblings.indexOf(object)] = group;
    group.parentElement = object.parentElement;
  }
  return found.length;
}

function draw(object: XmlElement, typesetter: Typesetter): XmlElement {
  const side = (name: string) => Number.parseFloat(object.attributes.get(name) ?? "0") || 0;
  const group = new XmlElement("g", [["class", "md"]]);
  let y = side("y");
  for (const { text, style, indentPx, beforePx } of linesOf(object, side("width"), typesetter)) {
    y += beforePx + style.sizePx * 1.25;
    const element = new XmlElement("text", [
      ["x", String(side("x") + indentPx)],
      ["y", String(Math.round((y - style.sizePx * 0.25) * 100) / 100)],
      ["font-family", style.family === "monospace" ? "Cousine, monospace" : "Arimo, Arial, Helvetica, sans-serif"],
      ["font-size", String(style.sizePx)],
      ["fill", "currentColor"],
      ...(style.weight === 400 ? [] : [["font-weight", String(style.weight)] as const]),
      ...(style.italic ? [["font-style", "italic"] as const] : []),
    ]);
    element.append(text);
    group.append(element);
  }
  return group;
}

function linesOf(object: XmlElement, widthPx: number, typesetter: Typesetter): Line[] {
  const lines: Line[] = [];
  const block = (element: XmlElement, style: TextStyle, indentPx: number) => {
    let words: string[] = [];
    let mark = "";
    let first = true;
    const flush = () => {
      for (const text of wrap(words.join(" "), widthPx - indentPx, style, typesetter)) {
        lines.push({
          text: mark + text,
          style,
          indentPx,
          beforePx: first && lines.length > 0 ? style.sizePx * 0.5 : 0,
        });
        mark = mark === "" ? "" : "\u2003";
        first = false;
      }
      words = [];
    };
    if (element.localName === "li") mark = "• ";
    for (const child of element.children) {
      if (typeof child === "string") {
        if (element.localName === "pre" || style.family === "monospace")
          for (const text of child.split("\n").filter((line) => line !== ""))
            lines.push({ text, style, indentPx, beforePx: 0 });
        else words.push(...child.split(/\s+/).filter((word) => word !== ""));
        continue;
      }
      const name = child.localName;
      const sizePx = Object.hasOwn(HEADINGS, name) ? HEADINGS[name] : undefined;
      if (sizePx !== undefined || BLOCKS.has(name)) {
        flush();
        const own = sizePx === undefined ? style : { ...style, sizePx, weight: 700 };
        block(
          child,
          name === "pre" ? { ...own, family: "monospace" } : own,
          indentPx + (name === "ul" || name === "ol" ? 20 : 0),
        );
      } else if (name === "br") flush();
      else if (name === "code" && element.localName === "pre")
        block(child, { ...style, family: "monospace" }, indentPx);
      else words.push(...child.text.split(/\s+/).filter((word) => word !== ""));
    }
    flush();
  };
  block(object, BODY, 0);
  return lines;
}

function wrap(text: string, widthPx: number, style: TextStyle, typesetter: Typesetter): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").filter((each) => each !== "")) {
    const longer = line === "" ? word : `${line} ${word}`;
    // D2 measured with a narrower font: a little over is better than a line more.
    if (line !== "" && typesetter.widthPx(longer, style) > widthPx * 1.12) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, line];
}
