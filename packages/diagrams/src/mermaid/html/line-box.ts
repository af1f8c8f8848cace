// How high a line is and where its baseline lies: every text in it asks for its line height around its own baseline.

import type { Typesetter } from "../../text/typesetter.ts";
import type { InlineItem } from "./boxes.ts";
import type { ContentLayout } from "./laid-out.ts";
import type { HtmlStyle } from "./style.ts";

/** Above and below the baseline. */
export interface Heights {
  readonly ascentPx: number;
  readonly descentPx: number;
}

export class LineBox {
  readonly #style: HtmlStyle;
  readonly #typesetter: Typesetter;
  #ascentPx: number;
  #descentPx: number;

  /** `style` is that of the block, which asks for the same height of each of its lines. */
  constructor(style: HtmlStyle, typesetter: Typesetter) {
    this.#style = style;
    this.#typesetter = typesetter;
    const strut = heightsOf(style, "", typesetter);
    this.#ascentPx = strut.ascentPx;
    this.#descentPx = strut.descentPx;
  }

  get heights(): Heights {
    return { ascentPx: this.#ascentPx, descentPx: this.#descentPx };
  }

  addText({ style, raisedPx }: Extract<InlineItem, { type: "text" }>, text: string): void {
    const { ascentPx, descentPx } = heightsOf(style, text, this.#typesetter);
    this.#add({ ascentPx: ascentPx + raisedPx, descentPx: descentPx - raisedPx });
  }

  /** A box stands on the baseline by its last line, or by its lower edge, unless its style says otherwise. */
  addBox(item: Extract<InlineItem, { type: "box" }>, laid: ContentLayout): Heights {
    const { height, lines } = laid;
    const below = height - (lines.at(-1)?.baseline ?? height);
    const bottom = item.raisedPx + bottomOf(item.style.verticalAlign, height, below, this.#style, this.#typesetter);
    const heights = { ascentPx: height + bottom, descentPx: -bottom };
    this.#add(heights);
    return heights;
  }

  #add({ ascentPx, descentPx }: Heights): void {
    this.#ascentPx = Math.max(this.#ascentPx, ascentPx);
    this.#descentPx = Math.max(this.#descentPx, descentPx);
  }
}

/** With the leading that the line height adds, half of it above, in whole pixels. */
function heightsOf(style: HtmlStyle, text: string, typesetter: Typesetter): Heights {
  const own = typesetter.linePx(style);
  const { lineHeight } = style;
  if (lineHeight.type === "normal") {
    return typesetter.linesPx(text, style).reduce<Heights>(
      (most, { ascentPx, descentPx, gapPx }) => {
        const each = withLeading({ ascentPx, descentPx }, ascentPx + descentPx + gapPx);
        return {
          ascentPx: Math.max(most.ascentPx, each.ascentPx),
          descentPx: Math.max(most.descentPx, each.descentPx),
        };
      },
      { ascentPx: 0, descentPx: 0 },
    );
  }
  return withLeading(own, lineHeight.type === "px" ? lineHeight.value : lineHeight.value * style.sizePx);
}

function withLeading({ ascentPx, descentPx }: Heights, heightPx: number): Heights {
  const above = ascentPx + Math.floor((heightPx - ascentPx - descentPx) / 2);
  return { ascentPx: above, descentPx: heightPx - above };
}

/** How far above the baseline the lower edge of a box is. */
function bottomOf(
  align: HtmlStyle["verticalAlign"],
  heightPx: number,
  belowPx: number,
  parent: HtmlStyle,
  typesetter: Typesetter,
): number {
  const { ascentPx, descentPx } = typesetter.linePx(parent);
  switch (align.type) {
    case "px":
      return align.value;
    case "middle":
      return (typesetter.xHeight() * parent.sizePx) / 2 - heightPx / 2;
    case "sub":
      return -(parent.sizePx / 5 + 1);
    case "super":
      return parent.sizePx / 3 + 1;
    case "text-top":
    case "top":
      return ascentPx - heightPx;
    case "text-bottom":
    case "bottom":
      return -descentPx;
    default:
      return -belowPx;
  }
}
