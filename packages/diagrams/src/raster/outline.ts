// Texts as paths, shaped by HarfBuzz: resvg joins and orders the letters of half the world's scripts wrongly, and takes any font
// that has a letter. Texts of Latin, Greek and Cyrillic letters that one font draws stay texts, which it draws as well.

import { XmlElement } from "../svg/xml.ts";
import { type GlyphRun, type LoadedFace, Typesetter } from "../text/typesetter.ts";
import { inVisualOrder, isRightToLeft, levelsOf } from "../text/visual-order.ts";
import { inherited, linesOf, pathAttributes, type TextLine, type TextPart } from "./chunks.ts";

// Combining marks too: resvg puts them beside their letters.
const BEYOND_LATIN = /[\u02b0-\u036f\u0483-\u0489\u0530-\u{10ffff}]/u;
/** Of these alone the rasteriser does as well: dashes, quotes, dots, signs of money, arrows that Arimo has. */
const SIMPLE =
  /^[\u0020-\u02af\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u22ff\u2500-\u25ff]*$/u;

/** Where a text has such letters, or all texts (`every`). */
export async function outlineTexts(root: XmlElement, { every = false } = {}): Promise<void> {
  const texts = [...root.descendants()].filter(
    ({ localName, text }) => localName === "text" && (every || BEYOND_LATIN.test(text)),
  );
  if (texts.length === 0) return;
  const typesetter = await Typesetter.load();
  for (const text of texts) {
    const lines = linesOf(text);
    if (lines === undefined || (!every && lines.every((line) => isTrusted(line, typesetter)))) continue;
    const siblings = text.parentElement?.children;
    if (siblings === undefined) continue;
    const group = new XmlElement("g", pathAttributes(text));
    const direction = inherited(text, "direction") === "rtl" ? "rtl" : "ltr";
    for (const child of text.elements) if (child.localName === "title") group.append(child);
    for (const line of lines) for (const path of pathsOf(line, direction, typesetter)) group.append(path);
    siblings[siblings.indexOf(text)] = group;
    group.parentElement = text.parentElement;
  }
}

function isTrusted({ parts }: TextLine, typesetter: Typesetter): boolean {
  return parts.every(({ text, style }) => SIMPLE.test(text) && !isRightToLeft(text) && typesetter.isPlain(text, style));
}

interface Run {
  readonly text: string;
  readonly face: LoadedFace;
  readonly part: TextPart;
  readonly level: number;
}

/** Letters of one part, font and direction, where they stand. */
export interface PlacedRun {
  /** As it is written: of a run from right to left the first letter stands last. */
  readonly text: string;
  readonly isRightToLeft: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly sizePx: number;
}

/** From left to right. */
export function placedRuns(line: TextLine, direction: "ltr" | "rtl", typesetter: Typesetter): PlacedRun[] {
  return laidOut(line, direction, typesetter).map(({ text, level, part, x, width }) => {
    return { text, isRightToLeft: level % 2 === 1, x, y: part.y, width, sizePx: part.style.sizePx };
  });
}

function pathsOf(line: TextLine, direction: "ltr" | "rtl", typesetter: Typesetter): XmlElement[] {
  const paths: XmlElement[] = [];
  for (const { glyphs, face, part, x, width } of laidOut(line, direction, typesetter)) {
    const { style, y, letterSpacingPx } = part;
    const d = glyphs.map((at, count) =>
      glyphPath(at.glyph, face, {
        x: x + at.x * style.sizePx + count * letterSpacingPx,
        y: y - at.y * style.sizePx,
        scale: style.sizePx / face.unitsPerEm,
      }),
    );
    const lines = part.decorations.map((name) => decoration(name, x, y, width, style.sizePx));
    const shape = [...d, ...lines].join("");
    if (shape !== "") paths.push(new XmlElement("path", [...part.attributes, ["d", shape]]));
  }
  return paths;
}

interface LaidOutRun extends Run {
  readonly glyphs: GlyphRun["glyphs"];
  readonly x: number;
  /** In pixels, with the space between letters. */
  readonly width: number;
}

function laidOut(line: TextLine, direction: "ltr" | "rtl", typesetter: Typesetter): LaidOutRun[] {
  const runs = inVisualOrder(runsOf(line, direction, typesetter)).map((run) => ({
    ...run,
    ...typesetter.glyphsOf(run.text, run.face, run.level % 2 === 1),
  }));
  const widths = runs.map(
    ({ width, glyphs, part }) => width * part.style.sizePx + part.letterSpacingPx * glyphs.length,
  );
  const moved = line.parts.reduce((sum, { dx }) => sum + dx, 0);
  const whole = widths.reduce((sum, width) => sum + width, moved);
  let x = line.x - (line.anchor === "middle" ? whole / 2 : line.anchor === "end" ? whole : 0);
  const started = new Set<TextPart>();
  return runs.map((run, index) => {
    if (!started.has(run.part)) x += run.part.dx;
    started.add(run.part);
    const width = widths[index] ?? 0;
    const placed = { ...run, x, width };
    x += width;
    return placed;
  });
}

/** Of one part, level, font and script each, as they are written. */
function runsOf({ parts }: TextLine, direction: "ltr" | "rtl", typesetter: Typesetter): Run[] {
  const levels = levelsOf(parts.map(({ text }) => text).join(""), direction);
  const runs: Run[] = [];
  let from = 0;
  for (const part of parts) {
    let at = from;
    for (const { text, face } of typesetter.partsOf(part.text, part.style)) {
      let start = 0;
      for (let unit = 1; unit <= text.length; unit++) {
        if (unit < text.length && levels[at + unit] === levels[at + start]) continue;
        runs.push({ text: text.slice(start, unit), face, part, level: levels[at + start] ?? 0 });
        start = unit;
      }
      at += text.length;
    }
    from += part.text.length;
  }
  return runs;
}

interface GlyphPlacement {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** A glyph's own path has its y upwards, in units of its font. */
function glyphPath(glyph: number, { font }: LoadedFace, { x, y, scale }: GlyphPlacement): string {
  let path = "";
  for (const { type, values } of font.glyphToJson(glyph)) {
    path += type;
    for (let at = 0; at < values.length; at += 2) {
      const [px, py] = [x + (values[at] ?? 0) * scale, y - (values[at + 1] ?? 0) * scale];
      path += `${at === 0 ? "" : " "}${short(px)} ${short(py)}`;
    }
  }
  return path;
}

function decoration(name: string, x: number, y: number, width: number, sizePx: number): string {
  const from = name === "underline" ? 0.07 : name === "line-through" ? -0.32 : name === "overline" ? -0.95 : undefined;
  if (from === undefined) return "";
  const [top, height] = [y + from * sizePx, 0.07 * sizePx];
  return `M${short(x)} ${short(top)}h${short(width)}v${short(height)}h${short(-width)}Z`;
}

function short(number: number): string {
  return String(Math.round(number * 100) / 100);
}
