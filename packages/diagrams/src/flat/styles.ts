// Turns a drawing's stylesheets into attributes, for viewers that know little CSS. What they cannot draw is written in the way
// they can: variables, currentColor and units are replaced.

import { isColour, plainColour } from "../colour.ts";
import { safeAttribute } from "../css/value.ts";
import { Memo } from "../memo.ts";
import { Cascade, type Scheme } from "../svg/cascade.ts";
import type { XmlElement } from "../svg/xml.ts";
import { fontSizePx } from "./lengths.ts";

/** Presentation attributes: what CSS may say about a drawing that an attribute can say too. */
export const FLATTENED = new Set(
  "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit opacity color font-family font-size font-weight font-style font-variant font-stretch text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift letter-spacing word-spacing display visibility overflow clip-path clip-rule mask filter flood-color flood-opacity stop-color stop-opacity marker-start marker-mid marker-end paint-order transform transform-origin mix-blend-mode writing-mode direction unicode-bidi vector-effect shape-rendering image-rendering color-interpolation-filters pointer-events cursor".split(
    " ",
  ),
);
const GEOMETRY = new Set(["rx", "ry", "x", "y", "cx", "cy", "r", "width", "height"]);
const COLOURS = new Set(["fill", "stroke", "stop-color", "flood-color"]);
/** No attribute says these, and they move nothing: a viewer that does not know them shows the drawing at rest. */
const IN_STYLE = /^(?:mix-blend-mode|animation(?:-[\w-]+)?)$/;

interface InheritedStyle {
  readonly colour: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly fontSizePx: number;
}

export interface StyleReading {
  /** Which of a drawing's two sets of colours is wanted. */
  readonly scheme: Scheme;
  /** A font-family list as it is to be written. */
  readonly family: (list: string) => string;
}

/** The declarations of all stylesheets as attributes of the elements they hold for. The stylesheets go. */
export function flattenStyles(root: XmlElement, { scheme, family }: StyleReading): void {
  const texts = [root, ...root.descendants()].filter(({ localName }) => localName === "style").map(({ text }) => text);
  removeStyles(root);
  apply(root, cascadeOf(texts, scheme), { colour: "black", variables: new Map(), fontSizePx: 16 }, family);
}

/** Diagrams of one kind and theme have the same stylesheets, and reading them takes longer than a small drawing. */
const cascades = new Memo<Cascade>(32);

function cascadeOf(texts: readonly string[], scheme: Scheme): Cascade {
  return cascades.get(JSON.stringify([scheme, ...texts]), () => {
    const cascade = new Cascade((property) => {
      if (FLATTENED.has(property) || GEOMETRY.has(property) || IN_STYLE.test(property)) return true;
      return property.startsWith("--") || property === "marker";
    });
    for (const text of texts) cascade.add(text, scheme);
    return cascade;
  });
}

function apply(
  element: XmlElement,
  cascade: Cascade,
  inherited: InheritedStyle,
  family: (list: string) => string,
): void {
  const { attributes } = element;
  const declared = cascade.declared(element);
  attributes.delete("style");
  let { variables } = inherited;
  const inStyle: string[] = [];
  if (declared !== undefined) {
    const own = [...declared].filter(([property]) => property.startsWith("--"));
    if (own.length > 0) variables = new Map([...variables, ...own]);
    const marker = declared.get("marker");
    if (marker !== undefined) for (const place of ["start", "mid", "end"]) attributes.set(`marker-${place}`, marker);
    for (const [property, value] of declared) {
      if (property.startsWith("--") || property === "marker") continue;
      if (IN_STYLE.test(property)) inStyle.push(`${property}:${value}`);
      else declare(element, property, value, variables);
    }
  }
  if (attributes.has("mix-blend-mode")) inStyle.push(`mix-blend-mode:${attributes.get("mix-blend-mode")}`);
  attributes.delete("mix-blend-mode");
  if (inStyle.length > 0) attributes.set("style", inStyle.join(";"));
  plainTransform(element);
  const colour = resolveColour(attributes.get("color"), inherited.colour);
  plainColours(element, colour, variables);
  const sizePx = fontSizePx(attributes.get("font-size"), inherited.fontSizePx);
  if (attributes.has("font-size")) attributes.set("font-size", String(sizePx));
  plainFont(element, family);
  for (const child of element.elements) apply(child, cascade, { colour, variables, fontSizePx: sizePx }, family);
}

