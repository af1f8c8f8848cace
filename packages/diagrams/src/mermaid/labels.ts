// Mermaid hands every label to DOMPurify, which needs a real browser: elsewhere it returns its input untouched. This does the
// same work on parse5's tree: known tags stay, scripts and the like go with all that is in them, and of the attributes only
// those stay that say how a text looks or where it leads. What a label becomes is drawn by us and sanitised again as SVG.

import { type DefaultTreeAdapterTypes, serialize, type Token } from "parse5";
import { isElement, isInSvg, type MarkupElement, type MarkupNode, readMarkup } from "../svg/markup.ts";

const words = (text: string) => new Set(text.split(" "));

const KEPT = words(
  "a abbr b big blockquote br caption center cite code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var wbr",
);
// Icons come through here too.
const KEPT_SVG = words(
  "svg g path rect circle ellipse line polyline polygon text tspan defs clipPath linearGradient radialGradient stop mask use symbol",
);
const DROPPED_WITH_CONTENT = words(
  "script style iframe object embed template noscript title textarea xmp math foreignObject noembed noframes plaintext select audio video",
);
const ATTRIBUTES = words("class style color face size align width height start type alt colspan rowspan");
const LINK = /^(?:(?:https?|mailto|tel):|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i;
const IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|svg\+xml)[;,]/i;

export function cleanLabel(text: unknown): string {
  const dirty = String(text);
  if (!dirty.includes("<")) return dirty;
  const root: DefaultTreeAdapterTypes.DocumentFragment = {
    nodeName: "#document-fragment" as DefaultTreeAdapterTypes.DocumentFragment["nodeName"],
    childNodes: cleaned(readMarkup(dirty)),
  };
  return serialize(root);
}

function cleaned(nodes: readonly MarkupNode[]): MarkupNode[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) return node.nodeName === "#text" ? [node] : [];
    const { tagName } = node;
    if (DROPPED_WITH_CONTENT.has(tagName)) return [];
    const children = cleaned(node.childNodes);
    if (!(isInSvg(node) ? KEPT_SVG : KEPT).has(tagName)) return children;
    node.childNodes = children;
    for (const child of children) child.parentNode = node;
    node.attrs = node.attrs.filter(isInSvg(node) ? isForDrawing : (each) => isForText(each, node));
    return [node];
  });
}

function isForText({ name, value }: Token.Attribute, { tagName }: MarkupElement): boolean {
  const plain = [...value].filter((character) => character > " ").join("");
  if (name === "href") return tagName === "a" && LINK.test(plain);
  if (name === "target") return tagName === "a" && value === "_blank";
  // One that would have to be fetched is named in a warning, and never gets into the drawing.
  if (name === "src") return tagName === "img" && (IMAGE.test(plain) || /^https?:/i.test(plain));
  return ATTRIBUTES.has(name) && !/url\s*\(|expression|@import/i.test(value);
}

/** The attributes of a drawing's element that lead nowhere. */
function isForDrawing({ name, value }: Token.Attribute): boolean {
  if (name === "href") return value.startsWith("#");
  return /^[a-z][\w-]*$/i.test(name) && !/^(?:on|href|src)/i.test(name) && !/url\s*\(\s*["']?[^#"'\s]/i.test(value);
}

/** In DOMPurify's place. */
export const purifier = {
  isSupported: true,
  sanitize: cleanLabel,
  addHook: () => undefined,
  removeHook: () => undefined,
  removeAllHooks: () => undefined,
  setConfig: () => undefined,
  clearConfig: () => undefined,
};
