// What a drawing consists of, for comparison: size, elements by name, texts. Not pixels.

import { parseXml } from "../../src/svg/xml.ts";

export interface Structure {
  readonly size: readonly [number, number];
  readonly elements: Readonly<Record<string, number>>;
  readonly texts: readonly string[];
}

export function structureOf(svg: string): Structure {
  const root = parseXml(svg);
  const elements: Record<string, number> = {};
  const texts: string[] = [];
  for (const element of root.descendants()) {
    elements[element.localName] = (elements[element.localName] ?? 0) + 1;
    if (element.localName === "text" && element.text.trim() !== "")
      texts.push(element.text.replace(/\s+/g, " ").trim());
  }
  const side = (name: string) => Math.round(Number(root.attributes.get(name)));
  const sorted = Object.fromEntries(Object.entries(elements).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { size: [side("width"), side("height")], elements: sorted, texts: texts.sort() };
}
