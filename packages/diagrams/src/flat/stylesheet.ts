// The one stylesheet that a flattened drawing may have: what attributes cannot say. Its fonts, its animations, and the colours
// for readers in the dark, each rule under the drawing's own id.

import { parseStylesheet } from "../svg/css.ts";
import type { XmlElement } from "../svg/xml.ts";
import { FLATTENED } from "./styles.ts";

/** Of the properties that a dark drawing changes, those that a child takes from its parent. */
const NOT_INHERITED = new Set(
  "opacity display overflow clip-path mask filter flood-color flood-opacity stop-color stop-opacity transform".split(
    " ",
  ),
);

/** Fonts and animations as they stand in the stylesheets of a drawing. */
export function keptRules(root: XmlElement): { readonly fonts: string; readonly frames: string } {
  let fonts = "";
  let frames = "";
  for (const element of [root, ...root.descendants()]) {
    if (element.localName !== "style") continue;
    for (const rule of parseStylesheet(element.text)) {
      if (rule.type !== "at" || rule.body === undefined) continue;
      if (rule.name === "keyframes") frames += `@keyframes ${rule.prelude}{${rule.body}}`;
      if (rule.name === "font-face")
        fonts += `@font-face{${rule.body}${WEIGHTS}${/italic/.test(rule.body) ? SLANT : ""}}`;
    }
  }
  return { fonts, frames };
}

// The family of a font of D2 says its weight. A viewer that has the font must not make it bolder than it is.
const WEIGHTS = ";font-weight:100 900";
const SLANT = ";font-style:italic";

/** Marks in both trees what differs in the dark; the rules for it, under the drawing's id. */
export function darkRules(light: XmlElement, dark: XmlElement, id: string): string {
  const marks = new Map<string, string>();
  const walk = (one: XmlElement, other: XmlElement) => {
    const body = differences(one, other);
    if (body !== "") {
      const mark = marks.get(body) ?? `dark-${marks.size}`;
      marks.set(body, mark);
      one.attributes.set("class", `${one.attributes.get("class") ?? ""} ${mark}`.trim());
    }
    const [children, others] = [one.elements, other.elements];
    for (const [at, child] of children.entries()) {
      const partner = others[at];
      if (partner !== undefined) walk(child, partner);
    }
  };
  walk(light, dark);
  if (marks.size === 0) return "";
  const rules = [...marks].map(([body, mark]) => `#${id} .${mark},#${id}.${mark}{${body}}`);
  return `@media (prefers-color-scheme:dark){${rules.join("")}}`;
}

function differences(light: XmlElement, dark: XmlElement): string {
  let body = "";
  const names = new Set([...light.attributes.keys(), ...dark.attributes.keys()]);
  for (const name of names) {
    const value = dark.attributes.get(name);
    if (!FLATTENED.has(name) || light.attributes.get(name) === value) continue;
    body += `${name}:${value ?? (NOT_INHERITED.has(name) ? "initial" : "inherit")};`;
  }
  return body;
}
