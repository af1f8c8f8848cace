// A drawing of several boards becomes a file of several pages.

import { BOARD } from "../d2/boards.ts";
import { clone } from "../flat/references.ts";
import { viewOf } from "../frame.ts";
import type { XmlElement } from "../svg/xml.ts";

/** One drawing for each page, with the size of the page. What belongs to no board, such as the ground, is on all of them. */
export function pagesOf(root: XmlElement): XmlElement[] {
  const paths = [...new Set(root.elements.flatMap((each) => each.attributes.get(BOARD) ?? []))];
  return paths.length < 2 ? [root] : paths.map((path) => pageOf(root, path));
}

function pageOf(root: XmlElement, path: string): XmlElement {
  const page = clone(root);
  const isElsewhere = (board: string | undefined) => board !== undefined && board !== path;
  const kept = page.children.filter((each) => typeof each === "string" || !isElsewhere(each.attributes.get(BOARD)));
  page.children.splice(0, page.children.length, ...kept);
  const own = page.elements.filter(({ attributes }) => attributes.get(BOARD) === path);
  const board = own.find(({ localName }) => localName === "svg");
  if (board === undefined) return page;
  const side = (name: string) => Number(board.attributes.get(name)) || 0;
  // Its title stands in a line above it.
  const top = Number(board.attributes.get(`${BOARD}-top`) ?? side("y"));
  const [width, height] = [side("width"), side("y") + side("height") - top];
  const whole = viewOf(root);
  const scale = (Number(root.attributes.get("width")) || whole.width) / whole.width;
  page.attributes.set("viewBox", `${side("x")} ${top} ${width} ${height}`);
  page.attributes.set("width", String(width * scale));
  page.attributes.set("height", String(height * scale));
  return page;
}
