// How large a picture in a label is: an icon, a formula, an image.

import type { Element } from "../dom/element.ts";
import { type HtmlStyle, resolved } from "./style.ts";

interface BoxSize {
  readonly width: number;
  readonly height: number;
}

/** What a browser gives a picture that says nothing. */
const UNKNOWN: BoxSize = { width: 16, height: 16 };

export function pictureSize(element: Element, style: HtmlStyle): BoxSize {
  const view = (element.getAttribute("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const ratio = view.length === 4 && (view[3] ?? 0) > 0 ? (view[2] ?? 0) / (view[3] ?? 1) : undefined;
  const [width, height] = [resolved(style.width, undefined), resolved(style.height, undefined)];
  const most = resolved(style.maxWidth, undefined) ?? Number.POSITIVE_INFINITY;
  const least = resolved(style.minWidth, undefined) ?? 0;
  const bounded = (each: number) => Math.max(least, Math.min(most, each));
  if (width !== undefined && height !== undefined) return { width: bounded(width), height };
  if (width !== undefined) return { width: bounded(width), height: ratio === undefined ? width : width / ratio };
  if (height !== undefined) return { width: ratio === undefined ? height : height * ratio, height };
  return least > 0 ? { width: least, height: least / (ratio ?? 1) } : UNKNOWN;
}
