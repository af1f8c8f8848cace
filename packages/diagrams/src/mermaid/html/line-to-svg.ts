// One line of a label as an SVG text. Its place is given once, in its middle where it is centred: with a reader's own fonts, of
// other widths, it stays there.

import type { Element } from "../dom/element.ts";
import { create } from "./create.ts";
import type { Line, Piece } from "./laid-out.ts";
import type { HtmlStyle } from "./style.ts";

export function lineAsText(line: Line, near: Element): Element | undefined {
  const pieces = joined(shown(line.pieces));
  const [first] = pieces;
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const [left, right] = [first.x, last.x + last.widthPx];
  const isCentred = line.align === "center" && isUnbroken(pieces);
  const x = isCentred ? (left + right) / 2 : left;
  const anchor = isCentred ? "middle" : "start";
  // What is under or through the first part is not under the others.
  const plain = { ...first.style, decoration: undefined };
  const text = create(near, "text", { x: String(x), y: String(line.baseline), style: declared(plain, anchor) });
  if (pieces.some((piece) => /^ | $| {2}/.test(piece.text))) text.setAttribute("xml:space", "preserve");
  let raisedPx = 0;
  for (const piece of pieces) {
    const part = partOf(piece, plain, raisedPx, near);
    // Between two texts stands a picture: what comes after it has a place of its own.
    if (!isCentred && piece !== first && part !== undefined) part.setAttribute("x", String(piece.x));
    raisedPx = piece.raisedPx;
    text.append(linked(part ?? piece.text, piece, near));
  }
  return text;
}

/** Without the white space at the ends of the line, which is there and not seen. */
function shown(pieces: readonly Piece[]): Piece[] {
  const visible = pieces.filter(({ style }) => !style.isHidden);
  while (visible[0] !== undefined && /^ *$/.test(visible[0].text)) visible.shift();
  for (let last = visible.at(-1); last !== undefined && / $/.test(last.text); last = visible.at(-1)) {
    const text = last.text.replace(/ +$/, "");
    if (text === "") visible.pop();
    else visible[visible.length - 1] = { ...last, text, widthPx: last.widthPx - last.trailPx };
  }
  return visible;
}

/** Neighbours that look alike are one part. */
function joined(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    const isAlike =
      last !== undefined &&
      last.raisedPx === piece.raisedPx &&
      linkOf(last) === linkOf(piece) &&
      declared(last.style, "") === declared(piece.style, "") &&
      Math.abs(last.x + last.widthPx - piece.x) < 0.1;
    if (isAlike)
      found[found.length - 1] = {
        ...last,
        text: last.text + piece.text,
        widthPx: last.widthPx + piece.widthPx,
        trailPx: piece.trailPx,
      };
    else found.push(piece);
  }
  return found;
}

function isUnbroken(pieces: readonly Piece[]): boolean {
  return pieces.every((piece, at) => {
    const before = pieces[at - 1];
    return before === undefined || Math.abs(before.x + before.widthPx - piece.x) < 0.1;
  });
}

function partOf(piece: Piece, around: HtmlStyle, raisedPx: number, near: Element): Element | undefined {
  const style = declared(piece.style, "");
  const dy = raisedPx - piece.raisedPx;
  if (style === declared(around, "") && dy === 0) return undefined;
  const part = create(near, "tspan", { ...(dy !== 0 && { dy: String(dy) }), style });
  part.append(piece.text);
  return part;
}

function linked(content: Element | string, piece: Piece, near: Element): Element | string {
  const link = linkOf(piece);
  if (link === null) return content;
  const target = link.getAttribute("target");
  const anchor = create(near, "a", { href: link.getAttribute("href") ?? "", ...(target !== null && { target }) });
  anchor.append(content);
  return anchor;
}

function linkOf({ owner }: Piece): Element | null {
  return owner.closest("a[href]");
}

/** All of it, and above any stylesheet: the rules for SVG texts are not meant for these. */
function declared(style: HtmlStyle, anchor: string): string {
  const all = {
    fill: style.color,
    stroke: "none",
    "font-family": style.family,
    "font-size": `${style.sizePx}px`,
    "font-weight": String(style.weight),
    "font-style": style.italic ? "italic" : "normal",
    ...(style.decoration !== undefined && { "text-decoration": style.decoration }),
    ...(style.letterSpacingPx !== 0 && { "letter-spacing": `${style.letterSpacingPx}px` }),
    ...(style.opacity !== 1 && { opacity: String(style.opacity) }),
    ...(anchor !== "" && { "text-anchor": anchor, "dominant-baseline": "auto" }),
  };
  return Object.entries(all)
    .map(([property, value]) => `${property}:${value}!important`)
    .join(";");
}
