// Turns a drawing's stylesheets into attributes, for rasterisers that know little CSS. What they cannot draw is written in
// the way they can: variables replaced, reversed arrow heads as markers of their own.

import { isColour, plainColour } from "./colour.ts";
import { Cascade } from "./svg/cascade.ts";
import { XmlElement } from "./svg/xml.ts";

/** Presentation attributes: what CSS may say about a drawing that an attribute can say too. */
const FLATTENED = new Set(
  "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit opacity color font-family font-size font-weight font-style text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift letter-spacing word-spacing display visibility overflow clip-path mask filter flood-color flood-opacity stop-color stop-opacity marker-start marker-mid marker-end paint-order transform transform-origin mix-blend-mode writing-mode direction".split(
    " ",
  ),
);
const GEOMETRY = new Set(["rx", "ry", "x", "y", "cx", "cy", "r", "width", "height"]);
// Of Arimo, as a share of its size.
const X_HEIGHT = 0.5283;
const REFERRING = ["filter", "clip-path", "mask", "marker-start", "marker-mid", "marker-end"];
const INHERITED_COLOUR = new Set(["fill", "stroke", "stop-color", "flood-color"]);

interface InheritedStyle {
  readonly colour: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly fontSizePx: number;
}

export interface Families {
  readonly sans: string;
  readonly mono: string;
}

