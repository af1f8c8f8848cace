// Stage 1, the way through a site: robots.txt, home, sitemap, then one page after the other. Every answer is a step, so a
// crash fetches nothing twice; between two requests to a host there is a pause, and a long one frees the processor.

import { AppError, type Context, JobFailure } from "millrace";
import type { SiteProfile } from "../api/shapes.ts";
import { FetchFault } from "../fetch/fault.ts";
import { type Fetched, type FetchLimits, fetchGuarded, ROBOTS_NAME } from "../fetch/fetch.ts";
import { checkTarget, type FetchPolicy } from "../fetch/target.ts";
import { OFF_LOOP_TIMEOUT } from "../off-loop/off-loop.ts";
import { reading } from "../reading/reading.ts";
import { type Candidate, candidateOf, rankCandidates, registrableDomain, sameSite } from "./links.ts";
import { type KeptPage, type SkippedPage, skipReason } from "./page.ts";
import { fetchRobots, type RobotsFile, type RobotsWishes } from "./robots.ts";
import type { Sitemap } from "./sitemap.ts";

export interface CrawlOptions {
  readonly policy: FetchPolicy;
  readonly limits?: Partial<FetchLimits>;
  /** Between two requests to the same host, at least. */
  readonly gapMs: number;
  /** An attempt that has fetched for this long hands its processor on; the steps are kept. */
  readonly turnMs: number;
}

export interface Crawl {
  home: KeptPage;
  pages: KeptPage[];
  skipped: SiteProfile["coverage"]["skipped"];
  robots: RobotsFile;
  /** How many pages the sitemap names; undefined: there is none. */
  sitemapPages: number | undefined;
  llmsTxt: boolean;
  fetchedAt: string;
}

/** A pause longer than this is not slept through in a processor. */
const LONGEST_NAP_MS = 1_500;
const MOST_ORIGINS = 5;

export async function crawlSite(
  ctx: Context,
  { url, maxPages }: { url: string; maxPages: number },
  options: CrawlOptions,
): Promise<Crawl> {
  const crawler = new Crawler(ctx, options);
  const home = await crawler.home(url);
  const homeUrl = new URL(home.url);
  const robots = await crawler.robotsFile(homeUrl.origin);
  const map = await crawler.sitemap(homeUrl);
  const candidates = new Map<string, Candidate>();
  const add = (candidate: Candidate | undefined) => {
    if (candidate && candidate.url !== home.url && !candidates.has(candidate.url))
      candidates.set(candidate.url, candidate);
  };
  for (const { href, text } of home.links) add(candidateOf(href, text, home.url, homeUrl));
  for (const page of map?.slice(0, 500) ?? []) add(candidateOf(page, "", home.url, homeUrl));
  const pages = [home];
  const skipped: Crawl["skipped"] = [];
  const done = new Set([home.url]);
  const tries = maxPages * 2;
  for (let tried = 0; pages.length < maxPages && tried < tries; tried++) {
    const next = rankCandidates([...candidates.values()]).find(({ url }) => !done.has(url));
    if (!next) break;
    done.add(next.url);
    ctx.progress(Math.min(0.9, pages.length / maxPages), `page ${pages.length + 1} of up to ${maxPages}`);
    const page = await crawler.page(next, homeUrl);
    if ("skipped" in page) skipped.push({ url: page.url, reason: page.skipped });
    else if (!pages.some(({ url, hash }) => url === page.url || (hash === page.hash && page.words > 0))) {
      pages.push(page);
      for (const { href, text } of page.links) add(candidateOf(href, text, page.url, homeUrl));
    }
  }
  const llmsTxt = await crawler.llmsTxt(homeUrl);
  const fetchedAt = await ctx.step("fetched-at", () => new Date().toISOString());
  return { home, pages, skipped, robots, sitemapPages: map?.length, llmsTxt, fetchedAt };
}

class Crawler {
  readonly #ctx: Context;
  readonly #options: CrawlOptions;
  readonly #robots = new Map<string, Promise<HostRobots>>();
  readonly #lastAt = new Map<string, number>();
  readonly #startedAt = performance.now();

  constructor(ctx: Context, options: CrawlOptions) {
    this.#ctx = ctx;
    this.#options = options;
  }

