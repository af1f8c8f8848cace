// The stylesheets and style attributes of a drawing, as they may be written. css-tree parses them the way browsers do; each
// rule, property and value must be on a list, and the output is generated from the checked tree.

import { type Atrule, type Block, type CssNode, type Declaration, generate, parse } from "css-tree";
import { type StyleScope, scopedSelector } from "./selector.ts";
import { isPlainName, isSafeFor, isSafeValue } from "./value.ts";

const words = (text: string) => new Set(text.split(" "));

// No property that lifts a part of the drawing over the page around it, and none that loads anything.
const PROPERTIES = words(
  "alignment-baseline animation animation-delay animation-direction animation-duration animation-fill-mode animation-iteration-count animation-name animation-timing-function background background-color baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters cursor cx cy d direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity font font-family font-size font-stretch font-style font-variant font-weight height image-rendering isolation letter-spacing line-height marker marker-end marker-mid marker-start mask max-width mix-blend-mode opacity overflow paint-order pointer-events r rotate rx ry scale shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-align text-anchor text-decoration text-overflow text-rendering transform transform-box transform-origin transition transition-delay transition-duration transition-property transition-timing-function translate unicode-bidi vector-effect visibility white-space width word-spacing writing-mode x y",
);
const FONT_PROPERTIES = words(
  "font-family font-style font-weight font-stretch font-variant font-display unicode-range size-adjust ascent-override descent-override",
);
const FONT =
  /^data:(?:font\/[\w-]+|application\/(?:x-)?font-[\w-]+|application\/octet-stream)(?:;charset=[\w-]+)?;base64,[a-z\d+/=]*$/i;
// D2 names the fonts of a drawing after its hash. Any other family could be one that the page around the drawing uses.
const OWN_FAMILY = /^["']?d2-\d+-font-[\w-]+["']?$/;
const MEDIA = /^(?:screen|print|(?:screen and )?\(prefers-color-scheme: ?(?:dark|light)\))$/;
const OPTIONS = { parseCustomProperty: true } as const;

export function safeStylesheet(text: string, scope: StyleScope): string {
  const tree = parsed(text, "stylesheet");
  return tree?.type === "StyleSheet" ? rules(tree.children.toArray(), scope) : "";
}

/** The declarations of a style attribute. */
export function safeStyle(text: string): string {
  const tree = parsed(text, "declarationList");
  if (tree?.type !== "DeclarationList") return "";
  return declarations(tree.children.toArray())
    .map((each) => `${each};`)
    .join("");
}

function parsed(text: string, context: "stylesheet" | "declarationList"): CssNode | undefined {
  try {
    return parse(text, { ...OPTIONS, context });
  } catch {
    // css-tree recovers from wrong CSS, so this is a tree deeper than the stack.
    return undefined;
  }
}

function rules(nodes: readonly CssNode[], scope: StyleScope): string {
  return nodes
    .map((node) => {
      if (node.type === "Atrule") return atRule(node, scope);
      if (node.type !== "Rule" || node.prelude.type !== "SelectorList") return "";
      const selectors = node.prelude.children.toArray().flatMap((each) => scopedSelector(each, scope) ?? []);
      return written(selectors.join(","), node.block);
    })
    .join("");
}

function written(prelude: string, block: Block): string {
  const kept = declarations(block.children.toArray());
  return prelude === "" || kept.length === 0 ? "" : `${prelude}{${kept.join(";")}}`;
}

function atRule({ name, prelude, block }: Atrule, scope: StyleScope): string {
  if (block === null) return "";
  const about = prelude === null ? "" : generate(prelude);
  const inside = block.children.toArray();
  switch (name.toLowerCase()) {
    case "media": {
      const content = MEDIA.test(about) ? rules(inside, scope) : "";
      return content === "" ? "" : `@media ${about}{${content}}`;
    }
    case "keyframes":
      return isPlainName(about) ? `@keyframes ${about}{${inside.map(keyframe).join("")}}` : "";
    case "font-face":
      return about === "" ? fontFace(inside) : "";
    default:
      return "";
  }
}

function keyframe(node: CssNode): string {
  if (node.type !== "Rule" || node.prelude.type !== "SelectorList") return "";
  const moment = generate(node.prelude);
  return /^(?:from|to|[\d.]+%|,)+$/i.test(moment) ? written(moment, node.block) : "";
}

function declarations(nodes: readonly CssNode[]): string[] {
  return nodes.filter((node): node is Declaration => node.type === "Declaration" && isAllowed(node)).map(write);
}

function isAllowed({ property, value }: Declaration): boolean {
  const name = property.toLowerCase();
  const isKnown = name.startsWith("--") ? isPlainName(name) : PROPERTIES.has(name);
  return isKnown && value.type === "Value" && isSafeFor(name, value);
}

function write({ property, value, important }: Declaration): string {
  const name = property.startsWith("--") ? property : property.toLowerCase();
  return `${name}:${generate(value)}${important === true ? "!important" : ""}`;
}

function fontFace(nodes: readonly CssNode[]): string {
  const all = nodes.filter((node): node is Declaration => node.type === "Declaration");
  const families = all.filter(({ property }) => property.toLowerCase() === "font-family");
  if (families.length === 0 || !families.every(({ value }) => OWN_FAMILY.test(generate(value)))) return "";
  const kept = all.filter(({ property, value }) => {
    if (value.type !== "Value") return false;
    if (property.toLowerCase() === "src") return value.children.toArray().every(isFontSource);
    if (!FONT_PROPERTIES.has(property.toLowerCase())) return false;
    return value.children.toArray().every((each) => each.type === "UnicodeRange" || isSafeValue(each));
  });
  return `@font-face{${kept.map(write).join(";")}}`;
}

function isFontSource(node: CssNode): boolean {
  if (node.type === "Url") return FONT.test(node.value);
  if (node.type === "Operator") return node.value.trim() === ",";
  return node.type === "Function" && node.name.toLowerCase() === "format" && node.children.toArray().every(isSafeValue);
}
