import { splitOutside } from "../../svg/css.ts";
import { compileSelector, type Selector } from "../../svg/selector.ts";

const MAX_COMPILED = 2000;
const cache = new Map<string, readonly Selector[]>();

/** d3 and Mermaid ask with the same few over and over. */
export function compiledSelectors(text: string): readonly Selector[] {
  let selectors = cache.get(text);
  if (selectors === undefined) {
    selectors = splitOutside(text, ",")
      .map(compileSelector)
      .filter((selector) => selector !== undefined);
    if (cache.size >= MAX_COMPILED) cache.clear();
    cache.set(text, selectors);
  }
  return selectors;
}
