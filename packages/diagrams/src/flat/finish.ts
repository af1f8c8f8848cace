// The last step of a drawing: one SVG that browsers, librsvg, Inkscape and office programs show alike, with names of its own.

import { XmlElement } from "../svg/xml.ts";
import { alphabeticBaselines, placeLines, shownSpaces } from "./lines.ts";
import { drawingId, oldLinks, renameIds, shownTitles } from "./names.ts";
import { opaqueLabelGrounds, plainOpacity } from "./opacity.ts";
import { clone, removeDeadReferences, removeUnused, reverseMarkers } from "./references.ts";
import { plainShadows } from "./shadows.ts";
import { flattenStyles } from "./styles.ts";
import { darkRules, keptRules } from "./stylesheet.ts";

/** `root` has been through `sanitise` and `frame`, and is changed. */
export function finishDrawing(root: XmlElement): void {
  for (const element of root.descendants()) element.attributes.delete("data-points");
  shownTitles(root);
  const { fonts, frames } = keptRules(root);
  const dark = hasDarkRules(root) ? clone(root) : undefined;
  const trees = dark === undefined ? [root] : [root, dark];
  for (const [at, tree] of trees.entries()) plain(tree, at === 0 ? "light" : "dark");
  removeUnused(trees);
  const id = drawingId(trees);
  for (const tree of trees) renameIds(tree, id);
  const isMoving = frames !== "" && trees.some((tree) => [...tree.descendants()].some(isAnimated));
  const css = fonts + (isMoving ? frames : "") + (dark === undefined ? "" : darkRules(root, dark, id));
  if (css !== "") addStyle(root, css);
  oldLinks(root);
}

function plain(tree: XmlElement, scheme: "light" | "dark"): void {
  flattenStyles(tree, { scheme, family: namedFamily });
  placeLines(tree);
  alphabeticBaselines(tree);
  shownSpaces(tree);
  reverseMarkers(tree);
  removeDeadReferences(tree);
  plainShadows(tree);
  plainOpacity(tree);
  opaqueLabelGrounds(tree);
}

function hasDarkRules(root: XmlElement): boolean {
  for (const element of root.descendants())
    if (element.localName === "style" && element.text.includes("prefers-color-scheme")) return true;
  return false;
}

function isAnimated({ attributes }: XmlElement): boolean {
  return attributes.get("style")?.includes("animation") === true;
}

/** D2 names the fonts that it puts into a drawing after its hash. A viewer that reads none of them needs a name it knows. */
function namedFamily(list: string): string {
  if (!/^["']?d2-\d+-font-[\w-]+["']?$/.test(list)) return list;
  const rest = /mono/.test(list)
    ? '"Source Code Pro",Cousine,"Courier New",monospace'
    : '"Source Sans Pro","Source Sans 3",Arimo,Arial,Helvetica,sans-serif';
  return `${list},${rest}`;
}

function addStyle(root: XmlElement, css: string): void {
  const style = new XmlElement("style");
  style.append(css);
  style.parentElement = root;
  root.children.unshift(style);
}
