// Which selectors may appear in a drawing. A stylesheet inside an inline SVG applies to the whole page around it, so every
// selector must start at an element of the drawing; a selector that does not is put below one.

import { type CssNode, generate, type Selector } from "css-tree";
import { isPlainName, isPlainString } from "./value.ts";

/** The names by which a stylesheet can address its own drawing. */
export interface StyleScope {
  readonly ids: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  /** The selector under which other selectors are put: `#diagram`. */
  readonly prefix: string;
}

const words = (text: string) => new Set(text.split(" "));

const STATES = words(
  "hover active focus root first-child last-child only-child first-of-type last-of-type only-of-type",
);
const CONDITIONS = words("not is where nth-child nth-last-child nth-of-type nth-last-of-type");

/** The selector as it may be written; undefined where it may not. */
export function scopedSelector(selector: CssNode, scope: StyleScope): string | undefined {
  if (selector.type !== "Selector" || !isSafe(selector)) return undefined;
  const text = generate(selector);
  return isScoped(selector, scope) ? text : `${scope.prefix} ${text}`;
}

function isSafe(node: CssNode): boolean {
  switch (node.type) {
    case "SelectorList":
    case "Selector":
      return node.children.toArray().every(isSafe);
    case "TypeSelector":
      return node.name === "*" || isPlainName(node.name);
    case "ClassSelector":
    case "IdSelector":
      return isPlainName(node.name);
    case "AttributeSelector": {
      const { name, value, flags } = node;
      if (!isPlainName(name.name) || (flags !== null && !/^[is]$/i.test(flags))) return false;
      return value === null || (value.type === "String" ? isPlainString(value.value) : isPlainName(value.name));
    }
    case "PseudoClassSelector": {
      const name = node.name.toLowerCase();
      if (node.children === null) return STATES.has(name);
      return CONDITIONS.has(name) && node.children.toArray().every(isSafe);
    }
    case "Nth":
      return node.selector === null && /^(?:odd|even|[-+\dn]+)$/i.test(generate(node.nth));
    case "Combinator":
      return [" ", ">", "+", "~"].includes(node.name);
    default:
      return false;
  }
}

/** Whether the first compound names the drawing itself. `#diagram + div` does not count: a sibling is outside. */
function isScoped(selector: Selector, scope: StyleScope): boolean {
  const parts = selector.children.toArray();
  const end = parts.findIndex(({ type }) => type === "Combinator");
  const next = parts[end];
  if (next?.type === "Combinator" && next.name !== " " && next.name !== ">") return false;
  return parts.slice(0, end === -1 ? parts.length : end).some((part) => namesDrawing(part, scope));
}

function namesDrawing(part: CssNode, scope: StyleScope): boolean {
  if (part.type === "IdSelector") return scope.ids.has(part.name);
  if (part.type === "ClassSelector") return scope.classes.has(part.name);
  if (part.type !== "PseudoClassSelector" || !/^(?:is|where)$/i.test(part.name)) return false;
  const lists = part.children?.toArray() ?? [];
  return (
    lists.length > 0 &&
    lists.every(
      (list) =>
        list.type === "SelectorList" &&
        list.children.toArray().every((each) => each.type === "Selector" && isScoped(each, scope)),
    )
  );
}
