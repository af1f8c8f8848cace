// Lines of inline content in a given width: greedy, by whole words, as browsers fill them.

import type { Typesetter } from "../../text/typesetter.ts";
import { type BlockBox, keepsSpace } from "./boxes.ts";
import { type ContentLayout, type Ground, type Line, moved, NOTHING, type Piece, together } from "./laid-out.ts";
import { type Heights, LineBox } from "./line-box.ts";
import { type Paragraph, paragraphOf, type Unit } from "./paragraph.ts";
import type { HtmlStyle } from "./style.ts";

type BoxUnit = Extract<Unit, { type: "box" }>;

export interface InlineContext {
  readonly typesetter: Typesetter;
  /** What stands in a line as a box. */
  readonly layoutBox: (item: BoxUnit["item"], room: number | undefined) => ContentLayout;
  /** The width of the block; undefined while that is looked for. */
  readonly room?: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
  /** Without the white space at its end that takes no room. */
  readonly shownTo: number;
}

type Inline = Extract<BlockBox["content"], { type: "inline" }>;

export function minContentPx(content: Inline, context: InlineContext): number {
  const paragraph = paragraphOf(content.items);
  let widest = 0;
  let from = 0;
  for (let at = 1; at <= paragraph.text.length; at++) {
    const ends = at === paragraph.text.length || paragraph.mayBreak[at] === 1 || paragraph.forced.has(at);
    if (!ends) continue;
    widest = Math.max(widest, widthPx(paragraph, from, shownEnd(paragraph, from, at), context));
    from = paragraph.forced.has(at) ? at + 1 : at;
  }
  return widest;
}

export function maxContentPx(content: Inline, context: InlineContext): number {
  const paragraph = paragraphOf(content.items);
  const lines = rangesOf(paragraph, Number.POSITIVE_INFINITY, context);
  return Math.max(0, ...lines.map(({ from, shownTo }) => widthPx(paragraph, from, shownTo, context)));
}

export function layoutInline(content: Inline, style: HtmlStyle, width: number, context: InlineContext): ContentLayout {
  const paragraph = paragraphOf(content.items);
  const lines: Line[] = [];
  const grounds: Ground[] = [];
  const boxes: ContentLayout[] = [];
  let y = 0;
  for (const range of rangesOf(paragraph, width, context)) {
    const used = widthPx(paragraph, range.from, range.shownTo, context);
    const align = alignOf(style);
    const space = Math.max(0, width - used);
    const left = align === "center" ? floor64(space / 2) : align === "right" ? space : 0;
    const { pieces, inside, heights } = fill(paragraph, range, left, new LineBox(style, context.typesetter), context);
    const baseline = y + heights.ascentPx;
    for (const piece of pieces) grounds.push(...groundOf(piece, baseline, style, context.typesetter));
    for (const { laid, x, aboveBaseline } of inside) boxes.push(moved(laid, x, baseline - aboveBaseline));
    if (pieces.length > 0) lines.push({ x: left, baseline, widthPx: used, align, pieces });
    y += heights.ascentPx + heights.descentPx;
  }
  const own = { ...NOTHING, width, height: y, lines, grounds };
  return boxes.length === 0 ? own : together(own, [own, ...boxes]);
}

interface InlineContent {
  readonly laid: ContentLayout;
  readonly x: number;
  readonly aboveBaseline: number;
}

/** One line, from its left end. */
function fill(
  paragraph: Paragraph,
  range: Range,
  left: number,
  box: LineBox,
  { typesetter, layoutBox, room }: InlineContext,
): { pieces: Piece[]; inside: InlineContent[]; heights: Heights } {
  const pieces: Piece[] = [];
  const inside: InlineContent[] = [];
  let x = left;
  for (const unit of unitsIn(paragraph, range)) {
    const [from, to] = [Math.max(unit.from, range.from), Math.min(unit.to, range.shownTo)];
    if (unit.type === "edge") x += unit.widthPx;
    else if (unit.type === "box") {
      const laid = layoutBox(unit.item, room);
      inside.push({ laid, x, aboveBaseline: box.addBox(unit.item, laid).ascentPx });
      x += laid.width;
    } else if (to > from) {
      const { item } = unit;
      const text = paragraph.text.slice(from, to);
      const pieceWidth = textPx(text, item.style, typesetter);
      box.addText(item, text);
      const { style, owner, raisedPx } = item;
      // Spaces that are kept have their room, and are no part of what is drawn.
      const [lead = ""] = /^ +(?=[^ ])/.exec(text) ?? [];
      const leadPx = lead === "" ? 0 : textPx(lead, style, typesetter);
      if (lead !== "") pieces.push({ text: lead, style, owner, x, widthPx: leadPx, trailPx: leadPx, raisedPx });
      const rest = text.slice(lead.length);
      const [trail = ""] = / +$/.exec(rest) ?? [];
      const trailPx = trail === "" ? 0 : textPx(trail, style, typesetter);
      pieces.push({ text: rest, style, owner, x: x + leadPx, widthPx: pieceWidth - leadPx, trailPx, raisedPx });
      x += pieceWidth;
    }
  }
  return { pieces, inside, heights: box.heights };
}

