// A node with a name and attributes, in the order they were set, and the views of them that d3 and Mermaid use.

import type { Document } from "./document.ts";
import { InlineStyle } from "./inline-style.ts";
import { Node } from "./node.ts";

export const SVG = "http://www.w3.org/2000/svg";
export const HTML = "http://www.w3.org/1999/xhtml";

export class AttributedNode extends Node {
  readonly localName: string;
  readonly namespaceURI: string;
  readonly #attributes = new Map<string, string>();
  #style: InlineStyle | undefined;

  constructor(localName: string, namespaceURI: string, ownerDocument: Document | undefined, nodeType = 1) {
    super(nodeType, ownerDocument);
    this.localName = localName;
    this.namespaceURI = namespaceURI;
  }

  get tagName(): string {
    return this.namespaceURI === HTML ? this.localName.toUpperCase() : this.localName;
  }

  get nodeName(): string {
    return this.tagName;
  }

  /** Called after every change at or below this element. */
  changed(): void {
    this.ownerDocument.version++;
  }

  get attributes(): { name: string; value: string }[] {
    return Array.from(this.#attributes, ([name, value]) => ({ name, value }));
  }

  attributeEntries(): IterableIterator<[string, string]> {
    return this.#attributes.entries();
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value));
    this.changed();
  }

  removeAttribute(name: string): void {
    if (this.#attributes.delete(name)) this.changed();
  }

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }

  getAttributeNames(): string[] {
    return [...this.#attributes.keys()];
  }

  getAttributeNS(_namespace: string | null, name: string): string | null {
    return this.getAttribute(name) ?? this.getAttribute(`xlink:${name}`);
  }

  setAttributeNS(namespace: string | null, name: string, value: unknown): void {
    const isLink = namespace === "http://www.w3.org/1999/xlink" && !name.includes(":");
    this.setAttribute(isLink ? `xlink:${name}` : name, value);
  }

  removeAttributeNS(_namespace: string | null, name: string): void {
    this.removeAttribute(name);
    this.removeAttribute(`xlink:${name}`);
  }

  get id(): string {
    return this.getAttribute("id") ?? "";
  }

  set id(value: string) {
    this.setAttribute("id", value);
  }

  get className(): string | { baseVal: string } {
    const baseVal = this.getAttribute("class") ?? "";
    return this.namespaceURI === SVG ? { baseVal } : baseVal;
  }

  set className(value: string) {
    this.setAttribute("class", value);
  }

  get classList() {
    const read = () => (this.getAttribute("class") ?? "").split(/\s+/).filter((name) => name !== "");
    const write = (names: Iterable<string>) => this.setAttribute("class", [...names].join(" "));
    return {
      contains: (name: string) => read().includes(name),
      add: (...names: string[]) => write(new Set([...read(), ...names])),
      remove: (...names: string[]) => write(read().filter((name) => !names.includes(name))),
      toggle: (name: string, force = !read().includes(name)) => {
        write(force ? new Set([...read(), name]) : read().filter((each) => each !== name));
        return force;
      },
      [Symbol.iterator]: () => read()[Symbol.iterator](),
    };
  }

  get style(): InlineStyle {
    this.#style ??= InlineStyle.of(this);
    return this.#style;
  }

  set style(text: unknown) {
    this.setAttribute("style", text);
  }

  get dataset(): Record<string, string> {
    const entries = [...this.#attributes].filter(([name]) => name.startsWith("data-"));
    return Object.fromEntries(
      entries.map(([name, value]) => [
        name.slice(5).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
        value,
      ]),
    );
  }

  protected copyAttributesOf(other: AttributedNode): void {
    for (const [name, value] of other.#attributes) this.#attributes.set(name, value);
  }
}
