// Turns a drawing's stylesheets into attributes, for rasterisers that know little CSS. What they cannot draw is written in
// the way they can: variables replaced, reversed arrow heads as markers of their own.

import { placeLines } from "./flat/lines.ts";
import { removeDeadReferences, reverseMarkers } from "./flat/references.ts";
import { FLATTENED, flattenStyles } from "./flat/styles.ts";
import { XmlElement } from "./svg/xml.ts";

export interface Families {
  readonly sans: string;
  readonly mono: string;
}

export function flatten(root: XmlElement, families: Families): void {
  flattenStyles(root, { scheme: "light", family: (list) => knownFamily(list, families) });
  placeLines(root);
  reverseMarkers(root);
  removeDeadReferences(root);
  handDown(root);
}

/** resvg overlooks what the root says of colours and letters; of a group it believes it. */
function handDown(root: XmlElement): void {
  const said = [...root.attributes].filter(
    ([name]) => FLATTENED.has(name) && name !== "overflow" && name !== "display",
  );
  if (said.length === 0) return;
  const group = new XmlElement("g", said);
  for (const child of root.children.splice(0)) group.append(child);
  root.append(group);
}

/** The rasteriser has our font files only, so it gets the family name of one of them. */
function knownFamily(list: string, { sans, mono }: Families): string {
  if (/source code|mono|courier|consolas|menlo/i.test(list)) return mono;
  if (/source sans|d2-\d+-font/i.test(list)) return `Source Sans Pro, ${sans}`;
  return sans;
}
