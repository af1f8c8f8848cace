// A made-up site as the crawl keeps it, without a server: for rules that judge what pages say.

import type { Crawl } from "../../src/crawl/crawl.ts";
import { type KeptPage, readPage } from "../../src/crawl/page.ts";
import { profileOf } from "../../src/profile/profile.ts";

export interface MadeUpSite {
  readonly name: string;
  readonly lang: string;
  /** What the site sells, as a reader would say: a question is sensible if it is about one of these. */
  readonly sells: RegExp;
  readonly pages: readonly MadeUpPage[];
  readonly jsonLd?: object;
}

export interface MadeUpPage {
  readonly path: string;
  readonly title: string;
  readonly description?: string;
  readonly h1: string;
  /** Headings with the text below them. */
  readonly sections: readonly (readonly [heading: string, text: string])[];
}

export const home = (page: Omit<MadeUpPage, "path">): MadeUpPage => ({ path: "/", ...page });

export function profileOfMadeUp(site: MadeUpSite) {
  const url = `https://${site.name.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.example`;
  const pages = site.pages.map((page, i) => kept(site, page, { url, isHome: i === 0 }));
  const crawl: Crawl = {
    home: pages[0] as KeptPage,
    pages,
    skipped: [],
    robots: { origin: url, state: "none", text: "" } as never,
    sitemap: undefined,
    llmsTxt: false,
    fetchedAt: "2026-01-01T00:00:00.000Z",
  };
  return profileOf(crawl, { url });
}

function kept(site: MadeUpSite, page: MadeUpPage, { url, isHome }: { url: string; isHome: boolean }): KeptPage {
  const role = isHome
    ? "home"
    : /blog|journal|news/.test(page.path)
      ? "blog"
      : /team|about/.test(page.path)
        ? "about"
        : "other";
  const data =
    isHome && site.jsonLd ? `<script type="application/ld+json">${JSON.stringify(site.jsonLd)}</script>` : "";
  const body = page.sections
    .map(([heading, text]) => `${heading ? `<h2>${heading}</h2>` : ""}<p>${text}</p>`)
    .join("\n");
  const html = `<!doctype html><html lang="${site.lang}"><head><meta charset="utf-8"><title>${page.title}</title>
    ${page.description ? `<meta name="description" content="${page.description}">` : ""}${data}</head><body>
    <nav>${site.pages.map(({ path, h1 }) => `<a href="${path}">${h1}</a>`).join(" ")}</nav><main><h1>${page.h1}</h1>${body}</main></body></html>`;
  const headers = { "content-type": "text/html; charset=utf-8" };
  const fetched = {
    url: url + page.path,
    status: 200,
    headers,
    body: new TextEncoder().encode(html),
    truncated: false,
    redirects: [],
  };
  return readPage(fetched, role) as KeptPage;
}
