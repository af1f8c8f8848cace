import type { Sitemap } from "./sitemap.ts";

/** What all sitemaps of a site name together. */
export interface SitePages {
  /** Addresses, the first 500. */
  pages: string[];
  /** How many there are. */
  total: number;
  /** There may be more than `total`. */
  isCut: boolean;
}

const MOST_MAPS = 4;
export const MOST_PAGES = 500;

/** Reads the first few sitemaps, and those that they name. `undefined`: there is none. */
export async function readSitemaps(
  addresses: readonly string[],
  read: (address: string) => Promise<Sitemap | undefined>,
): Promise<SitePages | undefined> {
  const waiting = addresses.slice(0, MOST_MAPS * 2);
  const found: SitePages = { pages: [], total: 0, isCut: false };
  let maps = 0;
  let next = waiting.shift();
  for (; next !== undefined && maps < MOST_MAPS; next = waiting.shift()) {
    const address = next;
    const map = await read(address);
    if (!map) continue;
    maps++;
    found.total += map.total;
    found.isCut ||= map.isCut;
    found.pages.push(...map.pages.flatMap((page) => absolute(page, address)));
    waiting.push(...map.maps.flatMap((each) => absolute(each, address)));
  }
  if (maps === 0) return undefined;
  return { ...found, pages: [...new Set(found.pages)].slice(0, MOST_PAGES), isCut: found.isCut || next !== undefined };
}

function absolute(address: string, base: string): string[] {
  return URL.canParse(address, base) ? [new URL(address, base).href] : [];
}
