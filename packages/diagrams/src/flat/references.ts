// What parts of a drawing refer to by name: arrow heads, shadows, gradients, clips.

import { XmlElement } from "../svg/xml.ts";

const REFERRING = ["filter", "clip-path", "mask", "marker-start", "marker-mid", "marker-end"];
const ONLY_REFERRED_TO = new Set("marker filter linearGradient radialGradient clipPath mask pattern symbol".split(" "));

/** A browser overlooks a filter that is not there; resvg then hides what it should filter. */
export function removeDeadReferences(root: XmlElement): void {
  const all = [root, ...root.descendants()];
  const ids = new Set(all.map((element) => element.attributes.get("id")));
  for (const element of all) {
    for (const name of REFERRING) {
      const [, id] = /^url\(#(.*)\)$/.exec(element.attributes.get(name) ?? "") ?? [];
      if (id !== undefined && !ids.has(id)) element.attributes.delete(name);
    }
  }
}

/** orient="auto-start-reverse" turns a marker round at the start of a line; as a marker of its own, turned once, it is known to all. */
export function reverseMarkers(root: XmlElement): void {
  const all = [...root.descendants()];
  const reversible = all.filter(
    (each) => each.localName === "marker" && each.attributes.get("orient") === "auto-start-reverse",
  );
  if (reversible.length === 0) return;
  for (const marker of reversible) {
    const id = marker.attributes.get("id") ?? "";
    marker.attributes.set("orient", "auto");
    const starts = all.filter((each) => each.attributes.get("marker-start") === `url(#${id})`);
    if (starts.length === 0) continue;
    const turned = new XmlElement("marker", marker.attributes);
    turned.attributes.set("id", `${id}-reversed`);
    const [refX, refY] = [turned.attributes.get("refX") ?? "0", turned.attributes.get("refY") ?? "0"];
    const group = new XmlElement("g", [
      ["transform", `rotate(180 ${Number.parseFloat(refX) || 0} ${Number.parseFloat(refY) || 0})`],
    ]);
    for (const child of marker.children) group.append(child instanceof XmlElement ? clone(child) : child);
    turned.append(group);
    turned.attributes.set("overflow", "visible");
    marker.parentElement?.append(turned);
    for (const element of starts) element.attributes.set("marker-start", `url(#${id}-reversed)`);
  }
}

/** Mermaid writes all its arrow heads and shadows into every drawing. `trees` are the same drawing in its two sets of colours. */
export function removeUnused(trees: readonly XmlElement[]): void {
  for (let pass = 0; pass < 4; pass++) {
    const used = new Set(trees.flatMap(referredTo));
    const removed = trees.map((root) => removeFrom(root, used));
    if (!removed.includes(true)) return;
  }
}

function referredTo(root: XmlElement): string[] {
  const found: string[] = [];
  for (const { attributes } of [root, ...root.descendants()])
    for (const [name, value] of attributes) {
      if (/href$/.test(name) && value.startsWith("#")) found.push(value.slice(1));
      else if (value.includes("url("))
        for (const [, id = ""] of value.matchAll(/url\(["']?#([^)"']+)/g)) found.push(id);
    }
  return found;
}

function removeFrom(element: XmlElement, used: ReadonlySet<string>): boolean {
  const isUnused = (child: XmlElement | string) => {
    if (typeof child === "string") return false;
    if (child.localName === "defs" && child.elements.length === 0) return true;
    return ONLY_REFERRED_TO.has(child.localName) && !used.has(child.attributes.get("id") ?? "");
  };
  const kept = element.children.filter((child) => !isUnused(child));
  const hasChanged = kept.length < element.children.length;
  if (hasChanged) element.children.splice(0, element.children.length, ...kept);
  return element.elements.reduce((changed, child) => removeFrom(child, used) || changed, hasChanged);
}

export function clone(element: XmlElement): XmlElement {
  const copy = new XmlElement(element.localName, element.attributes);
  for (const child of element.children) copy.append(child instanceof XmlElement ? clone(child) : child);
  return copy;
}
