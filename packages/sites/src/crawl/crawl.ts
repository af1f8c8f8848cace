// Stage 1, the way through a site: robots.txt, home, sitemap, then one page after the other. Every answer is a step, so a
// crash fetches nothing twice.

import type { Context } from "millrace";
import type { SiteProfile } from "../api/shapes.ts";
import type { CrawlOptions } from "./allowed-fetch.ts";
import type { BotAccess } from "./bot-access.ts";
import { Crawler } from "./crawler.ts";
import { candidateOf, type LinkCandidate, rankCandidates, sameSite } from "./links.ts";
import { baseOf, canonicalOf, type KeptPage } from "./page.ts";
import type { RobotsFile } from "./robots.ts";
import type { SitePages } from "./sitemaps.ts";

export interface Crawl {
  home: KeptPage;
  pages: KeptPage[];
  skipped: SiteProfile["coverage"]["skipped"];
  robots: RobotsFile;
  /** What the sitemaps name; undefined: there is none. */
  sitemap: Omit<SitePages, "pages"> | undefined;
  llmsTxt: boolean;
  /** How the first page answers the bots of AI companies; undefined: the run does not say that the site is the caller's own. */
  access?: BotAccess[];
  fetchedAt: string;
}

export async function crawlSite(
  ctx: Context,
  { url, maxPages, ownSite = false }: { url: string; maxPages: number; ownSite?: boolean },
  options: CrawlOptions,
): Promise<Crawl> {
  const crawler = new Crawler(ctx, options);
  const home = await crawler.home(url);
  const homeUrl = new URL(home.url);
  const robots = await crawler.robotsFile(homeUrl.origin);
  const map = await crawler.sitemap(homeUrl);
  const queue = new Queue(homeUrl);
  queue.addLinks(home);
  for (const page of map?.pages ?? []) queue.add(candidateOf(page, "", home.url, homeUrl));
  const pages = [home];
  const skipped: Crawl["skipped"] = [];
  const addresses = new Set([home.url, addressOf(home, homeUrl)]);
  const tries = maxPages * 2;
  for (let tried = 0; pages.length < maxPages && tried < tries; tried++) {
    const next = queue.next(addresses);
    if (!next) break;
    addresses.add(next.url);
    ctx.progress(Math.min(0.9, pages.length / maxPages), `page ${pages.length + 1} of up to ${maxPages}`);
    const page = await crawler.page(next, homeUrl);
    if ("skipped" in page) {
      skipped.push({ url: page.url, reason: page.skipped });
      continue;
    }
    const own = addressOf(page, homeUrl);
    const twin = pages.find((each) => each.url === page.url || (each.hash === page.hash && page.words > 0));
    if (own !== next.url && addresses.has(own))
      skipped.push({ url: page.url, reason: `has the canonical address ${own}` });
    else if (!twin) {
      pages.push(page);
      queue.addLinks(page);
    }
    addresses.add(own);
  }
  const llmsTxt = await crawler.llmsTxt(homeUrl);
  const access = ownSite ? await crawler.access(home) : undefined;
  const fetchedAt = await ctx.step("fetched-at", () => new Date().toISOString());
  const sitemap = map && { total: map.total, isCut: map.isCut };
  return { home, pages, skipped, robots, sitemap, llmsTxt, fetchedAt, ...(access && { access }) };
}

/** The address a page goes by: its canonical one within the site, so that five colours of a product are one page. */
function addressOf(page: KeptPage, home: URL): string {
  const canonical = canonicalOf(page);
  return canonical !== undefined && sameSite(canonical, home) ? canonical.href : page.url;
}

class Queue {
  readonly #home: URL;
  readonly #candidates = new Map<string, LinkCandidate>();

  constructor(home: URL) {
    this.#home = home;
  }

  add(candidate: LinkCandidate | undefined): void {
    if (candidate && !this.#candidates.has(candidate.url)) this.#candidates.set(candidate.url, candidate);
  }

  addLinks(page: KeptPage): void {
    const base = baseOf(page);
    for (const { href, text } of page.links) this.add(candidateOf(href, text, base, this.#home));
  }

  next(done: ReadonlySet<string>): LinkCandidate | undefined {
    return rankCandidates([...this.#candidates.values()]).find(({ url }) => !done.has(url));
  }
}
