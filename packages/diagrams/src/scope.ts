// The names by which the stylesheets of a drawing may address it.

import type { StyleScope } from "./css/selector.ts";
import type { XmlElement } from "./svg/xml.ts";

/** For a drawing that has no name of its own. */
export const OWN_ID = "drawing";
// The names that our engines give. Any other could be one that the page around the drawing uses.
const IDS = new Set(["diagram", "dark-diagram", OWN_ID]);
// D2 names a drawing after its hash.
const OWN_CLASS = /^d2-\d+$/;

export type DrawingScope = Omit<StyleScope, "prefix">;

/** Of the root and of drawings directly in it: D2 nests its drawing, and a light and a dark one stand side by side. */
export function scopeOf(root: XmlElement): DrawingScope {
  const drawings = [root, ...root.elements.filter(({ localName }) => localName === "svg")];
  return {
    ids: new Set([OWN_ID, ...drawings.flatMap((each) => ownId(each) ?? [])]),
    classes: new Set(drawings.flatMap((each) => ownClass(each) ?? [])),
  };
}

/** Where the selectors of this stylesheet belong: the nearest drawing around it that has a name. */
export function prefixOf(style: XmlElement): string {
  for (let at = style.parentElement; at !== null; at = at.parentElement) {
    if (at.localName !== "svg") continue;
    const id = ownId(at);
    if (id !== undefined) return `#${id}`;
    const name = ownClass(at);
    if (name !== undefined) return `.${name}`;
  }
  return `#${OWN_ID}`;
}

export function ownId(element: XmlElement): string | undefined {
  const id = element.attributes.get("id");
  return id !== undefined && IDS.has(id) ? id : undefined;
}

function ownClass(element: XmlElement): string | undefined {
  return element.attributes
    .get("class")
    ?.split(/\s+/)
    .find((name) => OWN_CLASS.test(name));
}