export function flatten(root: XmlElement, families: Families): void {
  const cascade = new Cascade((property) => {
    return FLATTENED.has(property) || GEOMETRY.has(property) || property.startsWith("--") || property === "marker";
  });
  for (const element of [root, ...root.descendants()]) if (element.localName === "style") cascade.add(element.text);
  removeStyles(root);
  apply(root, cascade, { colour: "black", variables: new Map(), fontSizePx: 16 }, families);
  for (const element of root.descendants()) if (element.localName === "text") placeLines(element);
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

/**
 * Lines as absolute places. resvg moves by dy the first letter of a line as it is written, not as it is read: in Arabic and
 * Hebrew that one letter alone would be moved.
 */
function placeLines(text: XmlElement): void {
  let y = 0;
  const place = (element: XmlElement, fontSizePx: number) => {
    const ownSizePx = fontSize(element.attributes.get("font-size"), fontSizePx);
    const [ownY, ownDy] = ["y", "dy"].map((name) => length(element.attributes.get(name), ownSizePx));
    // Of two moves of the same letter, the inner one counts.
    const dy = element === text && startsWithMove(element) && ownDy !== undefined ? 0 : ownDy;
    const startsLine = element === text || ownY !== undefined || element.attributes.has("x");
    if (startsLine && (ownY !== undefined || dy !== undefined)) {
      y = (ownY ?? y) + (dy ?? 0);
      element.attributes.set("y", String(Math.round(y * 1000) / 1000));
      element.attributes.delete("dy");
    }
    for (const child of element.elements) place(child, ownSizePx);
  };
  place(text, inheritedFontSize(text));
}

function startsWithMove(text: XmlElement): boolean {
  const [first] = text.children.filter((child) => typeof child !== "string" || child.trim() !== "");
  return first instanceof XmlElement && first.attributes.has("dy");
}

function inheritedFontSize(element: XmlElement): number {
  for (let at = element.parentElement; at !== null; at = at.parentElement)
    if (at.attributes.has("font-size")) return fontSize(at.attributes.get("font-size"), 16);
  return 16;
}

/** One length in pixels; undefined for none and for lists. */
function length(value: string | undefined, emPx: number): number | undefined {
  const [, number, unit] = /^\s*(-?[\d.]+)(px|em|ex)?\s*$/.exec(value ?? "") ?? [];
  if (number === undefined) return undefined;
  return Number(number) * (unit === "em" ? emPx : unit === "ex" ? emPx * X_HEIGHT : 1);
}

/** A browser overlooks a filter that is not there; resvg then hides what it should filter. */
function removeDeadReferences(root: XmlElement): void {
  const all = [root, ...root.descendants()];
  const ids = new Set(all.map((element) => element.attributes.get("id")));
  for (const element of all) {
    for (const name of REFERRING) {
      const [, id] = /^url\(#(.*)\)$/.exec(element.attributes.get(name) ?? "") ?? [];
      if (id !== undefined && !ids.has(id)) element.attributes.delete(name);
    }
  }
}

function apply(element: XmlElement, cascade: Cascade, inherited: InheritedStyle, families: Families): void {
  const declared = cascade.declared(element);
  element.attributes.delete("style");
  let { variables } = inherited;
  if (declared !== undefined) {
    const own = [...declared].filter(([property]) => property.startsWith("--"));
    if (own.length > 0) variables = new Map([...variables, ...own]);
    const marker = declared.get("marker");
    if (marker !== undefined)
      for (const place of ["start", "mid", "end"]) element.attributes.set(`marker-${place}`, marker);
    for (const [property, value] of declared) {
      if (property.startsWith("--") || property === "marker") continue;
      const resolved = withVariables(value, variables).replace(/url\((["'])(#[^"']*)\1\)/g, "url($2)");
      if (/^(?:stroke-width|font-size)$/.test(property) && resolved.startsWith("-")) continue;
      if (GEOMETRY.has(property) && !/^[\d.]+(?:px)?$/.test(resolved)) continue;
      element.attributes.set(property, GEOMETRY.has(property) ? resolved.replace("px", "") : resolved);
    }
  }
  plainTransform(element);
  const colour = resolveColour(element.attributes.get("color"), inherited.colour);
  for (const name of INHERITED_COLOUR) {
    const value = element.attributes.get(name);
    if (value === undefined) continue;
    if (/^currentcolor$/i.test(value)) element.attributes.set(name, colour);
    else if (value === "inherit" && (name === "fill" || name === "stroke")) element.attributes.delete(name);
    else if (/^(?:(?:hsl|rgb)a?\(|rebeccapurple$)/i.test(value) && isColour(value))
      element.attributes.set(name, plainColour(value));
    else if (value === "transparent")
      element.attributes.set(name, name === "fill" || name === "stroke" ? "none" : "rgba(0,0,0,0)");
    else if (value.includes("var(")) element.attributes.set(name, withVariables(value, variables));
    else if (!/^(?:none$|url\(|context-)/.test(value) && !isColour(value)) element.attributes.delete(name);
  }
  // The one property that resvg reads from a style alone.
  const blending = element.attributes.get("mix-blend-mode");
  element.attributes.delete("mix-blend-mode");
  if (blending !== undefined) element.attributes.set("style", `mix-blend-mode:${blending}`);
  const fontSizePx = fontSize(element.attributes.get("font-size"), inherited.fontSizePx);
  if (element.attributes.has("font-size")) element.attributes.set("font-size", String(fontSizePx));
  const family = element.attributes.get("font-family");
  if (family !== undefined) element.attributes.set("font-family", knownFamily(family, families));
  // D2 names the weight in the family: d2-123-font-bold.
  const [, face] = /^["']?d2-\d+-font-(\w+)/.exec(family ?? "") ?? [];
  if (face === "bold" || face === "semibold") element.attributes.set("font-weight", face === "bold" ? "700" : "600");
  if (face === "italic") element.attributes.set("font-style", "italic");
  for (const child of element.elements) apply(child, cascade, { colour, variables, fontSizePx }, families);
}

/** CSS has units and an origin; resvg reads neither. */
function plainTransform(element: XmlElement): void {
  const transform = element.attributes.get("transform");
  const origin = element.attributes.get("transform-origin");
  element.attributes.delete("transform-origin");
  if (transform === undefined) return;
  const plain = transform.replace(/(\d)(?:deg|px)\b/g, "$1");
  const [, x, y] = /^\s*(-?[\d.]+)(?:px)?[\s,]+(-?[\d.]+)(?:px)?\s*$/.exec(origin ?? "") ?? [];
  const placed = `translate(${x} ${y}) ${plain} translate(${-Number(x)} ${-Number(y)})`;
  element.attributes.set("transform", x === undefined ? plain : placed);
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

function fontSize(value: string | undefined, inheritedPx: number): number {
  const number = Number.parseFloat(value ?? "");
  if (value === undefined || Number.isNaN(number)) return inheritedPx;
  if (value.endsWith("%")) return (inheritedPx * number) / 100;
  if (value.endsWith("rem")) return number * 16;
  if (value.endsWith("em")) return inheritedPx * number;
  if (value.endsWith("ex")) return inheritedPx * number * X_HEIGHT;
  return value.endsWith("pt") ? (number * 4) / 3 : number;
}

/** The rasteriser has our files only: it is told the name of one of them. */
function knownFamily(list: string, { sans, mono }: Families): string {
  if (/source code|mono|courier|consolas|menlo/i.test(list)) return mono;
  if (/source sans|d2-\d+-font/i.test(list)) return `Source Sans Pro, ${sans}`;
  return sans;
}

function removeStyles(element: XmlElement): void {
  const kept = element.children.filter((child) => typeof child === "string" || child.localName !== "style");
  element.children.splice(0, element.children.length, ...kept);
  for (const child of element.elements) removeStyles(child);
}

/** orient="auto-start-reverse" turns a marker round at the start of a line; as a marker of its own, turned once, it is known to all. */
function reverseMarkers(root: XmlElement): void {
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

function clone(element: XmlElement): XmlElement {
  const copy = new XmlElement(element.localName, element.attributes);
  for (const child of element.children) copy.append(child instanceof XmlElement ? clone(child) : child);
  return copy;
}
