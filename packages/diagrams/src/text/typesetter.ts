// How wide a text is and how high its line: HarfBuzz shapes it with our own font files, as a browser would with the same ones.

import { readFileSync } from "node:fs";
import type { Font } from "harfbuzzjs";
import { covers, type Ranges, rangesOf, readRanges } from "../fonts/coverage.ts";
import { Memo } from "../memo.ts";
import { type FontFile, type Fonts, findFonts } from "./fonts.ts";
import { type GlyphInk, type Ink, inkOf } from "./ink.ts";
import { wholeLinePx } from "./line-height.ts";
import { scriptOf } from "./scripts.ts";

export interface TextStyle {
  /** A CSS font-family list. */
  readonly family: string;
  readonly sizePx: number;
  readonly weight: number;
  readonly italic: boolean;
}

/** A font file that is open. */
export interface LoadedFace {
  readonly family: string;
  /** Of its file. */
  readonly path: string;
  readonly font: Font;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly ranges: Ranges;
  readonly widths: Map<string, number>;
  readonly inks: Map<string, Ink>;
  /** The ends of a glyph's ink in shares of the size, by glyph; above and below its baseline. */
  readonly extents: Map<number, GlyphInk | undefined>;
}

/** How high a line of a font is, in whole pixels. */
export interface LinePx {
  readonly ascentPx: number;
  readonly descentPx: number;
  /** Between two lines. */
  readonly gapPx: number;
}

/** Letters that one font draws. */
export interface FontRun {
  readonly text: string;
  readonly face: LoadedFace;
}

export interface GlyphRun {
  readonly glyphs: readonly GlyphPlace[];
  readonly width: number;
}

export interface GlyphPlace {
  readonly glyph: number;
  readonly x: number;
  /** Above the baseline. */
  readonly y: number;
}

type GlyphSink = (glyph: number, face: LoadedFace, at: number, raised: number) => void;

type HarfBuzz = typeof import("harfbuzzjs");

