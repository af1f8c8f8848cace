// The document Mermaid draws into. Not a browser's: just what d3 and Mermaid call, with SVG's names kept as they are written,
// attributes in the order they were set, and every change counted, so that measurements can be remembered until the next one.

import { HTML } from "./attributed.ts";
import { Element, Fragment } from "./element.ts";
import { type Node, Text } from "./node.ts";

export class Document extends Element {
  /** Grows with every change of any node. */
  version = 0;
  readonly documentElement: Element;
  readonly head: Element;
  readonly body: Element;
  /** Every style element ever made here that is still in the page. */
  readonly #styles = new Set<Element>();
  defaultView: unknown;

  constructor() {
    super("#document", HTML, undefined, 9);
    this.documentElement = this.appendChild(this.createElement("html"));
    this.head = this.documentElement.appendChild(this.createElement("head"));
    this.body = this.documentElement.appendChild(this.createElement("body"));
  }

  override changed(): void {
    this.version++;
  }

  createElement(name: string): Element {
    return this.createElementNS(HTML, name.toLowerCase());
  }

  createElementNS(namespace: string | null, name: string): Element {
    const element = new Element(name.replace(/^(?:xhtml|svg):/, ""), namespace ?? HTML, this);
    if (element.localName === "style") this.#styles.add(element);
    return element;
  }

  createTextNode(text: unknown): Text {
    return new Text(String(text), this);
  }

  createComment(): Text {
    return this.createTextNode("");
  }

  createDocumentFragment(): Fragment {
    return new Fragment(this);
  }

  importNode(node: Element, deep?: boolean): Element {
    return node.cloneNode(deep);
  }

  getElementById(id: string): Element | null {
    for (const node of this.everyNode()) if (node instanceof Element && node.getAttribute("id") === id) return node;
    return null;
  }

  nodeOf(node: Node | string): Node {
    return typeof node === "string" ? new Text(node, this) : node;
  }

  /** The stylesheets in force. */
  stylesheets(): Element[] {
    for (const style of this.#styles) if (!style.isConnected) this.#styles.delete(style);
    return [...this.#styles];
  }

  /** As new, for the next drawing. */
  clear(): void {
    this.head.replaceChildren();
    this.body.replaceChildren();
    for (const name of this.body.getAttributeNames()) this.body.removeAttribute(name);
    this.#styles.clear();
    this.version = 0;
  }
}
