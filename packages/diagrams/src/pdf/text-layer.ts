// The texts of a drawing, invisible over their outlines, so that they can be searched and copied. The letters come from a font
// whose glyphs draw nothing: what counts is where each stands, how wide it is and which letters it means.

import { inherited, linesOf } from "../raster/chunks.ts";
import { placedRuns } from "../raster/outline.ts";
import type { XmlElement } from "../svg/xml.ts";
import { Typesetter } from "../text/typesetter.ts";
import type { PdfFile } from "./file.ts";
import { matrixOf, num, nums, type PdfMatrix, times } from "./matrix.ts";
import type { PdfResources } from "./resources.ts";

/** A piece of text where it stands: its letters from left to right. */
export interface PlacedText {
  readonly letters: readonly string[];
  readonly matrix: PdfMatrix;
  readonly sizePx: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Before the texts become outlines. `root` is flattened. */
export async function textsIn(root: XmlElement): Promise<PlacedText[]> {
  const typesetter = await Typesetter.load();
  const texts: PlacedText[] = [];
  for (const text of root.descendants()) {
    if (text.localName !== "text" || isHidden(text)) continue;
    const matrix = matrixAround(text);
    const direction = inherited(text, "direction") === "rtl" ? "rtl" : "ltr";
    for (const line of linesOf(text) ?? []) {
      for (const { text: piece, isRightToLeft, x, y, width, sizePx } of placedRuns(line, direction, typesetter)) {
        const letters = [...graphemes(piece)];
        if (isRightToLeft) letters.reverse();
        if (piece.trim() !== "") texts.push({ letters, matrix, sizePx, x, y, width });
      }
    }
  }
  return texts;
}

let segmenter: Intl.Segmenter | undefined;

function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

function isHidden(text: XmlElement): boolean {
  for (let at: XmlElement | null = text; at !== null; at = at.parentElement) {
    if (["defs", "symbol", "clipPath", "mask", "pattern", "marker"].includes(at.localName)) return true;
    if (at.attributes.get("display") === "none" || at.attributes.get("visibility") === "hidden") return true;
  }
  return false;
}

function matrixAround(text: XmlElement): PdfMatrix {
  const steps: PdfMatrix[] = [];
  for (let at: XmlElement | null = text; at?.parentElement; at = at.parentElement) {
    steps.unshift(matrixOf(at.attributes.get("transform")));
    // A drawing inside the drawing has its own place.
    if (at.localName === "svg") steps.unshift(nestedMatrix(at));
  }
  return steps.reduce(times, [1, 0, 0, 1, 0, 0]);
}

function nestedMatrix({ attributes }: XmlElement): PdfMatrix {
  const number = (name: string) => Number.parseFloat(attributes.get(name) ?? "0") || 0;
  const [left = 0, top = 0, wide = 0, high = 0] = (attributes.get("viewBox") ?? "").split(/[\s,]+/).map(Number);
  const [width, height] = [number("width") || wide, number("height") || high];
  const scale = wide > 0 && high > 0 ? Math.min(width / wide, height / high) : 1;
  const [x, y] = [number("x") + (width - wide * scale) / 2, number("y") + (height - high * scale) / 2];
  return wide > 0 ? [scale, 0, 0, scale, x - left * scale, y - top * scale] : [1, 0, 0, 1, number("x"), number("y")];
}

const LETTERS_OF_A_FONT = 256;
const UNITS = 1_000;

/** Fonts of 256 letters each, in the order they are met. */
export class TextLayer {
  readonly #codes = new Map<string, number>();

  /** `page`: from the drawing to the page. */
  write(
    texts: readonly PlacedText[],
    page: PdfMatrix,
    { file, resources }: { file: PdfFile; resources: PdfResources },
  ): string {
    for (const { letters } of texts)
      for (const letter of letters) if (!this.#codes.has(letter)) this.#codes.set(letter, this.#codes.size);
    const all = [...this.#codes.keys()];
    const fonts: string[] = [];
    for (let from = 0; from < all.length; from += LETTERS_OF_A_FONT)
      fonts.push(resources.nameOf("Font", fontObject(all.slice(from, from + LETTERS_OF_A_FONT), file)));
    const parts = texts.map((text) => this.#textOperators(text, page, fonts));
    return parts.length === 0 ? "" : ["BT", "3 Tr", ...parts, "ET"].join("\n");
  }

  #textOperators(
    { letters, matrix, sizePx, x, y, width }: PlacedText,
    page: PdfMatrix,
    fonts: readonly string[],
  ): string {
    const own = times(times(page, matrix), [1, 0, 0, -1, x, y]);
    // Each glyph is as wide as the font's size; the line as wide as its outlines.
    const stretch = letters.length === 0 ? 100 : (100 * width) / (letters.length * sizePx);
    const shown: string[] = [];
    let font = -1;
    let codes = "";
    const flush = () => {
      if (codes !== "") shown.push(`<${codes}> Tj`);
      codes = "";
    };
    for (const letter of letters) {
      const code = this.#codes.get(letter) ?? 0;
      const of = Math.floor(code / LETTERS_OF_A_FONT);
      if (of !== font) {
        flush();
        shown.push(`${fonts[of]} ${num(sizePx)} Tf`);
        font = of;
      }
      codes += (code % LETTERS_OF_A_FONT).toString(16).padStart(2, "0");
    }
    flush();
    return [`${num(stretch)} Tz`, `${nums(own)} Tm`, ...shown].join("\n");
  }
}

function fontObject(letters: readonly string[], file: PdfFile): number {
  const glyph = file.stream(`${UNITS} 0 d0`);
  const names = letters.map((_, at) => `/g${at}`).join(" ");
  const glyphs = letters.map((_, at) => `/g${at} ${glyph} 0 R`).join(" ");
  const entries = [
    "/Type /Font /Subtype /Type3",
    `/FontBBox [0 -200 ${UNITS} 900] /FontMatrix [0.001 0 0 0.001 0 0]`,
    `/CharProcs << ${glyphs} >> /Encoding << /Type /Encoding /Differences [0 ${names}] >>`,
    `/FirstChar 0 /LastChar ${letters.length - 1} /Widths [${letters.map(() => UNITS).join(" ")}]`,
    `/ToUnicode ${file.stream(unicodeMap(letters))} 0 R /Resources << >>`,
  ];
  return file.add(`<< ${entries.join(" ")} >>`);
}

/** Which letters each code means. A block may have a hundred. */
function unicodeMap(letters: readonly string[]): string {
  const blocks: string[] = [];
  for (let from = 0; from < letters.length; from += 100) {
    const lines = letters.slice(from, from + 100).map((letter, at) => {
      const units = Array.from({ length: letter.length }, (_, unit) => hex(letter.charCodeAt(unit), 4)).join("");
      return `<${hex(from + at, 2)}> <${units}>`;
    });
    blocks.push(`${lines.length} beginbfchar\n${lines.join("\n")}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<00> <ff>
endcodespacerange
${blocks.join("\n")}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
