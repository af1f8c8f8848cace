// The last step before a drawing is kept or shown, for every engine: what is not on the lists below does not come out.
// Elements and attributes are allowed by name, links by scheme, and CSS by property, function
// and selector (css/), so that a new construct is refused until it has been reviewed.

import { safeStyle, safeStylesheet } from "./css/stylesheet.ts";
import { safeAttribute } from "./css/value.ts";
import { Memo } from "./memo.ts";
import { type DrawingScope, OWN_ID, ownId, prefixOf, scopeOf } from "./scope.ts";
import { parseXml, writeXml, XmlElement } from "./svg/xml.ts";

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";

const words = (text: string) => new Set(text.split(" "));

const ELEMENTS = words(
  "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc marker clipPath mask pattern linearGradient radialGradient stop filter feBlend feColorMatrix feComponentTransfer feComposite feDisplacementMap feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset feTile feTurbulence image a style switch",
);
// Their text is not part of the drawing, so it goes with them. Of others, only the tag goes.
const WITHOUT_CONTENT = words(
  "script style iframe object embed foreignObject metadata animate set animateTransform animateMotion handler listener audio video canvas template",
);
const ATTRIBUTES = words(
  "id class style x y x1 y1 x2 y2 cx cy r rx ry dx dy d points transform transform-origin width height viewBox preserveAspectRatio pathLength rotate textLength lengthAdjust startOffset offset refX refY markerWidth markerHeight markerUnits orient clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform gradientUnits gradientTransform spreadMethod fx fy fr filterUnits primitiveUnits in in2 result stdDeviation edgeMode operator k1 k2 k3 k4 mode type values tableValues slope intercept amplitude exponent scale xChannelSelector yChannelSelector baseFrequency numOctaves seed stitchTiles radius order fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit opacity color font font-family font-size font-weight font-style font-variant font-stretch text-anchor text-decoration text-rendering dominant-baseline alignment-baseline baseline-shift letter-spacing word-spacing writing-mode direction unicode-bidi display visibility overflow clip-path clip-rule mask filter flood-color flood-opacity stop-color stop-opacity marker marker-start marker-mid marker-end paint-order vector-effect shape-rendering image-rendering color-interpolation color-interpolation-filters mix-blend-mode isolation cursor pointer-events role lang xml:space xml:lang target rel version title xlink:title",
);
/** To pages, mail addresses, parts of this page, and pages beside it. Anything else with a scheme is refused. */
const LINK = /^(?:https?:\/\/|mailto:|#|(?![a-z][a-z\d+.-]*:|\/\/|\/\\|\\)[^\\])/i;
const IMAGE = /^data:image\/(?:png|jpeg|jpg|webp|gif);base64,[a-z\d+/=\s]*$/i;
const INSIDE = /^#[\w:.\u00b7-\uffff-]+$/;

/** Throws XmlError for what is not XML: an engine that writes such a thing is broken. */
export function sanitise(svg: string): string {
  return writeXml(sanitiseTree(parseXml(svg)));
}

export function sanitiseTree(root: XmlElement): XmlElement {
  if (root.localName !== "svg") throw new Error("The drawing is not an SVG.");
  const clean = copy(root, scopeOf(root));
  if (ownId(root) === undefined && isNamedByStyles(clean)) clean.attributes.set("id", OWN_ID);
  clean.attributes.delete("xmlns");
  const declared = new Map([["xmlns", SVG], ...clean.attributes]);
  clean.attributes.clear();
  for (const [name, value] of declared) clean.attributes.set(name, value);
  if (usesXlink(clean)) clean.attributes.set("xmlns:xlink", XLINK);
  withoutNestedUse(clean);
  return clean;
}

function isNamedByStyles(root: XmlElement): boolean {
  for (const element of root.descendants())
    if (element.localName === "style" && element.text.includes(`#${OWN_ID}`)) return true;
  return false;
}

function copy(element: XmlElement, scope: DrawingScope): XmlElement {
  const clean = new XmlElement(element.localName);
  for (const [name, value] of element.attributes) {
    const kept = attribute(element, name, value);
    if (kept !== undefined) clean.attributes.set(name, kept);
  }
  if (clean.attributes.get("target") !== undefined) clean.attributes.set("rel", "noopener noreferrer");
  if (element.localName === "style") {
    clean.append(stylesheet(element, scope));
    return clean;
  }
  copyChildren(element, clean, scope);
  return clean;
}

/** Diagrams of one kind and theme have the same one, and reading it is half the work on a small drawing. */
const stylesheets = new Memo<string>(32);

function stylesheet(style: XmlElement, scope: DrawingScope): string {
  const prefix = prefixOf(style);
  const key = JSON.stringify([prefix, ...scope.ids, ...scope.classes, style.text]);
  return stylesheets.get(key, () => safeStylesheet(style.text, { ...scope, prefix }));
}

function copyChildren(from: XmlElement, to: XmlElement, scope: DrawingScope): void {
  for (const child of from.children) {
    if (typeof child === "string") to.append(child);
    else if (ELEMENTS.has(child.localName) && isSvg(child)) to.append(copy(child, scope));
    else if (!WITHOUT_CONTENT.has(child.localName) && isSvg(child)) copyChildren(child, to, scope);
  }
}

function isSvg(element: XmlElement): boolean {
  return !element.localName.includes(":") && (element.attributes.get("xmlns") ?? SVG) === SVG;
}

function attribute(element: XmlElement, name: string, value: string): string | undefined {
  if (name === "href" || name === "xlink:href") return reference(element.localName, value);
  if (name === "style") return styles.get(value, safeStyle) || undefined;
  if (name === "target") return element.localName === "a" && value === "_blank" ? value : undefined;
  const known = ATTRIBUTES.has(name) || /^(?:aria|data)-[\w-]+$/.test(name);
  if (!known || name === "rel") return undefined;
  // Presentation attributes are CSS, so the same rules hold for them.
  return /^(?:aria|data)-|^(?:id|class|d|points|viewBox|title|xlink:title)$/.test(name)
    ? value
    : safeAttribute(name, value);
}

/** A drawing has a few different styles on thousands of elements. */
const styles = new Memo<string>(1024);

function reference(element: string, value: string): string | undefined {
  const address = withoutControls(value);
  if (element === "a") return LINK.test(address) ? address : undefined;
  if (element === "image") return IMAGE.test(address) ? address : undefined;
  return INSIDE.test(address) ? address : undefined;
}

/** Browsers overlook these inside an address, so a filter must not be fooled by them. */
function withoutControls(value: string): string {
  return value.replace(/[\p{C}\p{Z}]+/gu, "");
}

function usesXlink(root: XmlElement): boolean {
  if ([...root.attributes.keys()].some((name) => name.startsWith("xlink:"))) return true;
  for (const element of root.descendants()) if (element.attributes.has("xlink:href")) return true;
  return false;
}

/** Copies of copies grow without bound: a copy may not contain another. */
function withoutNestedUse(root: XmlElement): void {
  const uses = [...root.descendants()].filter(({ localName }) => localName === "use");
  if (uses.length === 0) return;
  const byId = new Map([...root.descendants()].map((element) => [element.attributes.get("id"), element]));
  for (const use of uses) {
    const id = (use.attributes.get("href") ?? use.attributes.get("xlink:href"))?.slice(1);
    const target = byId.get(id);
    const nested =
      target === undefined ||
      target.localName === "use" ||
      contains(target, use) ||
      [...target.descendants()].some(({ localName }) => localName === "use");
    if (!nested) continue;
    use.attributes.delete("href");
    use.attributes.delete("xlink:href");
  }
}

function contains(outer: XmlElement, inner: XmlElement): boolean {
  for (let at: XmlElement | null = inner; at !== null; at = at.parentElement) if (at === outer) return true;
  return false;
}