function declare(
  { attributes }: XmlElement,
  property: string,
  value: string,
  variables: ReadonlyMap<string, string>,
): void {
  const hasVariable = value.includes("var(");
  const resolved = withVariables(value, variables).replace(/url\((["'])(#[^"']*)\1\)/g, "url($2)");
  if (/^(?:stroke-width|font-size)$/.test(property) && resolved.startsWith("-")) return;
  if (GEOMETRY.has(property) && !/^[\d.]+(?:px)?$/.test(resolved)) return;
  // Several harmless values may be put together to one that the sanitiser has not seen.
  const kept = hasVariable ? safeAttribute(property, resolved) : resolved;
  if (kept !== undefined) attributes.set(property, GEOMETRY.has(property) ? kept.replace("px", "") : kept);
}

function plainColours({ attributes }: XmlElement, colour: string, variables: ReadonlyMap<string, string>): void {
  for (const name of COLOURS) {
    const value = attributes.get(name);
    if (value === undefined) continue;
    if (/^currentcolor$/i.test(value)) attributes.set(name, colour);
    else if (value === "inherit" && (name === "fill" || name === "stroke")) attributes.delete(name);
    else if (/^(?:(?:hsl|rgb)a?\(|rebeccapurple$)/i.test(value) && isColour(value))
      attributes.set(name, plainColour(value));
    else if (value === "transparent")
      attributes.set(name, name === "fill" || name === "stroke" ? "none" : "rgba(0,0,0,0)");
    else if (value.includes("var("))
      attributes.set(name, safeAttribute(name, withVariables(value, variables)) ?? "none");
    else if (!/^(?:none$|url\(|context-)/.test(value) && !isColour(value)) attributes.delete(name);
  }
}

function plainFont({ attributes }: XmlElement, family: (list: string) => string): void {
  const list = attributes.get("font-family");
  if (list === undefined) return;
  attributes.set("font-family", family(list));
  // D2 names the weight in the family: d2-123-font-bold.
  const [, face] = /^["']?d2-\d+-font-(\w+)/.exec(list) ?? [];
  if (face === "bold" || face === "semibold") attributes.set("font-weight", face === "bold" ? "700" : "600");
  if (face === "italic") attributes.set("font-style", "italic");
}

/** CSS has units and an origin; other viewers read neither. */
function plainTransform({ attributes }: XmlElement): void {
  const transform = attributes.get("transform");
  const origin = attributes.get("transform-origin");
  attributes.delete("transform-origin");
  if (transform === undefined) return;
  const plain = transform.replace(/(\d)(?:deg|px)\b/g, "$1");
  const [, x, y] = /^\s*(-?[\d.]+)(?:px)?[\s,]+(-?[\d.]+)(?:px)?\s*$/.exec(origin ?? "") ?? [];
  const placed = `translate(${x} ${y}) ${plain} translate(${-Number(x)} ${-Number(y)})`;
  attributes.set("transform", x === undefined ? plain : placed);
}

function resolveColour(value: string | undefined, inherited: string): string {
  return value === undefined || /^(?:inherit|currentcolor)$/i.test(value) ? inherited : value;
}

function withVariables(value: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (!value.includes("var(") || depth > 8) return value;
  const resolved = value.replace(
    /var\(\s*(--[\w-]+)\s*(?:,\s*((?:[^()]|\([^()]*\))*))?\)/g,
    (_, name: string, otherwise?: string) => {
      return variables.get(name) ?? otherwise ?? "none";
    },
  );
  return withVariables(resolved, variables, depth + 1);
}

function removeStyles(element: XmlElement): void {
  const kept = element.children.filter((child) => typeof child === "string" || child.localName !== "style");
  if (kept.length < element.children.length) element.children.splice(0, element.children.length, ...kept);
  for (const child of element.elements) removeStyles(child);
}
