// A drawing that a browser made, with its HTML labels as SVG text.

import { parseXml, type XmlElement } from "../../svg/xml.ts";
import type { Typesetter } from "../../text/typesetter.ts";
import { HTML, SVG } from "../dom/attributed.ts";
import { Document } from "../dom/document.ts";
import type { Element } from "../dom/element.ts";
import { Geometry } from "../geometry/geometry.ts";
import { TextStyles } from "../geometry/text-style.ts";
import { serialise } from "../serialise.ts";
import { htmlAsSvg } from "./to-svg.ts";

export function htmlLabelsAsText(svg: string, typesetter: Typesetter): string {
  if (!svg.includes("<foreignObject")) return svg;
  const document = new Document();
  const root = adopt(parseXml(svg), SVG, document);
  document.body.appendChild(root);
  htmlAsSvg(root, new Geometry(new TextStyles(document), typesetter));
  return serialise(root);
}

/** The same elements in a document, which can be laid out there. */
export function adopt(from: XmlElement, around: string, document: Document): Element {
  const namespace = from.localName === "svg" ? SVG : (from.attributes.get("xmlns") ?? around);
  const element = document.createElementNS(namespace, from.localName);
  for (const [name, value] of from.attributes) element.setAttribute(name, value);
  const inside = from.localName === "foreignObject" ? HTML : namespace;
  for (const child of from.children) element.append(typeof child === "string" ? child : adopt(child, inside, document));
  return element;
}
