// Inline content as one string with its white space collapsed, and where its lines may end.

import { lineBreaks } from "../../text/line-breaks.ts";
import { type InlineItem, keepsSpace } from "./boxes.ts";
import type { HtmlStyle } from "./style.ts";

type TextItem = Extract<InlineItem, { type: "text" }>;
type BoxItem = Extract<InlineItem, { type: "box" }>;

/** A part of the string that came from one item. */
export type Unit =
  | { readonly type: "text"; readonly from: number; readonly to: number; readonly item: TextItem }
  | { readonly type: "box"; readonly from: number; readonly to: number; readonly item: BoxItem }
  | { readonly type: "edge"; readonly from: number; readonly to: number; readonly widthPx: number };

export interface Paragraph {
  readonly text: string;
  readonly units: readonly Unit[];
  /** Whether a line may end before the character at this place. */
  readonly mayBreak: Uint8Array;
  /** Whether a line must end here; the character itself is not drawn. */
  readonly forced: ReadonlySet<number>;
}

/** Stands for a picture: lines may end at both sides of it. */
const OBJECT = "\ufffc";
const FORCED = "\n";

export function paragraphOf(items: readonly InlineItem[]): Paragraph {
  let text = "";
  const units: Unit[] = [];
  const forced = new Set<number>();
  // White space at the start of a line, and after other white space, collapses to nothing.
  let collapses = true;
  const forceBreak = () => {
    forced.add(text.length);
    text += FORCED;
    collapses = true;
  };
  for (const item of items) {
    if (item.type === "break") forceBreak();
    else if (item.type === "edge")
      units.push({ type: "edge", from: text.length, to: text.length, widthPx: item.widthPx });
    else if (item.type === "box") {
      units.push({ type: "box", from: text.length, to: text.length + 1, item });
      text += OBJECT;
      collapses = false;
    } else {
      for (const [at, part] of shownParts(item).entries()) {
        if (at > 0) forceBreak();
        const shown: string = collapses && !keepsSpace(item.style) ? part.replace(/^ /, "") : part;
        if (shown === "") continue;
        units.push({ type: "text", from: text.length, to: text.length + shown.length, item });
        text += shown;
        collapses = shown.endsWith(" ") && !keepsSpace(item.style);
      }
    }
  }
  return { text, units, forced, mayBreak: opportunities(text, units) };
}

/** Between line ends that the text itself has. */
function shownParts({ text, style }: TextItem): string[] {
  switch (style.whiteSpace) {
    case "pre":
    case "pre-wrap":
    case "break-spaces":
      return text.replace(/\r\n?/g, "\n").replaceAll("\t", "        ").split("\n");
    case "pre-line":
      return text.split(/[ \t\f\r]*\n[ \t\f\r]*/).map((part) => part.replace(/[ \t\r\f]+/g, " "));
    default:
      return [text.replace(/[ \t\r\n\f]+/g, " ")];
  }
}

function opportunities(text: string, units: readonly Unit[]): Uint8Array {
  const mayBreak = lineBreaks(text);
  const styles = styleByPlace(text, units);
  for (let at = 1; at < text.length; at++) {
    const [before, after] = [text[at - 1], text[at]];
    const style = styles[at - 1];
    if (before === " ") mayBreak[at] = after !== " " || style?.whiteSpace === "break-spaces" ? 1 : 0;
    else if (after === " ") mayBreak[at] = 0;
    else if (before === OBJECT || after === OBJECT) mayBreak[at] = 1;
    if (style?.whiteSpace === "nowrap" || style?.whiteSpace === "pre") mayBreak[at] = 0;
    if (style?.overflowWrap === true && isBoundary(text, at)) mayBreak[at] ||= 2;
  }
  return mayBreak;
}

function isBoundary(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return !(code >= 0xdc00 && code <= 0xdfff) && !/^\p{M}/u.test(text.slice(at, at + 2));
}

function styleByPlace(text: string, units: readonly Unit[]): (HtmlStyle | undefined)[] {
  const styles = new Array<HtmlStyle | undefined>(text.length);
  for (const unit of units) if (unit.type !== "edge") styles.fill(unit.item.style, unit.from, unit.to);
  return styles;
}
