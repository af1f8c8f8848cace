// What everything in the document is: a place among siblings below a parent. And texts, which are nothing more.

import type { Document } from "./document.ts";
import type { Element } from "./element.ts";

/** The type of a text; all else is an element, be it the document itself. */
const TEXT = 3;

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
    return this.parentNode;
  }

  get isConnected(): boolean {
    for (let at: Node | null = this; at !== null; at = at.parentNode) if (at === this.ownerDocument) return true;
    return false;
  }

  get nextElementSibling(): Element | null {
    let at = this.nextSibling;
    while (at !== null && at.nodeType === TEXT) at = at.nextSibling;
    return at as Element | null;
  }

  get previousElementSibling(): Element | null {
    let at = this.previousSibling;
    while (at !== null && at.nodeType === TEXT) at = at.previousSibling;
    return at as Element | null;
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
    super(TEXT, ownerDocument);
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

  get childNodes(): Node[] {
    return [];
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
