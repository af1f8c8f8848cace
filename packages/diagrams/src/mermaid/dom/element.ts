// An element: its children, its text and markup, and what is found below it.

import { escapeMarkup, isElement, type MarkupNode, readMarkup } from "../../svg/markup.ts";
import type { Selector } from "../../svg/selector.ts";
import { AttributedNode, HTML, SVG } from "./attributed.ts";
import type { Document } from "./document.ts";
import type { Node, Text } from "./node.ts";
import { compiledSelectors } from "./selectors.ts";

export class Element extends AttributedNode {
  firstChild: Node | null = null;
  lastChild: Node | null = null;

  get childNodes(): Node[] {
    const nodes: Node[] = [];
    for (let child = this.firstChild; child !== null; child = child.nextSibling) nodes.push(child);
    return nodes;
  }

  get children(): Element[] {
    return this.childNodes.filter((child) => child instanceof Element);
  }

  get firstElementChild(): Element | null {
    return this.firstChild instanceof Element ? this.firstChild : (this.firstChild?.nextElementSibling ?? null);
  }

  get lastElementChild(): Element | null {
    return this.lastChild instanceof Element ? this.lastChild : (this.lastChild?.previousElementSibling ?? null);
  }

  get childElementCount(): number {
    return this.children.length;
  }

  hasChildNodes(): boolean {
    return this.firstChild !== null;
  }

  appendChild<T extends Node>(node: T): T {
    return this.insertBefore(node, null);
  }

  insertBefore<T extends Node>(node: T, next: Node | null | undefined): T {
    if (node instanceof Fragment) {
      for (const child of node.childNodes) this.insertBefore(child, next);
      return node;
    }
    if (node.contains(this)) throw new Error("A node cannot be put into itself.");
    if (next === node) return node;
    node.remove();
    const after = next ?? null;
    const previous = after === null ? this.lastChild : after.previousSibling;
    node.parentNode = this;
    node.previousSibling = previous;
    node.nextSibling = after;
    if (previous === null) this.firstChild = node;
    else previous.nextSibling = node;
    if (after === null) this.lastChild = node;
    else after.previousSibling = node;
    this.changed();
    return node;
  }

  removeChild<T extends Node>(node: T): T {
    if (node.parentNode === this) node.remove();
    return node;
  }

  replaceChild<T extends Node>(node: Node, old: T): T {
    this.insertBefore(node, old);
    return this.removeChild(old);
  }

  append(...nodes: (Node | string)[]): void {
    for (const node of nodes) this.appendChild(this.ownerDocument.nodeOf(node));
  }

  prepend(...nodes: (Node | string)[]): void {
    const first = this.firstChild;
    for (const node of nodes) this.insertBefore(this.ownerDocument.nodeOf(node), first);
  }

  replaceChildren(...nodes: (Node | string)[]): void {
    while (this.firstChild !== null) this.firstChild.remove();
    this.append(...nodes);
  }

  cloneNode(deep = false): Element {
    const copy = new Element(this.localName, this.namespaceURI, this.ownerDocument);
    copy.copyAttributesOf(this);
    if (deep)
      for (const child of this.childNodes)
        copy.appendChild(child instanceof Element ? child.cloneNode(true) : (child as Text).cloneNode());
    return copy;
  }

  /** Of an image: there is nothing to wait for. */
  get complete(): boolean {
    return true;
  }

  // Text and markup

  get textContent(): string {
    let text = "";
    for (let child = this.firstChild; child !== null; child = child.nextSibling)
      text += (child as Text | Element).textContent;
    return text;
  }

  set textContent(text: unknown) {
    const shown = text === null || text === undefined ? "" : String(text);
    this.replaceChildren(...(shown === "" ? [] : [shown]));
  }

  get innerText(): string {
    return this.textContent;
  }

  get innerHTML(): string {
    return this.childNodes
      .map((node) => (node instanceof Element ? node.outerHTML : escapeMarkup((node as Text).data)))
      .join("");
  }

  set innerHTML(markup: string) {
    this.replaceChildren();
    // Style is text, also where a stylesheet has > in it.
    if (this.localName === "style") this.append(String(markup));
    else this.#read(String(markup));
  }

  get outerHTML(): string {
    const attributes = this.attributes.map(
      ({ name, value }) => ` ${name}="${escapeMarkup(value).replaceAll('"', "&quot;")}"`,
    );
    return `<${this.localName}${attributes.join("")}>${this.innerHTML}</${this.localName}>`;
  }

  /** Only where Mermaid puts one: at the end. */
  insertAdjacentElement(_where: string, element: Element): Element {
    return this.appendChild(element);
  }

  insertAdjacentHTML(_where: string, markup: string): void {
    this.#read(markup);
  }

  #read(markup: string): void {
    this.#adopt(readMarkup(markup, { name: this.localName, inSvg: this.namespaceURI === SVG }));
  }

  #adopt(nodes: readonly MarkupNode[]): void {
    for (const node of nodes) {
      if ("value" in node) this.append(node.value);
      if (!isElement(node)) continue;
      const element = this.ownerDocument.createElementNS(node.namespaceURI, node.tagName);
      for (const { name, value, prefix } of node.attrs)
        element.setAttribute(prefix === undefined || prefix === "" ? name : `${prefix}:${name}`, value);
      this.appendChild(element);
      element.#adopt(node.childNodes);
    }
  }

  // Search

  *everyNode(): Generator<Node> {
    for (let child = this.firstChild; child !== null; child = child.nextSibling) {
      yield child;
      if (child instanceof Element) yield* child.everyNode();
    }
  }

  matches(selector: string): boolean {
    return compiledSelectors(selector).some((each) => each.matches(this));
  }

  closest(selector: string): Element | null {
    for (let at: Element | null = this; at !== null; at = at.parentElement) if (at.matches(selector)) return at;
    return null;
  }

  querySelector(selector: string): Element | null {
    return search(this, compiledSelectors(selector), 1)[0] ?? null;
  }

  querySelectorAll(selector: string): Element[] {
    return search(this, compiledSelectors(selector), Number.POSITIVE_INFINITY);
  }

  getElementsByTagName(name: string): Element[] {
    return this.querySelectorAll(name);
  }

  getElementsByClassName(name: string): Element[] {
    return this.querySelectorAll(`.${name}`);
  }
}

export class Fragment extends Element {
  constructor(ownerDocument: Document) {
    super("#document-fragment", HTML, ownerDocument, 11);
  }
}

function search(below: Element, selectors: readonly Selector[], limit: number, found: Element[] = []): Element[] {
  for (let child = below.firstChild; child !== null && found.length < limit; child = child.nextSibling) {
    if (!(child instanceof Element)) continue;
    for (const selector of selectors) {
      if (!selector.matches(child)) continue;
      found.push(child);
      break;
    }
    if (found.length < limit && child.firstChild !== null) search(child, selectors, limit, found);
  }
  return found;
}
