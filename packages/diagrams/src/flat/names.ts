// Ids and titles. Two drawings inline in one page share its names, so every name of a drawing begins with a hash of it: what
// one refers to is never the other's.

import { hash } from "node:crypto";
import { writeXml, XmlElement } from "../svg/xml.ts";

const LISTS_OF_IDS = new Set(["aria-labelledby", "aria-describedby"]);
const HASH_CHARS = 10;

/** The id of a drawing: the same for the same drawing. A letter comes first, as CSS asks of a name. */
export function drawingId(trees: readonly XmlElement[]): string {
  const digest = hash("sha256", trees.map(writeXml).join("\n"), "hex");
  return `d${digest.slice(0, HASH_CHARS)}`;
}

export function renameIds(root: XmlElement, id: string): void {
  const all = [root, ...root.descendants()];
  const names = new Map(
    all.flatMap(({ attributes }) => attributes.get("id") ?? []).map((name) => [name, `${id}-${name}`]),
  );
  const own = root.attributes.get("id");
  if (own !== undefined) names.set(own, id);
  const renamed = (name: string) => names.get(name) ?? name;
  for (const { attributes } of all) {
    for (const [name, value] of attributes) {
      if (name === "id") attributes.set(name, renamed(value));
      else if (LISTS_OF_IDS.has(name)) attributes.set(name, value.split(" ").map(renamed).join(" "));
      else if (/href$/.test(name)) {
        if (value.startsWith("#")) attributes.set(name, `#${renamed(value.slice(1))}`);
      } else if (value.includes("url(")) {
        const plain = value.replace(
          /url\((["']?)#([^)"']+)\1\)/g,
          (_, __, target: string) => `url(#${renamed(target)})`,
        );
        attributes.set(name, plain);
      }
    }
  }
  root.attributes.delete("id");
  // First, where people look for it.
  const rest = [...root.attributes];
  root.attributes.clear();
  for (const [name, value] of [["id", id] as const, ...rest]) root.attributes.set(name, value);
}

/** A tooltip that an engine left in an attribute, which only HTML shows, as an element that every viewer knows. */
export function shownTitles(root: XmlElement): void {
  for (const element of root.descendants()) {
    const said = element.attributes.get("title") ?? element.attributes.get("xlink:title");
    element.attributes.delete("title");
    element.attributes.delete("xlink:title");
    if (said === undefined || said.trim() === "" || element.elements.some(({ localName }) => localName === "title"))
      continue;
    const title = new XmlElement("title");
    title.append(said);
    title.parentElement = element;
    element.children.unshift(title);
  }
}

/** Inkscape and older viewers know links by their old name alone, and browsers know both. */
export function oldLinks(root: XmlElement): void {
  let found = false;
  for (const { attributes } of root.descendants()) {
    const address = attributes.get("href");
    if (address !== undefined) {
      attributes.delete("href");
      attributes.set("xlink:href", address);
    }
    found ||= attributes.has("xlink:href");
  }
  if (found) root.attributes.set("xmlns:xlink", "http://www.w3.org/1999/xlink");
}
