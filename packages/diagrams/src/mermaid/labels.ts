// Mermaid hands every label to DOMPurify, which needs a real browser: elsewhere it returns its input untouched. This does the
// same work on text: known tags stay, scripts and the like go with all that is in them, and no attribute survives but a class.

import { type Attribute, escapeMarkup, readMarkup } from "../svg/markup.ts";

const KEPT = new Set(
  "a abbr b big blockquote br caption center cite code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var wbr".split(
    " ",
  ),
);
// Icons come through here too.
const KEPT_SVG = new Set(
  "svg g path rect circle ellipse line polyline polygon text tspan defs clippath lineargradient radialgradient stop mask".split(
    " ",
  ),
);
const DROPPED_WITH_CONTENT = new Set(
  "script style iframe object embed template noscript title textarea xmp math foreignobject noembed noframes plaintext select audio video".split(
    " ",
  ),
);

export function cleanLabel(text: unknown): string {
  const dirty = String(text);
  if (!dirty.includes("<")) return dirty;
  let clean = "";
  let inside = "";
  let depth = 0;
  for (const part of readMarkup(dirty)) {
    const name = part.type === "text" ? "" : part.name.toLowerCase();
    if (inside !== "") {
      if (part.type === "open" && name === inside && !part.closed) depth++;
      if (part.type === "close" && name === inside && --depth === 0) inside = "";
      continue;
    }
    if (part.type === "text") clean += escapeMarkup(part.text);
    else if (part.type === "open" && DROPPED_WITH_CONTENT.has(name) && !part.closed) {
      inside = name;
      depth = 1;
    } else if (KEPT_SVG.has(name)) {
      clean +=
        part.type === "close"
          ? `</${part.name}>`
          : `<${part.name}${drawing(part.attributes)}${part.closed ? "/" : ""}>`;
    } else if (KEPT.has(name)) {
      const names =
        part.type === "open" ? part.attributes.find(([attribute]) => attribute === "class")?.[1] : undefined;
      const kept = names === undefined ? "" : ` class="${names.replace(/[^\w -]/g, "")}"`;
      clean += part.type === "close" ? `</${name}>` : `<${name}${kept}>`;
    }
  }
  return clean;
}

/** The attributes of a drawing's element that lead nowhere. */
function drawing(attributes: readonly Attribute[]): string {
  return attributes
    .filter(
      ([name, value]) =>
        /^[a-z][\w-]*$/i.test(name) && !/^(?:on|href|src)/i.test(name) && !/url\s*\(\s*["']?[^#"'\s]/i.test(value),
    )
    .map(([name, value]) => ` ${name}="${escapeMarkup(value).replaceAll('"', "&quot;")}"`)
    .join("");
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
