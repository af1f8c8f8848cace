// Which CSS values may appear in a drawing. A value is parsed by css-tree, and every node of its tree must be of a type and a
// name on the lists below. The sanitiser writes the checked tree, never the original string.

import { type CssNode, find, generate, parse } from "css-tree";

const words = (text: string) => new Set(text.split(" "));

const FUNCTIONS = words(
  "rgb rgba hsl hsla hwb lab lch oklab oklch color-mix var calc min max clamp translate translatex translatey scale scalex scaley rotate skew skewx skewy matrix drop-shadow blur brightness contrast grayscale hue-rotate invert opacity saturate sepia cubic-bezier steps linear-gradient radial-gradient",
);
const OPERATORS = words(", / + - *");
const NAME = /^-{0,2}[a-z_\u00a0-\u{10ffff}][-\w\u00a0-\u{10ffff}]*$/iu;
/** The address of a part of the same drawing. */
const FRAGMENT = /^#[\w:.\u00b7-\u{10ffff}-]+$/u;
// Backslashes start escapes. Browsers and css-tree could disagree about them, and no engine needs one.
const UNSAFE_IN_STRING = /[\p{Cc}\\<>]/u;
const MAX_BYTES = 8192;

/** A CSS name without escapes: a property, a class, an animation. */
export function isPlainName(name: string): boolean {
  return NAME.test(name);
}

export function isPlainString(text: string): boolean {
  return !UNSAFE_IN_STRING.test(text);
}

// A reference from any other property would have the browser load the page a second time, as a picture.
const REFERRING = words("fill stroke filter clip-path mask marker marker-start marker-mid marker-end");

export function isSafeFor(property: string, value: CssNode): boolean {
  return isSafeValue(value) && (REFERRING.has(property) || find(value, ({ type }) => type === "Url") === null);
}

export function isSafeValue(node: CssNode): boolean {
  switch (node.type) {
    case "Value":
    case "Parentheses":
      return node.children.toArray().every(isSafeValue);
    case "Function":
      return FUNCTIONS.has(node.name.toLowerCase()) && node.children.toArray().every(isSafeValue);
    case "Url":
      return FRAGMENT.test(node.value);
    case "Identifier":
      return isPlainName(node.name);
    case "Number":
    case "Percentage":
      return true;
    case "Dimension":
      return isPlainName(node.unit);
    case "Hash":
      return /^[-\w]+$/.test(node.value);
    case "String":
      return isPlainString(node.value);
    case "Operator":
      return OPERATORS.has(node.value.trim());
    default:
      return false;
  }
}

// These cannot hold a function, a string or an escape, so no tree is needed to judge them. Numbers, names, colours and lists.
const SIMPLE = /^[-\w\s#%.,:/+]*$/;
const TRANSFORM = /^[\s,]*(?:(?:translate|scale|rotate|skewX|skewY|matrix)\s*\([-\d\s.,e+]*\)[\s,]*)+$/;

/** The value of a presentation attribute as it may be written; undefined where it may not. */
export function safeAttribute(name: string, text: string): string | undefined {
  if (SIMPLE.test(text) || TRANSFORM.test(text)) return text;
  if (text.length > MAX_BYTES) return undefined;
  try {
    const value = parse(text, { context: "value", parseCustomProperty: true });
    return isSafeFor(name, value) ? generate(value) : undefined;
  } catch {
    return undefined;
  }
}
