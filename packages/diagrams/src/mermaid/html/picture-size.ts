// How large a picture in a label is: an icon, a formula, an image.

import { imageSizeOf } from "../../svg/data-image.ts";
import type { Element } from "../dom/element.ts";
import { type HtmlStyle, resolved } from "./style.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** What a browser gives a picture that says nothing and shows nothing. */
const UNKNOWN: Size = { width: 16, height: 16 };

/** `room` is the width of what is around it; undefined where that depends on its content. */
export function pictureSize(element: Element, style: HtmlStyle, room: number | undefined): Size {
  const natural = naturalSize(element);
  const ratio = natural === undefined ? 1 : natural.width / natural.height;
  const [width, height] = [resolved(style.width, room), resolved(style.height, undefined)];
  const most = resolved(style.maxWidth, room) ?? Number.POSITIVE_INFINITY;
  const least = resolved(style.minWidth, room) ?? 0;
  const bounded = (each: number) => Math.max(least, Math.min(most, each));
  if (width !== undefined && height !== undefined) return { width: bounded(width), height };
  if (height !== undefined) return { width: bounded(height * ratio), height };
  const used = bounded(width ?? natural?.width ?? UNKNOWN.width);
  return { width: used, height: used / ratio };
}

function naturalSize(element: Element): Size | undefined {
  if (element.localName === "img") return imageSizeOf(element.getAttribute("src") ?? "");
  const view = (element.getAttribute("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width = 0, height = 0] = view;
  return width > 0 && height > 0 ? { width, height } : undefined;
}
