// As much of a browser's document as PlantUML draws into: elements that are written as XML, texts that are measured with our
// fonts, and a canvas for its small pictures in pixels.

import { parseXml, writeXml, XmlElement } from "../svg/xml.ts";
import { fontFromCss } from "../text/css-font.ts";
import type { Typesetter } from "../text/typesetter.ts";
import { type PixelImage, pngOf } from "./pixels.ts";

// Of Arial, in shares of the size.
const ASCENT = 0.905;
const DESCENT = 0.212;
const MOST_PIXELS = 4_000_000;

class DrawnElement extends XmlElement {
  readonly style: Record<string, string> = {};
  readonly ownerDocument = { createProcessingInstruction: () => undefined };
  #typesetter: Typesetter;

  constructor(name: string, typesetter: Typesetter) {
    super(name);
    this.#typesetter = typesetter;
  }

  get tagName(): string {
    return this.localName;
  }

  get firstChild(): XmlElement | string | undefined {
    return this.children[0];
  }

  get textContent(): string {
    return this.text;
  }

  set textContent(text: string) {
    this.children.length = 0;
    this.append(String(text));
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
  }

  setAttributeNS(_namespace: string, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }

  appendChild(child: XmlElement | undefined): XmlElement | undefined {
    if (child instanceof XmlElement) this.append(child);
    return child;
  }

  removeChild(child: XmlElement | string): void {
    const at = this.children.indexOf(child);
    if (at !== -1) this.children.splice(at, 1);
  }

  getBBox(): { x: number; y: number; width: number; height: number } {
    const sizePx = Number.parseFloat(this.attributes.get("font-size") ?? "16") || 16;
    const font = { sizePx, family: this.attributes.get("font-family") ?? "", weight: 400, italic: false };
    const width = this.#typesetter.widthPx(this.text, font);
    return { x: 0, y: -ASCENT * sizePx, width, height: (ASCENT + DESCENT) * sizePx };
  }
}

export interface DrawingDocument {
  /** The globals of a browser that PlantUML looks for. */
  readonly globals: Readonly<Record<string, unknown>>;
}

export function drawingDocument(typesetter: Typesetter): DrawingDocument {
  const element = (name: string) => new DrawnElement(name, typesetter);
  const body = element("body");
  const document = {
    body,
    createElementNS: (_namespace: string, name: string) => element(name),
    createElement: (name: string) => (name === "canvas" ? canvas(typesetter) : element(name)),
    getElementById: () => null,
    importNode: (node: XmlElement) => node,
    head: { appendChild: (script: { onerror?: () => void }) => script.onerror?.() },
  };
  class DOMParser {
    parseFromString(text: string) {
      try {
        const documentElement = parseXml(text);
        return { documentElement: Object.assign(documentElement, { tagName: documentElement.localName }) };
      } catch {
        return { documentElement: null };
      }
    }
  }
  class XMLSerializer {
    serializeToString(root: XmlElement): string {
      return writeXml(root);
    }
  }
  return { globals: { document, DOMParser, XMLSerializer } };
}

function canvas(typesetter: Typesetter) {
  let image: PixelImage | undefined;
  const context = {
    font: "",
    measureText(text: string) {
      // Java calls the family so.
      const font = fontFromCss(this.font.replace(/monospaced/i, "monospace"));
      const [ascent, descent] = [ASCENT * font.sizePx, DESCENT * font.sizePx];
      return {
        width: typesetter.widthPx(String(text), font),
        actualBoundingBoxAscent: ascent,
        actualBoundingBoxDescent: descent,
        fontBoundingBoxAscent: ascent,
        fontBoundingBoxDescent: descent,
      };
    },
    createImageData(width: number, height: number): PixelImage {
      const [w, h] = [Math.max(1, Math.floor(width)), Math.max(1, Math.floor(height))];
      if (w * h > MOST_PIXELS) throw new RangeError("This picture has too many pixels.");
      return { width: w, height: h, data: new Uint8ClampedArray(w * h * 4) };
    },
    putImageData(given: PixelImage): void {
      image = given;
    },
  };
  return {
    width: 0,
    height: 0,
    getContext: () => context,
    toDataURL: () => (image === undefined ? "data:," : `data:image/png;base64,${pngOf(image)}`),
  };
}
