import { AppError, type Context, JobFailure } from "millrace";
import { FetchFault } from "../fetch/fault.ts";
import { type FetchedResponse, ROBOTS_NAME } from "../fetch/fetch.ts";
import { OFF_LOOP_TIMEOUT } from "../off-loop/off-loop.ts";
import { reading } from "../reading/reading.ts";
import { AllowedFetch, type CrawlOptions, NotAllowed } from "./allowed-fetch.ts";
import { type BotAccess, botAccess } from "./bot-access.ts";
import { type LinkCandidate, sameSite } from "./links.ts";
import { baseOf, type KeptPage, type SkippedPage, skipReason } from "./page.ts";
import type { RobotsFile } from "./robots.ts";
import type { Sitemap } from "./sitemap.ts";
import { MOST_PAGES, readSitemaps, type SitePages } from "./sitemaps.ts";

/** Pages that lead on by `<meta http-equiv="refresh">` are followed this often. */
const MOST_REFRESHES = 3;

/** Reads the pages of one site, each as a step. */
export class Crawler {
  readonly #ctx: Context;
  readonly #fetch: AllowedFetch;
  readonly #renderer: CrawlOptions["renderer"];

  constructor(ctx: Context, options: CrawlOptions) {
    this.#ctx = ctx;
    this.#fetch = new AllowedFetch(ctx, options);
    this.#renderer = options.renderer;
  }

