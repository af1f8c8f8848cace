// From elements to boxes: blocks, and runs of inline content between them, as CSS makes them.

import { Element } from "../dom/element.ts";
import { Text } from "../dom/node.ts";
import type { HtmlStyle } from "./style.ts";

export type InlineItem =
  | {
      readonly type: "text";
      readonly text: string;
      readonly style: HtmlStyle;
      readonly owner: Element;
      readonly raisedPx: number;
    }
  | { readonly type: "break"; readonly style: HtmlStyle }
  /** A picture, or a block that stands in a line like a letter. */
  | { readonly type: "box"; readonly style: HtmlStyle; readonly element: Element; readonly raisedPx: number }
  /** Padding and margin at an end of an inline element. */
  | { readonly type: "edge"; readonly widthPx: number };

export interface BlockBox {
  readonly style: HtmlStyle;
  /** Undefined for a box that no element made. */
  readonly element: Element | undefined;
  readonly content:
    | { readonly type: "inline"; readonly items: readonly InlineItem[] }
    | { readonly type: "blocks"; readonly boxes: readonly BlockBox[] };
}

export type StyleOf = (element: Element) => HtmlStyle;

const PICTURES = new Set(["svg", "img"]);

export function blockOf(element: Element, styleOf: StyleOf): BlockBox {
  const style = styleOf(element);
  const parts = new Parts(style, styleOf);
  parts.read(element, style, 0);
  return { style, element, content: parts.content() };
}

export function isBlock({ display }: HtmlStyle): boolean {
  return /^(?:block|list-item|table|table-\w[\w-]*|flex|grid|flow-root)$/.test(display);
}

class Parts {
  readonly #style: HtmlStyle;
  readonly #styleOf: StyleOf;
  readonly #boxes: BlockBox[] = [];
  #run: InlineItem[] = [];

  constructor(style: HtmlStyle, styleOf: StyleOf) {
    this.#style = style;
    this.#styleOf = styleOf;
  }

  content(): BlockBox["content"] {
    if (this.#boxes.length === 0) return { type: "inline", items: this.#run };
    this.#flush();
    return { type: "blocks", boxes: this.#boxes };
  }

  /** `parent` is this block, or an inline element in it; a block inside an inline element ends the line. */
  read(parent: Element, parentStyle: HtmlStyle, raisedPx: number): void {
    for (const child of parent.childNodes) {
      if (child instanceof Text) {
        const text = child.data;
        if (text !== "") this.#run.push({ type: "text", text, style: parentStyle, owner: parent, raisedPx });
      } else if (child instanceof Element) this.#readElement(child, parentStyle, raisedPx);
    }
  }

  #readElement(child: Element, parentStyle: HtmlStyle, raisedPx: number): void {
    const style = this.#styleOf(child);
    if (style.display === "none") return;
    if (child.localName === "br") this.#run.push({ type: "break", style: parentStyle });
    else if (PICTURES.has(child.localName) && isBlock(style)) {
      this.#flush();
      this.#run.push({ type: "box", style, element: child, raisedPx: 0 });
      this.#flush();
    } else if (PICTURES.has(child.localName) || style.display.startsWith("inline-"))
      this.#run.push({ type: "box", style, element: child, raisedPx });
    else if (isBlock(style)) {
      this.#flush();
      this.#boxes.push(blockOf(child, this.#styleOf));
    } else {
      const [before, after] = [style.margin.left + style.padding.left, style.padding.right + style.margin.right];
      if (before !== 0) this.#run.push({ type: "edge", widthPx: before });
      this.read(child, style, raisedPx + raise(style, parentStyle));
      if (after !== 0) this.#run.push({ type: "edge", widthPx: after });
    }
  }

  /** What stood between two blocks is a block of its own; white space alone is none. */
  #flush(): void {
    const isBlank = this.#run.every(
      (item) => item.type === "text" && /^[ \t\r\n\f]*$/.test(item.text) && !keepsSpace(item.style),
    );
    if (!isBlank) {
      const style = { ...this.#style, ...ANONYMOUS };
      this.#boxes.push({ style, element: undefined, content: { type: "inline", items: this.#run } });
    }
    this.#run = [];
  }
}

const NONE = { top: 0, right: 0, bottom: 0, left: 0 };
const ANONYMOUS = {
  display: "block",
  margin: NONE,
  padding: NONE,
  background: undefined,
  width: undefined,
  height: undefined,
  minWidth: undefined,
  maxWidth: undefined,
} as const;

export function keepsSpace({ whiteSpace }: HtmlStyle): boolean {
  return whiteSpace === "pre" || whiteSpace === "pre-wrap" || whiteSpace === "break-spaces";
}

/** As Chromium has it: a fifth of the size and a pixel down, a third and a pixel up. */
function raise({ verticalAlign }: HtmlStyle, parent: HtmlStyle): number {
  switch (verticalAlign.type) {
    case "sub":
      return -(parent.sizePx / 5 + 1);
    case "super":
      return parent.sizePx / 3 + 1;
    case "px":
      return verticalAlign.value;
    default:
      return 0;
  }
}
