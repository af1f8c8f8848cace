// The document Mermaid draws into. Not a browser's: just what d3 and Mermaid call, with SVG's names kept as they are written,
// attributes in the order they were set, and every change counted, so that measurements can be remembered until the next one.

import { splitOutside } from "../../svg/css.ts";
import { escapeMarkup, readMarkup } from "../../svg/markup.ts";
import { compileSelector, type Selector } from "../../svg/selector.ts";
import { InlineStyle } from "./inline-style.ts";

export const SVG = "http://www.w3.org/2000/svg";
export const HTML = "http://www.w3.org/1999/xhtml";

export class Node {
  readonly nodeType: number;
  readonly ownerDocument: Document;
  parentNode: Element | null = null;
  previousSibling: Node | null = null;
  nextSibling: Node | null = null;

  constructor(nodeType: number, ownerDocument: Document | undefined) {
    this.nodeType = nodeType;
    this.ownerDocument = ownerDocument ?? (this as unknown as Document);
  }

  get parentElement(): Element | null {
    return this.parentNode instanceof Element ? this.parentNode : null;
  }

  get isConnected(): boolean {
    for (let at: Node | null = this; at !== null; at = at.parentNode) if (at === this.ownerDocument) return true;
    return false;
  }

  get nextElementSibling(): Element | null {
    let at = this.nextSibling;
    while (at !== null && !(at instanceof Element)) at = at.nextSibling;
    return at;
  }

  get previousElementSibling(): Element | null {
    let at = this.previousSibling;
    while (at !== null && !(at instanceof Element)) at = at.previousSibling;
    return at;
  }

  remove(): void {
    const parent = this.parentNode;
    if (parent === null) return;
    if (this.previousSibling === null) parent.firstChild = this.nextSibling;
    else this.previousSibling.nextSibling = this.nextSibling;
    if (this.nextSibling === null) parent.lastChild = this.previousSibling;
    else this.nextSibling.previousSibling = this.previousSibling;
    this.parentNode = null;
    this.previousSibling = null;
    this.nextSibling = null;
    parent.changed();
  }

  replaceWith(...nodes: (Node | string)[]): void {
    this.before(...nodes);
    this.remove();
  }

  before(...nodes: (Node | string)[]): void {
    for (const node of nodes) this.parentNode?.insertBefore(this.ownerDocument.nodeOf(node), this);
  }

  after(...nodes: (Node | string)[]): void {
    const next = this.nextSibling;
    for (const node of nodes) this.parentNode?.insertBefore(this.ownerDocument.nodeOf(node), next);
  }

  contains(other: Node | null): boolean {
    for (let at: Node | null = other; at !== null; at = at.parentNode) if (at === this) return true;
    return false;
  }

  /** Only what d3 asks: does the other one come after me? */
  compareDocumentPosition(other: Node): number {
    for (const node of this.ownerDocument.everyNode()) {
      if (node === this) return 4;
      if (node === other) return 2;
    }
    return 1;
  }

  getRootNode(): Node {
    return this.parentNode === null ? this : this.parentNode.getRootNode();
  }

  /** As in a browser, where a node has nothing that JSON could see. */
  toJSON(): object {
    return {};
  }

  addEventListener(): void {
    // Nothing ever happens in a drawing.
  }

  removeEventListener(): void {
    // See addEventListener.
  }

  dispatchEvent(): boolean {
    return true;
  }
}

export class Text extends Node {
  #data: string;

  constructor(data: string, ownerDocument: Document) {
    super(3, ownerDocument);
    this.#data = data;
  }

  get data(): string {
    return this.#data;
  }

  set data(text: string) {
    this.#data = text;
    this.parentNode?.changed();
  }

  get nodeName(): string {
    return "#text";
  }

  get textContent(): string {
    return this.#data;
  }

  set textContent(text: string) {
    this.data = text;
  }

  get nodeValue(): string {
    return this.#data;
  }

  set nodeValue(text: string) {
    this.data = text;
  }

  cloneNode(): Text {
    return new Text(this.#data, this.ownerDocument);
  }
}

export class Element extends Node {
  readonly localName: string;
  readonly namespaceURI: string;
  firstChild: Node | null = null;
  lastChild: Node | null = null;
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

  // Attributes

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

  // Children

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
    for (const [name, value] of this.#attributes) copy.#attributes.set(name, value);
    if (deep)
      for (const child of this.childNodes)
        copy.appendChild(child instanceof Element ? child.cloneNode(true) : (child as Text).cloneNode());
    return copy;
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

  insertAdjacentHTML(_where: string, markup: string): void {
    this.#read(markup);
  }

  #read(markup: string): void {
    let at: Element = this;
    for (const part of readMarkup(markup)) {
      if (part.type === "text") at.append(part.text);
      else if (part.type === "open") {
        const inSvg = part.name === "svg" || (at.namespaceURI === SVG && at.localName !== "foreignObject");
        const element = this.ownerDocument.createElementNS(inSvg ? SVG : HTML, part.name);
        for (const [name, value] of part.attributes) element.setAttribute(name, value);
        at.appendChild(element);
        if (!part.closed) at = element;
      } else {
        let open: Element | null = at;
        while (open !== null && open !== this && open.localName !== part.name) open = open.parentElement;
        if (open !== null && open !== this) at = open.parentElement ?? this;
      }
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
    return compiled(selector).some((each) => each.matches(this));
  }

  closest(selector: string): Element | null {
    for (let at: Element | null = this; at !== null; at = at.parentElement) if (at.matches(selector)) return at;
    return null;
  }

  querySelector(selector: string): Element | null {
    return this.#search(compiled(selector), [], 1)[0] ?? null;
  }

  querySelectorAll(selector: string): Element[] {
    return this.#search(compiled(selector), [], Number.POSITIVE_INFINITY);
  }

  getElementsByTagName(name: string): Element[] {
    return this.querySelectorAll(name);
  }

  getElementsByClassName(name: string): Element[] {
    return this.querySelectorAll(`.${name}`);
  }

  #search(selectors: readonly Selector[], found: Element[], limit: number): Element[] {
    for (let child = this.firstChild; child !== null && found.length < limit; child = child.nextSibling) {
      if (!(child instanceof Element)) continue;
      for (const selector of selectors) {
        if (!selector.matches(child)) continue;
        found.push(child);
        break;
      }
      if (found.length < limit && child.firstChild !== null) child.#search(selectors, found, limit);
    }
    return found;
  }
}

export class Fragment extends Element {
  constructor(ownerDocument: Document) {
    super("#document-fragment", HTML, ownerDocument, 11);
  }
}

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

const MAX_COMPILED = 2000;
const cache = new Map<string, readonly Selector[]>();

function compiled(text: string): readonly Selector[] {
  let selectors = cache.get(text);
  if (selectors === undefined) {
    selectors = splitOutside(text, ",")
      .map(compileSelector)
      .filter((selector) => selector !== undefined);
    if (cache.size >= MAX_COMPILED) cache.clear();
    cache.set(text, selectors);
  }
  return selectors;
}