  async home(address: string): Promise<KeptPage> {
    return this.#fetch.step("page home", async () => {
      for (let refreshes = 0, next = address; ; refreshes++) {
        const page = await this.#homeAt(next);
        const to = refreshes < MOST_REFRESHES ? refreshOf(page) : undefined;
        if (to === undefined) return page;
        next = to;
      }
    });
  }

  async #homeAt(address: string): Promise<KeptPage> {
    const fetched = await this.#fetchHome(address);
    const page = await this.#read(fetched, "home");
    if (!("skipped" in page)) return page;
    // There is a site, and it keeps machines out. The run goes on with what its owner says of it.
    if (page.challenge !== undefined) return this.#behindChallenge(fetched, page.challenge);
    if (fetched.status === 429 || fetched.status >= 500) {
      const retryAfterMs = Number(fetched.headers["retry-after"]) * 1_000;
      throw new JobFailure(`${fetched.url} answered ${fetched.status}.`, {
        code: "site-unreachable",
        ...(retryAfterMs > 0 && { retryAfterMs: Math.min(retryAfterMs, 3_600_000) }),
      });
    }
    throw new JobFailure(`The first page could not be read: ${page.url} ${page.skipped}.`, {
      code: "site-unreadable",
      permanent: true,
    });
  }

  async #behindChallenge(fetched: FetchedResponse, challenge: string): Promise<KeptPage> {
    const empty = { ...fetched, status: 200, body: new Uint8Array(), headers: { "content-type": "text/html" } };
    const page = (await this.#read(empty, "home")) as KeptPage;
    return { ...page, status: fetched.status, challenge, flags: [...page.flags, "challenge"] };
  }

  async #fetchHome(address: string): Promise<FetchedResponse> {
    try {
      return await this.#fetch.get(address, () => true);
    } catch (error) {
      if (error instanceof NotAllowed) {
        throw new JobFailure(
          `The site must not be read: ${error.message}. Its owner can allow "${ROBOTS_NAME}" there.`,
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
  async page(candidate: LinkCandidate, home: URL): Promise<KeptPage | SkippedPage> {
    return this.#fetch.step(stepName(candidate.url), async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          const { status, read } = await this.#pageAt(candidate, home);
          if (attempt === 1 && (status === 429 || status >= 500)) continue;
          return "skipped" in read ? { ...read, url: candidate.url } : read;
        } catch (error) {
          if (error instanceof NotAllowed) return { url: candidate.url, skipped: error.message };
          if (!(error instanceof FetchFault)) throw error;
          if (!error.passing || attempt > 1) return { url: candidate.url, skipped: skipReason(error) };
        }
      }
    });
  }

  async #pageAt({ url, role }: LinkCandidate, home: URL): Promise<{ status: number; read: KeptPage | SkippedPage }> {
    for (let refreshes = 0, next = url; ; refreshes++) {
      const fetched = await this.#fetch.get(next, (to) => sameSite(to, home));
      const read = await this.#read(fetched, role);
      const to = "skipped" in read || refreshes === MOST_REFRESHES ? undefined : refreshOf(read);
      if (to === undefined) return { status: fetched.status, read };
      if (!sameSite(new URL(to), home)) throw new NotAllowed(`redirects to another site (${new URL(to).host})`);
      next = to;
    }
  }

  /** A page that is empty until its scripts run is read again after they did, where a browser may be used for it. */
  async #read(fetched: FetchedResponse, role: LinkCandidate["role"]): Promise<KeptPage | SkippedPage> {
    const page = await this.#readAsSent(fetched, role);
    const renderer = this.#renderer;
    if (renderer === undefined || "skipped" in page || !page.appShell) return page;
    const rendered = await this.#render(renderer, fetched);
    const read = rendered && (await this.#readAsSent(rendered, role));
    if (read === undefined || "skipped" in read || read.words <= page.words) return page;
    return { ...read, appShell: true, flags: [...new Set([...read.flags, "app-shell", "rendered"])] };
  }

  /** Whatever goes wrong in the browser, the page stays as it came. */
  async #render(
    renderer: NonNullable<CrawlOptions["renderer"]>,
    fetched: FetchedResponse,
  ): Promise<FetchedResponse | undefined> {
    const { signal } = this.#ctx;
    try {
      return await renderer.render(fetched, (url) => this.#fetch.resource(url), signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#ctx.log.warn("page not rendered", {
        url: fetched.url,
        reason: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  }

  async #readAsSent(fetched: FetchedResponse, role: LinkCandidate["role"]): Promise<KeptPage | SkippedPage> {
    try {
      return await reading.call("readPage", [fetched, role], this.#ctx.signal);
    } catch (error) {
      if (isTooSlow(error)) return { url: fetched.url, skipped: "takes too long to read" };
      throw error;
    }
  }

  async robotsFile(origin: string): Promise<RobotsFile> {
    return (await this.#fetch.robotsOf(origin)).file;
  }

  /** The pages its sitemaps name: those of robots.txt, or the usual place. */
  async sitemap(home: URL): Promise<SitePages | undefined> {
    const { wishes } = await this.#fetch.robotsOf(home.origin);
    const addresses = wishes.sitemaps.length > 0 ? wishes.sitemaps : [new URL("/sitemap.xml", home).href];
    const found = await this.#ctx.step("sitemaps", async () => {
      let tried = 0;
      // Each is a step of its own, so that the job may be left for later between two of them.
      const read = async (address: string) =>
        (await this.#fetch.step(`sitemap ${++tried}`, () => this.#sitemapAt(address, home))) ?? undefined;
      return (await readSitemaps(addresses, read)) ?? null;
    });
    return found ?? undefined;
  }

  async #sitemapAt(address: string, home: URL): Promise<Sitemap | null> {
    const file = await this.#optional(address, home);
    if (!file) return null;
    try {
      const map = await reading.call("readSitemap", [file.body, file.truncated], this.#ctx.signal);
      return map === undefined ? null : { ...map, pages: map.pages.slice(0, MOST_PAGES) };
    } catch (error) {
      if (isTooSlow(error)) return null;
      throw error;
    }
  }

  /** How the first page answers other bots, for the site's owner. */
  access(home: KeptPage): Promise<BotAccess[]> {
    return botAccess(this.#ctx, this.#fetch, home);
  }

  async llmsTxt(home: URL): Promise<boolean> {
    return this.#fetch.step("llms.txt", async () => {
      const file = await this.#optional(new URL("/llms.txt", home).href, home);
      return file !== undefined && !/<html/i.test(new TextDecoder().decode(file.body.subarray(0, 1_000)));
    });
  }

  async #optional(address: string, home: URL): Promise<FetchedResponse | undefined> {
    try {
      if (!sameSite(new URL(address), home)) return undefined;
      const fetched = await this.#fetch.get(address, (to) => sameSite(to, home));
      return fetched.status === 200 ? fetched : undefined;
    } catch (error) {
      if (error instanceof FetchFault || error instanceof NotAllowed) return undefined;
      throw error;
    }
  }
}

/** Where a page that shows next to nothing sends its visitors. */
function refreshOf(page: KeptPage): string | undefined {
  if (page.refresh === "" || page.words > 60 || !URL.canParse(page.refresh, baseOf(page))) return undefined;
  const to = new URL(page.refresh, baseOf(page));
  return /^https?:$/.test(to.protocol) && to.href !== page.url ? to.href : undefined;
}

function isTooSlow(error: unknown): boolean {
  return error instanceof AppError && error.code === OFF_LOOP_TIMEOUT;
}

function stepName(url: string): string {
  return `page ${url}`.slice(0, 500);
}
