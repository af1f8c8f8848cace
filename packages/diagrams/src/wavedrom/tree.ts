// WaveDrom's drawings are nested arrays. Its own writer copies texts and attributes as they are; ours writes XML.

import { decodeEntities } from "../svg/markup.ts";
import { XmlElement } from "../svg/xml.ts";

/** `["g", { id: "x" }, …]`. */
export type Tree = readonly unknown[];

const NAME = /^[A-Za-z_][\w:.-]*$/;

export function elementOf([name, ...rest]: Tree): XmlElement {
  const element = new XmlElement(NAME.test(String(name)) ? String(name) : "g");
  for (const part of rest) {
    if (Array.isArray(part)) element.append(elementOf(part));
    else if (typeof part === "object" && part !== null) addAttributes(element, part);
    // Most texts come with their entities, and the others have none.
    else if (part !== undefined && part !== null) element.append(decodeEntities(String(part)));
  }
  if (element.localName === "title") {
    const { text } = element;
    element.children.length = 0;
    element.append(text);
  }
  return element;
}

function addAttributes(element: XmlElement, attributes: object): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || !NAME.test(name)) continue;
    element.attributes.set(name, Array.isArray(value) ? value.flat(3).join(" ") : String(value));
  }
}

/** Every drawing brings the whole skin, of which it uses a few shapes. */
export function withoutUnused(root: XmlElement): XmlElement {
  const shapes = root.elements.filter(({ localName }) => localName === "defs").flatMap(({ elements }) => elements);
  const byId = new Map(shapes.map((shape) => [shape.attributes.get("id"), shape]));
  const used = new Set<XmlElement>();
  const waiting = root.elements.filter(({ localName }) => localName !== "defs");
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
    for (const id of referencesIn(from)) {
      const shape = byId.get(id);
      if (shape === undefined || used.has(shape)) continue;
      used.add(shape);
      waiting.push(shape);
    }
  }
  for (const defs of root.elements.filter(({ localName }) => localName === "defs")) {
    const kept = defs.elements.filter((shape) => used.has(shape) || !shape.attributes.has("id"));
    defs.children.splice(0, defs.children.length, ...kept);
  }
  return root;
}

function* referencesIn(element: XmlElement): Generator<string> {
  for (const each of [element, ...element.descendants()]) {
    const values = each.localName === "style" ? [each.text] : each.attributes.values();
    for (const value of values) for (const [, id = ""] of value.matchAll(/#([\w.-]+)/g)) yield id;
  }
}