/** Behind a word in an element with a ground of its own; that of the block is the block's matter. */
function groundOf(
  { style, x, widthPx: width, raisedPx }: Piece,
  baseline: number,
  block: HtmlStyle,
  typesetter: Typesetter,
): Ground[] {
  if (style.background === undefined || style === block || isBlockLevel(style)) return [];
  const { ascentPx, descentPx } = typesetter.linePx(style);
  const y = baseline - raisedPx - ascentPx;
  return [{ x, y, width, height: ascentPx + descentPx, fill: style.background, opacity: style.opacity }];
}

function isBlockLevel({ display }: HtmlStyle): boolean {
  return display !== "inline";
}

function alignOf({ textAlign }: HtmlStyle): Line["align"] {
  return textAlign === "center" ? "center" : textAlign === "right" || textAlign === "end" ? "right" : "left";
}

function rangesOf(paragraph: Paragraph, available: number, context: InlineContext): Range[] {
  const { text, forced } = paragraph;
  const ranges: Range[] = [];
  const ends = [...forced, text.length];
  let from = 0;
  while (from < text.length) {
    while ((ends[0] ?? text.length) < from) ends.shift();
    const end = ends[0] ?? text.length;
    const to = available === Number.POSITIVE_INFINITY ? end : lineEnd(paragraph, from, end, available, context);
    ranges.push({ from, to, shownTo: shownEnd(paragraph, from, to) });
    from = to;
    if (forced.has(from)) from++;
    else while (text[from] === " " && !isKept(paragraph, from)) from++;
  }
  return ranges;
}

/** The last place where the line may end and still fits; if none does, the first one. */
function lineEnd(paragraph: Paragraph, from: number, end: number, available: number, context: InlineContext): number {
  const fits = (to: number) => widthPx(paragraph, from, shownEnd(paragraph, from, to), context) <= available;
  let best: number | undefined;
  let anywhere: number | undefined;
  for (let at = from + 1; at <= end; at++) {
    const may = at === end ? 1 : paragraph.mayBreak[at];
    if (may === 0 || may === undefined) continue;
    if (!fits(at)) return best ?? anywhere ?? at;
    if (may === 1) best = at;
    else anywhere = at;
  }
  return best ?? end;
}

function shownEnd(paragraph: Paragraph, from: number, to: number): number {
  let at = to;
  while (at > from && paragraph.text[at - 1] === " " && !isKept(paragraph, at - 1)) at--;
  return at;
}

function isKept({ units }: Paragraph, at: number): boolean {
  const unit = units.find((each) => each.type === "text" && each.from <= at && at < each.to);
  return unit?.type === "text" && keepsSpace(unit.item.style);
}

function unitsIn({ units }: Paragraph, { from, shownTo }: Range): Unit[] {
  return units.filter((unit) =>
    unit.type === "edge" ? unit.from >= from && unit.from <= shownTo : unit.to > from && unit.from < shownTo,
  );
}

function widthPx(paragraph: Paragraph, from: number, to: number, context: InlineContext): number {
  let width = 0;
  for (const unit of unitsIn(paragraph, { from, to, shownTo: to })) {
    if (unit.type === "edge") width += unit.widthPx;
    else if (unit.type === "box") width += context.layoutBox(unit.item, context.room).width;
    else {
      const text = paragraph.text.slice(Math.max(unit.from, from), Math.min(unit.to, to));
      width += textPx(text, unit.item.style, context.typesetter);
    }
  }
  return width;
}

/** Browsers lay out in 64ths of a pixel, and round the width of a text up. */
function textPx(text: string, style: HtmlStyle, typesetter: Typesetter): number {
  const spacing = style.letterSpacingPx === 0 ? 0 : style.letterSpacingPx * [...text].length;
  return Math.ceil(Math.fround(typesetter.widthPx(text, style) + spacing) * 64) / 64;
}

function floor64(px: number): number {
  return Math.floor(px * 64) / 64;
}
