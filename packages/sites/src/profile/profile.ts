import type { Brand, SiteProfile } from "../api/shapes.ts";
import type { Crawl } from "../crawl/crawl.ts";
import { registrableDomain } from "../crawl/links.ts";
import type { KeptPage } from "../crawl/page.ts";
import { clip } from "../page/clean.ts";
import { brandOf } from "./brand.ts";
import { readJsonLd } from "./json-ld.ts";
import { keyphrasesOf } from "./keyphrases.ts";
import { languageOf } from "./language.ts";
import { offerOf } from "./offer.ts";
import { readinessOf } from "./readiness.ts";
import { rivalsNamedOn } from "./rivals.ts";
import { techOf } from "./tech.ts";
import { bodyOf } from "./text-of.ts";
import { coverageNote } from "./wall.ts";

export interface ProfileRequest {
  url: string;
  brand?: Brand | undefined;
  language?: string | undefined;
}

/** Stage 1's document: pure, from the pages and the request alone, so the same pages give the same profile. */
export function profileOf(crawl: Crawl, request: ProfileRequest): SiteProfile {
  const pages = withoutRefrain(crawl.pages);
  const brand = brandOf(pages, request.brand);
  const names = [brand.name, ...brand.aliases];
  const text = pages.flatMap(bodyOf).join("\n");
  const lang = request.language?.slice(0, 2).toLowerCase() ?? languageOf(crawl.home.lang, text);
  const note = coverageNote(pages);
  return {
    schemaVersion: 1,
    site: {
      requested: request.url,
      final: crawl.home.url,
      domain: registrableDomain(new URL(crawl.home.url).hostname),
      lang,
      fetchedAt: crawl.fetchedAt,
    },
    pages: pages.map(shownPage),
    brand,
    offer: offerOf(pages, { keyphrases: keyphrasesOf(pages, lang, names), lang, names }),
    rivalsNamed: rivalsNamedOn(pages, names, lang),
    readiness: readinessOf({ crawl, brand, now: Date.parse(crawl.fetchedAt) }),
    tech: techOf(pages),
    hiddenText: pages.flatMap(({ url, hidden }) => hidden.map((quote) => ({ url, quote }))).slice(0, 20),
    coverage: {
      fetched: pages.length,
      skipped: crawl.skipped.slice(0, 100),
      truncated: pages.some(({ flags }) => flags.includes("truncated")),
      ...(note && { note }),
    },
  };
}

/** What stands on most pages in the same words is a menu or a slogan, and says nothing about any of them. */
export function withoutRefrain(pages: readonly KeptPage[]): KeptPage[] {
  if (pages.length < 4) return [...pages];
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const text of new Set(page.passages.map((passage) => passage.text)))
      counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return pages.map((page, i) => ({
    ...page,
    passages: page.passages.filter(({ text }) => i === 0 || (counts.get(text) ?? 0) <= pages.length / 2),
  }));
}

function shownPage(page: KeptPage): SiteProfile["pages"][number] {
  const types = readJsonLd(page.jsonLd).things.flatMap((thing) => thing.types);
  return {
    url: page.url,
    status: page.status,
    role: page.role,
    title: page.title,
    description: clip(page.description, 500),
    canonical: page.canonical,
    headings: page.headings.slice(0, 20).map(({ text }) => text),
    words: page.words,
    hash: page.hash,
    jsonLdTypes: [...new Set(types)].slice(0, 20),
    flags: page.flags,
  };
}
