import type { Brand } from "../api/shapes.ts";
import { brandMatcher, type Matcher } from "./matcher.ts";

/** The id of the site's own brand among those that are watched. */
export const OWN = "own";

export interface WatchedBrand {
  id: string;
  brand: Brand;
  matches: Matcher;
}

/** The site's own brand and its rivals, each with its matcher for texts in a language. */
export function watchedBrands(own: Brand, rivals: readonly Brand[], lang?: string): WatchedBrand[] {
  return [{ id: OWN, brand: own }, ...rivals.map((brand) => ({ id: brand.name, brand }))].map((each) => ({
    ...each,
    matches: brandMatcher(each.brand, lang),
  }));
}