// A word or label comes many times while a diagram is laid out; across diagrams this keeps the common ones.
const MAX_CACHED_WIDTHS = 20_000;
const PLAIN = /^[\x20-\x7e]*$/;
const D2_FONT = "Source Sans Pro";
const MONO = /^(?:.*mono|monospace|ui-monospace|courier.*|consolas|menlo|cousine)$/i;
// What sticks to the character before it: marks, joiners, variation selectors, skin tones, the second half of a flag.
const STICKS = /^(?:\p{M}|\u200c|\u200d|[\u{1f3fb}-\u{1f3ff}])$/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})$/u;
// Drawn as nothing, so no font needs them.
const INVISIBLE = /^(?:\p{C}|\p{Z}|\ufe0e|\ufe0f)$/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN_OR_ITS_SIGNS = /[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/u;
const JAPANESE = "Noto Sans JP";

export class Typesetter {
  readonly #harfbuzz: HarfBuzz;
  readonly #fonts: Fonts;
  readonly #buffer: InstanceType<HarfBuzz["Buffer"]>;
  readonly #faces: Map<string, LoadedFace>;
  readonly #ranges: Map<string, Ranges>;
  readonly #fallbacks: Map<string, FontFile | undefined>;
  readonly #families = new Memo<string>(1_000);
  readonly #missing = new Set<string>();

  private constructor(harfbuzz: HarfBuzz, fonts: Fonts) {
    this.#harfbuzz = harfbuzz;
    this.#fonts = fonts;
    this.#buffer = new harfbuzz.Buffer();
    const { faces, ranges, fallbacks } = openFiles(fonts);
    this.#faces = faces;
    this.#ranges = ranges;
    this.#fallbacks = fallbacks;
  }

  static async load(): Promise<Typesetter> {
    return new Typesetter(await import("harfbuzzjs"), findFonts());
  }

  widthPx(text: string, style: TextStyle): number {
    const face = this.#face(this.#family(style.family), style);
    let width = face.widths.get(text);
    if (width === undefined) {
      width = PLAIN.test(text) ? this.#shape(text, face) : this.#shapeMixed(text, face, style);
      if (face.widths.size >= MAX_CACHED_WIDTHS) face.widths.clear();
      face.widths.set(text, width);
    }
    return width * style.sizePx;
  }

  /**
   * Chromium's boxes reach as far as the ink does where that is further than the advance, each glyph's ink taken to whole
   * pixels of its own: a W may stick out, and an o be a tenth of a pixel wider.
   */
  inkPx(text: string, style: TextStyle): Ink {
    const face = this.#face(this.#family(style.family), style);
    const key = `${style.sizePx} ${text}`;
    let ink = face.inks.get(key);
    if (ink === undefined) {
      let leftPx = 0;
      let rightPx = 0;
      let abovePx = 0;
      let belowPx = 0;
      const place: GlyphSink = (glyph, of, at, raised) => {
        const ends = inkOf(glyph, of);
        if (ends === undefined) return;
        leftPx = Math.min(leftPx, at * style.sizePx + Math.floor(ends[0] * style.sizePx));
        rightPx = Math.max(rightPx, at * style.sizePx + Math.ceil(ends[1] * style.sizePx));
        abovePx = Math.max(abovePx, Math.ceil((ends[2] + raised) * style.sizePx));
        belowPx = Math.max(belowPx, Math.ceil((ends[3] - raised) * style.sizePx));
      };
      if (PLAIN.test(text)) this.#shape(text, face, place);
      else this.#shapeMixed(text, face, style, place);
      ink = { leftPx, rightPx, abovePx, belowPx };
      if (face.inks.size >= MAX_CACHED_WIDTHS) face.inks.clear();
      face.inks.set(key, ink);
    }
    return ink;
  }

  linePx(style: TextStyle): LinePx {
    return linePx(this.#face(this.#family(style.family), style), style.sizePx);
  }

  /** Of every font that the text is drawn with, the style's own first. */
  linesPx(text: string, style: TextStyle): LinePx[] {
    const first = this.#face(this.#family(style.family), style);
    const faces = PLAIN.test(text) ? [] : this.#runs(text, first, style).map(({ face }) => face);
    return [...new Set([first, ...faces])].map((face) => linePx(face, style.sizePx));
  }

  /** As a share of the font's size. */
  xHeight(): number {
    return 0.5283;
  }

  /** The parts of a text that one font file draws in one script, as they are written. */
  partsOf(text: string, style: TextStyle): FontRun[] {
    return this.#runs(text, this.#face(this.#drawnFamily(style.family), style), style);
  }

  /** Whether one font of the family alone draws the text as it is written. */
  isPlain(text: string, style: TextStyle): boolean {
    const face = this.#face(this.#drawnFamily(style.family), style);
    for (const character of text) if (!INVISIBLE.test(character) && !this.#has(face, character)) return false;
    return true;
  }

  /** Where each glyph of a part stands, from left to right, in shares of the size. */
  glyphsOf(text: string, face: LoadedFace, isRightToLeft: boolean): GlyphRun {
    const buffer = this.#filled(text);
    buffer.setDirection(isRightToLeft ? this.#harfbuzz.Direction.RTL : this.#harfbuzz.Direction.LTR);
    this.#harfbuzz.shape(face.font, buffer);
    const infos = buffer.getGlyphInfos();
    let units = 0;
    const glyphs = buffer.getGlyphPositions().map(({ xAdvance, xOffset, yOffset }, index) => {
      const place = {
        glyph: infos[index]?.codepoint ?? 0,
        x: (units + xOffset) / face.unitsPerEm,
        y: yOffset / face.unitsPerEm,
      };
      units += xAdvance;
      return place;
    });
    return { glyphs, width: units / face.unitsPerEm };
  }

  /** The characters no font had since this was last asked. */
  drainMissing(): string[] {
    const missing = [...this.#missing].sort();
    this.#missing.clear();
    return missing;
  }

  /** Characters without a glyph are noted once per drawing, also where their width is known already. */
  noteMissing(text: string): void {
    if (PLAIN.test(text)) return;
    for (const character of text) if (this.#isMissing(character)) this.#missing.add(character);
  }

  #isMissing(character: string): boolean {
    if (INVISIBLE.test(character)) return false;
    const codePoint = character.codePointAt(0) ?? 0;
    const style = { weight: 400, italic: false };
    return !this.#has(this.#face(this.#fonts.sans, style), character) && this.#fallback(codePoint, style) === undefined;
  }

  #has(face: LoadedFace, character: string): boolean {
    return covers(face.ranges, character.codePointAt(0) ?? 0);
  }

  #family(list: string): string {
    return this.#families.get(list, (names) => this.#familyIn(names));
  }

  /** A picture is drawn with the font that is named, if it is one of ours; what is measured has the widths of Arial. */
  #drawnFamily(list: string): string {
    const [first = ""] = list.split(",");
    const name = first.trim().replace(/^["']|["']$/g, "");
    return this.#fonts.files.some(({ family }) => family === name) ? name : this.#family(list);
  }

  #familyIn(list: string): string {
    for (const name of list.split(",")) {
      const plain = name.trim().replace(/^["']|["']$/g, "");
      // D2 embeds its fonts under names of its own.
      const [, face] = /^d2-\d+-font-(\w+)/.exec(plain) ?? [];
      if (MONO.test(plain) || face === "mono") return this.#fonts.mono;
      if (face !== undefined && this.#fonts.files.some(({ family }) => family === D2_FONT)) return D2_FONT;
      if (/^(?:arimo|arial|helvetica|liberation sans|sans-serif)$/i.test(plain)) return this.#fonts.sans;
    }
    return this.#fonts.sans;
  }

  #shapeMixed(text: string, first: LoadedFace, style: TextStyle, place?: GlyphSink): number {
    let width = 0;
    for (const run of this.#runs(text, first, style)) {
      const from = width;
      width += this.#shape(
        run.text,
        run.face,
        place && ((glyph, face, at, raised) => place(glyph, face, from + at, raised)),
      );
    }
    return width;
  }

  /** In the order they are written, each of one font and one script. */
  #runs(text: string, first: LoadedFace, style: { weight: number; italic: boolean }): FontRun[] {
    const runs: { text: string; face: LoadedFace; script: string | undefined }[] = [];
    const isJapanese = KANA.test(text);
    for (const character of text) {
      const run = runs.at(-1);
      if (STICKS.test(character) && run !== undefined) {
        run.text += character;
        continue;
      }
      const prefers = isJapanese && HAN_OR_ITS_SIGNS.test(character) ? JAPANESE : undefined;
      const face = this.#faceFor(character, first, style, prefers);
      const script = scriptOf(character);
      const isOther = script !== undefined && run !== undefined && run.script !== undefined && script !== run.script;
      if (run === undefined || face !== run.face || isOther) runs.push({ text: character, face, script });
      else {
        run.text += character;
        run.script ??= script;
      }
    }
    return runs;
  }

  #faceFor(
    character: string,
    first: LoadedFace,
    style: { weight: number; italic: boolean },
    prefers: string | undefined,
  ): LoadedFace {
    const codePoint = character.codePointAt(0) ?? 0;
    const emoji = this.#fonts.emoji;
    if (emoji !== undefined && codePoint > 0x2000 && EMOJI.test(character)) {
      const face = this.#face(emoji, style);
      if (covers(face.ranges, codePoint)) return face;
    }
    if (covers(first.ranges, codePoint)) return first;
    const file = this.#fallback(codePoint, style, prefers);
    return file === undefined ? first : this.#opened(file);
  }

  /** The first family that has the letter, in the weight nearest to the one asked for. */
  #fallback(codePoint: number, style: { weight: number; italic: boolean }, prefers?: string): FontFile | undefined {
    const key = `${codePoint}/${style.weight}/${style.italic}/${prefers ?? ""}`;
    if (this.#fallbacks.has(key)) return this.#fallbacks.get(key);
    const { sans, fallbacks, emoji, files } = this.#fonts;
    const order = [prefers, sans, ...fallbacks, emoji].filter((family) => family !== undefined);
    let found: FontFile | undefined;
    for (const family of order) {
      const having = files.filter((file) => file.family === family && covers(this.#rangesOf(file), codePoint));
      found = having.length === 0 ? undefined : closest(having, family, style);
      if (found !== undefined) break;
    }
    if (this.#fallbacks.size >= MAX_CACHED_WIDTHS) this.#fallbacks.clear();
    this.#fallbacks.set(key, found);
    return found;
  }

  #rangesOf(file: FontFile): Ranges {
    if (file.covers === undefined) return this.#opened(file).ranges;
    let ranges = this.#ranges.get(file.path);
    if (ranges === undefined) {
      ranges = readRanges(file.covers);
      this.#ranges.set(file.path, ranges);
    }
    return ranges;
  }

  /** In shares of the font's size. */
  #shape(text: string, face: LoadedFace, place?: GlyphSink): number {
    if (text === "") return 0;
    const buffer = this.#filled(text);
    this.#harfbuzz.shape(face.font, buffer);
    let units = 0;
    const glyphs = place === undefined ? undefined : buffer.getGlyphInfos();
    for (const [index, { xAdvance, xOffset, yOffset }] of buffer.getGlyphPositions().entries()) {
      place?.(glyphs?.[index]?.codepoint ?? 0, face, (units + xOffset) / face.unitsPerEm, yOffset / face.unitsPerEm);
      units += xAdvance;
    }
    return units / face.unitsPerEm;
  }

  #filled(text: string): InstanceType<HarfBuzz["Buffer"]> {
    const buffer = this.#buffer;
    buffer.reset();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    return buffer;
  }

  #face(family: string, style: { weight: number; italic: boolean }): LoadedFace {
    const key = `${family}/${style.weight}/${style.italic}`;
    let face = this.#faces.get(key);
    if (face === undefined) {
      face = this.#opened(closest(this.#fonts.files, family, style));
      this.#faces.set(key, face);
    }
    return face;
  }

  #opened(file: FontFile): LoadedFace {
    let face = this.#faces.get(file.path);
    if (face === undefined) {
      face = this.#open(file);
      this.#faces.set(file.path, face);
    }
    return face;
  }

  #open(file: FontFile): LoadedFace {
    const { Blob, Face, Font } = this.#harfbuzz;
    const bytes = readFileSync(file.path);
    const face = new Face(new Blob(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)));
    const font = new Font(face);
    const { ascender, descender, lineGap } = font.hExtents();
    return {
      family: file.family,
      path: file.path,
      font,
      unitsPerEm: face.upem,
      ascent: ascender / face.upem,
      descent: -descender / face.upem,
      lineGap: lineGap / face.upem,
      ranges: file.covers === undefined ? rangesOf(face.collectUnicodes()) : this.#rangesOf(file),
      widths: new Map(),
      inks: new Map(),
      extents: new Map(),
    };
  }
}

