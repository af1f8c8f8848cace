// Blocks below each other, tables, and boxes whose content is in their middle: what the labels of diagrams are made of.

import type { Typesetter } from "../../text/typesetter.ts";
import type { Element } from "../dom/element.ts";
import { type BlockBox, blockOf, type StyleOf } from "./boxes.ts";
import { type InlineContext, layoutInline, maxContentPx, minContentPx } from "./inline-layout.ts";
import { type ContentLayout, type Ground, moved, NOTHING, type Rectangle, together } from "./laid-out.ts";
import { withMarker } from "./marker.ts";
import { pictureSize } from "./picture-size.ts";
import { type HtmlStyle, resolved } from "./style.ts";
import { layoutTable, tableWidths } from "./table-layout.ts";

/** What a box is laid out in. An unknown height is undefined, and shares of it count for nothing. */
export interface Room {
  readonly width: number;
  readonly height: number | undefined;
}

export class BlockLayout {
  readonly #styleOf: StyleOf;
  readonly #inline: InlineContext;

  constructor(styleOf: StyleOf, typesetter: Typesetter) {
    this.#styleOf = styleOf;
    this.#inline = { typesetter, layoutBox: ({ element, style }, room) => this.#layoutBox(element, style, room) };
  }

  /** A box with its padding; the margin is its parent's matter. */
  layout(box: BlockBox, room: Room): ContentLayout {
    const { style, element } = box;
    const width = this.usedWidth(box, room);
    const given = resolved(style.height, room.height);
    const laid = this.#filled(box, width, given);
    const height = Math.max(laid.height, given ?? 0);
    const place: Rectangle = { x: 0, y: 0, width: laid.width, height };
    const ground = groundOf(style, place);
    const own: ContentLayout = { ...NOTHING, grounds: ground, places: element === undefined ? [] : [[element, place]] };
    return together({ width: laid.width, height }, [own, laid]);
  }

  usedWidth(box: BlockBox, room: Room): number {
    const { style } = box;
    const { display, margin } = style;
    const given = resolved(style.width, room.width);
    const most = resolved(style.maxWidth, room.width) ?? Number.POSITIVE_INFINITY;
    const least = resolved(style.minWidth, room.width) ?? 0;
    const bounded = (width: number) => Math.max(least, Math.min(most, width));
    if (display === "table" || display === "inline-table") {
      const [min, max] = this.contentWidths(box);
      // A table is never narrower than its widest word.
      return Math.max(min, bounded(given ?? Math.min(max, room.width)));
    }
    if (display === "table-cell" || display.startsWith("inline-") || display === "fit") {
      const [min, max] = this.contentWidths(box);
      return bounded(given ?? Math.max(min, Math.min(max, room.width)));
    }
    return bounded(given ?? Math.max(0, room.width - margin.left - margin.right));
  }

  /** The widths without any and with every line break, with the padding. */
  contentWidths(box: BlockBox): readonly [min: number, max: number] {
    const { style, content } = box;
    const sides = style.padding.left + style.padding.right;
    if (isTable(box)) {
      const [min, max] = tableWidths(box, this);
      return [min + sides, max + sides];
    }
    if (content.type === "inline")
      return [minContentPx(content, this.#inline) + sides, maxContentPx(content, this.#inline) + sides];
    const each = content.boxes.map((child) => {
      const [min, max] = this.contentWidths(child);
      const given = resolved(child.style.width, undefined);
      const around = child.style.margin.left + child.style.margin.right;
      return [(given ?? min) + around, (given ?? max) + around] as const;
    });
    return [Math.max(0, ...each.map(([min]) => min)) + sides, Math.max(0, ...each.map(([, max]) => max)) + sides];
  }

  /** The content in its padding, as high as it is; in a cell or a flexible box of a given height, where that puts it. */
  #filled(box: BlockBox, width: number, height: number | undefined): ContentLayout {
    const { style } = box;
    const { padding } = style;
    const inner = { width: width - padding.left - padding.right, height };
    const laid = isTable(box) ? layoutTable(box, inner, this) : this.#content(box, inner);
    const full = laid.height + padding.top + padding.bottom;
    const free = Math.max(0, (height ?? 0) - full);
    const isMiddle =
      style.display === "table-cell" ? style.verticalAlign.type === "middle" : style.alignItems === "center";
    const down = padding.top + (isMiddle ? free / 2 : 0);
    return together({ width, height: full }, [moved(laid, padding.left, down)]);
  }

  #content(box: BlockBox, room: Room): ContentLayout {
    const { content, style } = box;
    const isFlex = style.display.endsWith("flex");
    if (content.type === "inline") {
      const shown = isFlex && style.justifyContent === "center" ? { ...style, textAlign: "center" as const } : style;
      return withMarker(
        layoutInline(content, shown, room.width, { ...this.#inline, room: room.width }),
        box,
        this.#inline.typesetter,
      );
    }
    return withMarker(this.#stacked(content.boxes, room), box, this.#inline.typesetter);
  }

  /** Margins of neighbours collapse: the larger one counts. */
  #stacked(boxes: readonly BlockBox[], room: Room): ContentLayout {
    const parts: ContentLayout[] = [];
    let y = 0;
    let pending = 0;
    for (const box of boxes) {
      const { margin } = box.style;
      const laid = this.layout(box, room);
      if (laid.height > 0 || laid.lines.length > 0) {
        y += Math.max(pending, margin.top);
        parts.push(moved(laid, box.style.margin.left, y));
        y += laid.height;
        pending = margin.bottom;
      } else pending = Math.max(pending, margin.top, margin.bottom);
    }
    return together({ width: room.width, height: y + pending }, parts);
  }

  #layoutBox(element: Element, style: HtmlStyle, room: number | undefined): ContentLayout {
    if (element.localName === "svg" || element.localName === "img") {
      const size = pictureSize(element, style, room);
      return { ...NOTHING, ...size, pictures: [{ x: 0, y: 0, ...size, element, style }] };
    }
    return this.layout(blockOf(element, this.#styleOf), { width: Number.POSITIVE_INFINITY, height: undefined });
  }
}

export function isTable({ style, content }: BlockBox): boolean {
  const isTabular = /^(?:inline-)?table$/.test(style.display);
  return isTabular && content.type === "blocks" && content.boxes.some((box) => /^table-/.test(box.style.display));
}

export function groundOf({ background, opacity }: HtmlStyle, place: Rectangle): Ground[] {
  return background === undefined ? [] : [{ ...place, fill: background, opacity }];
}
