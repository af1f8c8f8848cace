// HTML as browsers read it: parse5 follows their specification, with every entity and every tag that is left open.

import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parseFragment } from "parse5";

export type MarkupElement = DefaultTreeAdapterTypes.Element;
export type MarkupNode = DefaultTreeAdapterTypes.ChildNode;

const SVG = html.NS.SVG;
/** No real label is nested this deep, and recursion over it must end. */
const MAX_DEPTH = 100;

/** `name` is that of the element whose content it is. */
export function readMarkup(text: string, context: { name: string; inSvg: boolean } = HTML): readonly MarkupNode[] {
  const { name, inSvg } = context;
  const around = defaultTreeAdapter.createElement(name, inSvg ? SVG : html.NS.HTML, []);
  const { childNodes } = parseFragment(around, text, {});
  return childNodes.length === 0 ? [] : bounded(childNodes, 0);
}

const HTML = { name: "div", inSvg: false };

function bounded(nodes: MarkupNode[], depth: number): MarkupNode[] {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    if (depth >= MAX_DEPTH) node.childNodes = [];
    else bounded(node.childNodes, depth + 1);
  }
  return nodes;
}

export function isElement(node: MarkupNode): node is MarkupElement {
  return "tagName" in node;
}

export function isInSvg({ namespaceURI }: MarkupElement): boolean {
  return namespaceURI === SVG;
}

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return readMarkup(text.replaceAll("<", "&lt;"))
    .map((node) => ("value" in node ? node.value : ""))
    .join("");
}

export function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => (character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;"));
}