/** What all typesetters of a process share: a font of Chinese is 4 MB, and is opened once. */
interface OpenFiles {
  /** By path, and by family and style. */
  readonly faces: Map<string, LoadedFace>;
  /** By path: the letters. */
  readonly ranges: Map<string, Ranges>;
  /** By letter and style: the file of another family that has it. */
  readonly fallbacks: Map<string, FontFile | undefined>;
}

const opened = new WeakMap<Fonts, OpenFiles>();

function openFiles(fonts: Fonts): OpenFiles {
  let files = opened.get(fonts);
  if (files === undefined) {
    files = { faces: new Map(), ranges: new Map(), fallbacks: new Map() };
    opened.set(fonts, files);
  }
  return files;
}

/** So the boxes of our texts are as high as a browser's. */
function linePx({ ascent, descent, lineGap }: LoadedFace, sizePx: number): LinePx {
  return { ...wholeLinePx(ascent, descent, sizePx), gapPx: Math.round(lineGap * sizePx) };
}

/** CSS's rule in short: the slant first, then the weight nearest to the one asked for, heavier on a tie above 500. */
function closest(files: readonly FontFile[], family: string, { weight, italic }: { weight: number; italic: boolean }) {
  const candidates = files.filter((file) => file.family === family);
  const distance = (file: FontFile) =>
    (file.italic === italic ? 0 : 10_000) +
    Math.abs(file.weight - weight) * 2 +
    (file.weight > weight === weight > 500 ? 0 : 1);
  const [best] = candidates.sort((a, b) => distance(a) - distance(b));
  if (best === undefined) throw new Error(`The font "${family}" has no file.`);
  return best;
}