  async home(address: string): Promise<KeptPage> {
    const page = await this.#ctx.step("page home", async () => {
      const fetched = await this.#fetchHome(address);
      if (fetched.status === 429 || fetched.status >= 500) {
        const retryAfterMs = Number(fetched.headers["retry-after"]) * 1_000;
        throw new JobFailure(`${fetched.url} answered ${fetched.status}.`, {
          code: "site-unreachable",
          ...(retryAfterMs > 0 && { retryAfterMs: Math.min(retryAfterMs, 3_600_000) }),
        });
      }
      const page = await this.#read(fetched, "home");
      if (!("skipped" in page)) return page;
      throw new JobFailure(`The first page could not be read: ${page.url} ${page.skipped}.`, {
        code: "site-unreadable",
        permanent: true,
      });
    });
    return page;
  }

  async #fetchHome(address: string): Promise<Fetched> {
    try {
      return await this.#fetchAllowed(address, () => true);
    } catch (error) {
      if (error instanceof NotAllowed) {
        throw new JobFailure(
          `The site may not be read: ${error.message}. Whoever runs it can allow "${ROBOTS_NAME}" there.`,
          { code: "robots-denied", permanent: true },
        );
      }
      if (!(error instanceof FetchFault)) throw error;
      const code = error.code === "blocked-address" ? "blocked-address" : "site-unreachable";
      throw new JobFailure(`${address} could not be fetched: ${error.message}`, {
        code,
        permanent: !error.passing,
        cause: error,
      });
    }
  }

  /** A page that fails for the moment gets a second chance; after that it is skipped, and the run goes on. */
  async page(candidate: Candidate, home: URL): Promise<KeptPage | SkippedPage> {
    return this.#ctx.step(stepName(candidate.url), async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          const fetched = await this.#fetchAllowed(candidate.url, (to) => sameSite(to, home));
          if (attempt === 1 && (fetched.status === 429 || fetched.status >= 500)) continue;
          const read = await this.#read(fetched, candidate.role);
          return "skipped" in read ? { url: candidate.url, skipped: read.skipped } : read;
        } catch (error) {
          if (error instanceof NotAllowed) return { url: candidate.url, skipped: error.message };
          if (!(error instanceof FetchFault)) throw error;
          if (!error.passing || attempt > 1) return { url: candidate.url, skipped: skipReason(error) };
        }
      }
    });
  }

  async #read(fetched: Fetched, role: Candidate["role"]): Promise<KeptPage | SkippedPage> {
    try {
      return await reading.call("readPage", [fetched, role], this.#ctx.signal);
    } catch (error) {
      if (isTooSlow(error)) return { url: fetched.url, skipped: "takes too long to read" };
      throw error;
    }
  }

  /** Every origin on the way is asked for its robots.txt before anything else is asked of it. */
  async #fetchAllowed(address: string, belongs: (to: URL) => boolean): Promise<Fetched> {
    let current = address;
    for (let origins = 1; ; origins++) {
      const { origin } = checkTarget(current, this.#options.policy).url;
      const { file, wishes } = await this.#robotsOf(origin);
      if (file.state === "closed") throw this.#closed(file, current === address);
      const allows = (url: string) => reading.call("robotsAllow", [file, url], this.#ctx.signal);
      if (!(await allows(current))) throw new NotAllowed(`robots.txt of ${new URL(origin).host} forbids it`);
      await this.#pause(origin, wishes.delayMs);
      const fetched = await this.#fetch(current, async (to) => to.origin === origin && (await allows(to.href)));
      const location = fetched.status >= 300 && fetched.status < 400 ? fetched.headers["location"] : undefined;
      if (location === undefined || !URL.canParse(location, fetched.url)) return fetched;
      const to = new URL(location, fetched.url);
      if (!belongs(to)) throw new NotAllowed(`leads to another site (${to.host})`);
      if (origins === MOST_ORIGINS) throw new FetchFault("too-many-redirects", "It redirects over too many hosts.");
      current = to.href;
    }
  }

  #closed(file: RobotsFile, isFirst: boolean): Error {
    const message = `robots.txt of ${new URL(file.origin).host} could not be read (${file.reason ?? "no reason given"}), so nothing is fetched`;
    return isFirst ? new JobFailure(`${message}.`, { code: "robots-unreachable" }) : new NotAllowed(message);
  }

  async robotsFile(origin: string): Promise<RobotsFile> {
    return (await this.#robotsOf(origin)).file;
  }

  #robotsOf(origin: string): Promise<HostRobots> {
    const known = this.#robots.get(origin);
    if (known !== undefined) return known;
    const asked = this.#askRobots(origin);
    this.#robots.set(origin, asked);
    return asked;
  }

  async #askRobots(origin: string): Promise<HostRobots> {
    const { policy, limits } = this.#options;
    const { signal } = this.#ctx;
    let closed: RobotsFile | undefined;
    try {
      const file = await this.#ctx.step(`robots ${origin}`, async () => {
        checkTarget(origin, policy);
        this.#lastAt.set(origin, performance.now());
        const found = await fetchRobots(origin, { policy, signal, ...(limits && { limits }) });
        if (found.state !== "closed") return found;
        // Not kept: the next attempt asks again.
        closed = found;
        throw new Error("closed");
      });
      return { file, wishes: await reading.call("robotsWishes", [file], signal) };
    } catch (error) {
      if (!closed) throw error;
      return { file: closed, wishes: { delayMs: 0, sitemaps: [] } };
    }
  }

  /** The pages its sitemaps name: those of robots.txt, or the usual place. */
  async sitemap(home: URL): Promise<string[] | undefined> {
    const { wishes } = await this.#robotsOf(home.origin);
    const found = await this.#ctx.step("sitemap", async () => {
      const waiting = wishes.sitemaps.length > 0 ? [...wishes.sitemaps] : [new URL("/sitemap.xml", home).href];
      const pages: string[] = [];
      let maps = 0;
      for (let next = waiting.shift(); next !== undefined && maps < 4 && pages.length < 500; next = waiting.shift()) {
        const map = await this.#sitemapAt(next, home);
        if (!map) continue;
        maps++;
        pages.push(...map.pages);
        waiting.push(...map.maps.slice(0, 3));
      }
      return maps === 0 ? null : [...new Set(pages)].slice(0, 500);
    });
    return found ?? undefined;
  }

  async #sitemapAt(address: string, home: URL): Promise<Sitemap | undefined> {
    const body = await this.#optional(address, home);
    if (!body) return undefined;
    try {
      return await reading.call("readSitemap", [body], this.#ctx.signal);
    } catch (error) {
      if (isTooSlow(error)) return undefined;
      throw error;
    }
  }

  async llmsTxt(home: URL): Promise<boolean> {
    return this.#ctx.step("llms.txt", async () => {
      const body = await this.#optional(new URL("/llms.txt", home).href, home);
      return body !== undefined && !/<html/i.test(new TextDecoder().decode(body.subarray(0, 1_000)));
    });
  }

  async #optional(address: string, home: URL): Promise<Uint8Array | undefined> {
    try {
      if (!sameSite(new URL(address), home)) return undefined;
      const { status, body } = await this.#fetchAllowed(address, (to) => sameSite(to, home));
      return status === 200 ? body : undefined;
    } catch (error) {
      if (error instanceof FetchFault || error instanceof NotAllowed) return undefined;
      throw error;
    }
  }

  #fetch(address: string, follow: (to: URL) => Promise<boolean>): Promise<Fetched> {
    const { policy, limits } = this.#options;
    return fetchGuarded(address, { policy, signal: this.#ctx.signal, follow, ...(limits && { limits }) });
  }

  async #pause(origin: string, delayMs: number): Promise<void> {
    const { turnMs } = this.#options;
    if (performance.now() - this.#startedAt > turnMs) this.#ctx.defer({ delayMs: 0 }, "lets other sites have a turn");
    const gapMs = Math.max(this.#options.gapMs, delayMs);
    const host = registrableDomain(new URL(origin).hostname);
    const last = this.#lastAt.get(host) ?? this.#lastAt.get(origin);
    const waitMs = last === undefined ? 0 : last + gapMs - performance.now();
    if (waitMs > LONGEST_NAP_MS) this.#ctx.defer({ delayMs: waitMs }, `${host} asks for pauses of ${gapMs} ms`);
    if (waitMs > 0) await nap(waitMs, this.#ctx.signal);
    this.#lastAt.set(host, performance.now());
  }
}

/** A host's robots.txt, and what it asks of us beside its rules. */
interface HostRobots {
  file: RobotsFile;
  wishes: RobotsWishes;
}

class NotAllowed extends Error {}

function isTooSlow(error: unknown): boolean {
  return error instanceof AppError && error.code === OFF_LOOP_TIMEOUT;
}

function stepName(url: string): string {
  return `page ${url}`.slice(0, 500);
}

function nap(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}
