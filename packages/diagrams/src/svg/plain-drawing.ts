// What an engine that tells nothing but its SVG has drawn, with all that a drawing needs.

import type { Drawing, Fault } from "../engine.ts";
import { viewOf } from "../frame.ts";
import { missingIn } from "../text/missing-glyphs.ts";
import { parseXml, writeXml, XmlElement, XmlError } from "./xml.ts";

/** Behind drawings that are lines and letters on nothing, so that they can be read on dark pages. */
export const WHITE = { light: "white" } as const;

export async function plainDrawing(
  drawn: string | XmlElement,
  more: Partial<Pick<Drawing, "warnings" | "ground">> = {},
): Promise<Drawing | { fault: Fault }> {
  let root: XmlElement;
  try {
    root = drawn instanceof XmlElement ? drawn : parseXml(drawn);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    return { fault: { message: 'The drawing is not valid SVG. Write "<" and "&" in texts as &lt; and &amp;.' } };
  }
  const { width, height } = viewOf(root);
  const svg = drawn instanceof XmlElement ? writeXml(root) : drawn;
  const warnings = [...(more.warnings ?? []), ...(await missingIn(root))];
  return { svg, width, height, ...more, warnings };
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element for drawings of our own: `el("rect", { x: 1, width: 20 })`. What is undefined is left out. */
export function el(
  name: string,
  attributes: Attributes = {},
  ...children: readonly (XmlElement | string)[]
): XmlElement {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, typeof value === "number" ? rounded(value) : value] as const],
  );
  const element = new XmlElement(name, given);
  for (const child of children) element.append(child);
  return element;
}

export function rounded(number: number): string {
  return String(Math.round(number * 100) / 100);
}

/** The root of a drawing of our own. */
export function svgRoot(width: number, height: number, ...children: readonly (XmlElement | string)[]): XmlElement {
  const size = { width, height, viewBox: `0 0 ${rounded(width)} ${rounded(height)}` };
  return el("svg", { xmlns: "http://www.w3.org/2000/svg", ...size }, ...children);
}
