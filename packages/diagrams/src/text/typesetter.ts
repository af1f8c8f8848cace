// How wide a text is and how high its line: HarfBuzz shapes it with our own font files, as a browser would with the same ones.

import { readFileSync } from "node:fs";
import type { Face, Font } from "harfbuzzjs";
import { Memo } from "../memo.ts";
import { type FontFile, type Fonts, findFonts } from "./fonts.ts";
import { wholeLinePx } from "./line-height.ts";

export interface TextStyle {
  /** A CSS font-family list. */
  readonly family: string;
  readonly sizePx: number;
  readonly weight: number;
  readonly italic: boolean;
}

interface LoadedFace {
  readonly family: string;
  readonly font: Font;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly covers: ReadonlySet<number>;
  readonly widths: Map<string, number>;
  readonly inks: Map<string, Ink>;
  /** Left and right end of a glyph's ink in shares of the size, by glyph. */
  readonly extents: Map<number, readonly [left: number, right: number] | undefined>;
}

/** How far the ink of a text reaches, from where it begins. */
export interface Ink {
  readonly leftPx: number;
  readonly rightPx: number;
}

/** How high a line of a font is, in whole pixels. */
export interface LinePx {
  readonly ascentPx: number;
  readonly descentPx: number;
  /** Between two lines. */
  readonly gapPx: number;
}

interface Run {
  readonly text: string;
  readonly face: LoadedFace;
}

type GlyphSink = (glyph: number, face: LoadedFace, at: number) => void;

type HarfBuzz = typeof import("harfbuzzjs");

// A word or label comes many times while a diagram is laid out; across diagrams this keeps the common ones.
const MAX_CACHED_WIDTHS = 20_000;
const PLAIN = /^[\x20-\x7e]*$/;
const MONO = /^(?:.*mono|monospace|ui-monospace|courier.*|consolas|menlo|cousine)$/i;
// What sticks to the character before it: marks, joiners, variation selectors, skin tones, the second half of a flag.
const STICKS = /^(?:\p{M}|\u200c|\u200d|[\u{1f3fb}-\u{1f3ff}])$/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic})$/u;
// Drawn as nothing, so no font needs them.
const INVISIBLE = /^(?:\p{C}|\p{Z}|\ufe0e|\ufe0f)$/u;
const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Han}/u,
  /\p{Script=Hiragana}/u,
  /\p{Script=Katakana}/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Thai}/u,
];

export class Typesetter {
  readonly #harfbuzz: HarfBuzz;
  readonly #fonts: Fonts;
  readonly #buffer: InstanceType<HarfBuzz["Buffer"]>;
  readonly #faces = new Map<string, LoadedFace>();
  readonly #families = new Memo<string>(1_000);
  readonly #missing = new Set<string>();

  private constructor(harfbuzz: HarfBuzz, fonts: Fonts) {
    this.#harfbuzz = harfbuzz;
    this.#fonts = fonts;
    this.#buffer = new harfbuzz.Buffer();
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
      const place: GlyphSink = (glyph, of, at) => {
        const ends = inkOf(glyph, of);
        if (ends === undefined) return;
        leftPx = Math.min(leftPx, at * style.sizePx + Math.floor(ends[0] * style.sizePx));
        rightPx = Math.max(rightPx, at * style.sizePx + Math.ceil(ends[1] * style.sizePx));
      };
      if (PLAIN.test(text)) this.#shape(text, face, place);
      else this.#shapeMixed(text, face, style, place);
      ink = { leftPx, rightPx };
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

  /** The text in parts, each with the family that has its letters; a space goes with the letters before it. */
  familiesOf(text: string): { readonly text: string; readonly family: string }[] {
    const style = { weight: 400, italic: false };
    const found: { text: string; face: LoadedFace }[] = [];
    for (const { text: letters, face } of this.#runs(text, this.#face(this.#fonts.sans, style), style)) {
      const last = found.at(-1);
      // Not with emoji, whose space is as wide as they are.
      const joins = last?.face.covers.has(0x20) === true && last.face.family !== this.#fonts.emoji;
      const isBlank = joins && /^\s+$/.test(letters);
      if (last !== undefined && (last.face === face || isBlank)) last.text += letters;
      else found.push({ text: letters, face });
    }
    return found.map((run) => ({ text: run.text, family: run.face.family }));
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
    return !this.#chain({ weight: 400, italic: false }, this.#fonts.sans).some((face) => face.covers.has(codePoint));
  }

  #family(list: string): string {
    return this.#families.get(list, (names) => this.#familyIn(names));
  }

