import { SVG } from "../dom/attributed.ts";
import type { Element } from "../dom/element.ts";

/** A new SVG element of the document that `near` belongs to. */
export function create(near: Element, name: string, attributes: Readonly<Record<string, string>>): Element {
  const element = near.ownerDocument.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
