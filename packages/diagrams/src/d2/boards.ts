// A D2 source can have several boards: layers, scenarios and steps, each with boards of its own. All of them become one drawing,
// below each other, with their paths as titles.

import { viewOf } from "../frame.ts";
import { XmlElement } from "../svg/xml.ts";

/** What D2's compiler gives, as far as boards are concerned. */
export interface BoardTree {
  readonly name?: string;
  /** Undefined or false: the board itself is drawn, not only those below it. */
  readonly isFolderOnly?: boolean;
  readonly layers?: readonly BoardTree[] | null;
  readonly scenarios?: readonly BoardTree[] | null;
  readonly steps?: readonly BoardTree[] | null;
}

export interface Board {
  /** D2's path: `layers.inside.steps.1`; empty for the first board. */
  readonly path: string;
}

export const MOST_BOARDS = 50;

/** In the order of the source, the first board first. */
export function boardsOf(tree: BoardTree, path = ""): Board[] {
  const own = tree.isFolderOnly === true ? [] : [{ path }];
  const below = (["layers", "scenarios", "steps"] as const).flatMap((kind) =>
    (tree[kind] ?? []).flatMap((board) => boardsOf(board, `${path === "" ? "" : `${path}.`}${kind}.${board.name}`)),
  );
  return [...own, ...below];
}

/** Names the board that an element at the top of a drawing of several belongs to. */
export const BOARD = "data-board";
const GAP_PX = 40;
const TITLE_PX = 28;

/** One drawing of several, each the root element that D2 gives. A single one is left as it is. */
export function stacked(boards: readonly { readonly path: string; readonly root: XmlElement }[]): XmlElement {
  const [first] = boards;
  if (first !== undefined && boards.length === 1) return first.root;
  const all = new XmlElement("svg", [["xmlns", "http://www.w3.org/2000/svg"]]);
  let [y, widest] = [0, 0];
  for (const { path, root } of boards) {
    const { width, height } = viewOf(root);
    const top = y;
    const boardName = path === "" ? "root" : path;
    if (path !== "") {
      all.append(title(path, y + TITLE_PX * 0.7));
      y += TITLE_PX;
    }
    const inner = root.elements.find(({ localName }) => localName === "svg") ?? root;
    for (const [name, value] of Object.entries({ x: 0, y, width, height, [BOARD]: boardName, [`${BOARD}-top`]: top }))
      inner.attributes.set(name, String(value));
    all.append(inner);
    y += height + GAP_PX;
    widest = Math.max(widest, width);
  }
  all.attributes.set("viewBox", `0 0 ${widest} ${Math.max(1, y - GAP_PX)}`);
  return all;
}

function title(text: string, y: number): XmlElement {
  const style = "fill:#676c7e;stroke:none;font-family:Arimo,Arial,Helvetica,sans-serif;font-size:14px;font-weight:700";
  const element = new XmlElement("text", [
    ["x", "20"],
    ["y", String(y)],
    ["style", style],
    [BOARD, text],
  ]);
  element.append(text);
  return element;
}