  #familyIn(list: string): string {
    for (const name of list.split(",")) {
      const plain = name.trim().replace(/^["']|["']$/g, "");
      if (MONO.test(plain)) return this.#fonts.mono;
      if (/^(?:arimo|arial|helvetica|liberation sans|sans-serif)$/i.test(plain)) return this.#fonts.sans;
    }
    return this.#fonts.sans;
  }

  #shapeMixed(text: string, first: LoadedFace, style: TextStyle, place?: GlyphSink): number {
    let width = 0;
    for (const run of this.#runs(text, first, style)) {
      const from = width;
      width += this.#shape(run.text, run.face, place && ((glyph, face, at) => place(glyph, face, from + at)));
    }
    return width;
  }

  /** In the order they are written, each of one font and one script. */
  #runs(text: string, first: LoadedFace, style: { weight: number; italic: boolean }): Run[] {
    const runs: { text: string; face: LoadedFace; script: number }[] = [];
    for (const character of text) {
      const run = runs.at(-1);
      if (STICKS.test(character) && run !== undefined) {
        run.text += character;
        continue;
      }
      const face = this.#faceFor(character, first, style);
      const script = SCRIPTS.findIndex((pattern) => pattern.test(character));
      const isOther = script !== -1 && run !== undefined && run.script !== -1 && script !== run.script;
      if (run === undefined || face !== run.face || isOther) runs.push({ text: character, face, script });
      else {
        run.text += character;
        if (script !== -1) run.script = script;
      }
    }
    return runs;
  }

  #faceFor(character: string, first: LoadedFace, style: { weight: number; italic: boolean }): LoadedFace {
    const codePoint = character.codePointAt(0) ?? 0;
    const emoji = this.#fonts.emoji;
    if (emoji !== undefined && codePoint > 0x2000 && EMOJI.test(character)) {
      const face = this.#face(emoji, style);
      if (face.covers.has(codePoint)) return face;
    }
    if (first.covers.has(codePoint)) return first;
    return this.#chain(style, first.family).find((face) => face.covers.has(codePoint)) ?? first;
  }

  #chain(style: { weight: number; italic: boolean }, family: string): LoadedFace[] {
    const { sans, fallbacks, emoji } = this.#fonts;
    const families = new Set([family, sans, ...fallbacks, ...(emoji === undefined ? [] : [emoji])]);
    return [...families].map((each) => this.#face(each, style));
  }

  /** In shares of the font's size. */
  #shape(text: string, face: LoadedFace, place?: GlyphSink): number {
    if (text === "") return 0;
    const buffer = this.#buffer;
    buffer.reset();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    this.#harfbuzz.shape(face.font, buffer);
    let units = 0;
    const glyphs = place === undefined ? undefined : buffer.getGlyphInfos();
    for (const [index, { xAdvance, xOffset }] of buffer.getGlyphPositions().entries()) {
      place?.(glyphs?.[index]?.codepoint ?? 0, face, (units + xOffset) / face.unitsPerEm);
      units += xAdvance;
    }
    return units / face.unitsPerEm;
  }

  #face(family: string, style: { weight: number; italic: boolean }): LoadedFace {
    const key = `${family}/${style.weight}/${style.italic}`;
    let face = this.#faces.get(key);
    if (face === undefined) {
      const file = closest(this.#fonts.files, family, style);
      const fileKey = file.path;
      face = this.#faces.get(fileKey) ?? this.#open(file);
      this.#faces.set(fileKey, face);
      this.#faces.set(key, face);
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
      font,
      unitsPerEm: face.upem,
      ascent: ascender / face.upem,
      descent: -descender / face.upem,
      lineGap: lineGap / face.upem,
      covers: coverage(face),
      widths: new Map(),
      inks: new Map(),
      extents: new Map(),
    };
  }
}

/** So the boxes of our texts are as high as a browser's. */
function linePx({ ascent, descent, lineGap }: LoadedFace, sizePx: number): LinePx {
  return { ...wholeLinePx(ascent, descent, sizePx), gapPx: Math.round(lineGap * sizePx) };
}

function inkOf(glyph: number, { font, unitsPerEm, extents }: LoadedFace): readonly [number, number] | undefined {
  if (!extents.has(glyph)) {
    const found = font.glyphExtents(glyph);
    const blank = found === undefined || found.width === 0;
    extents.set(glyph, blank ? undefined : [found.xBearing / unitsPerEm, (found.xBearing + found.width) / unitsPerEm]);
  }
  return extents.get(glyph);
}

function coverage(face: Face): ReadonlySet<number> {
  return new Set(face.collectUnicodes());
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
