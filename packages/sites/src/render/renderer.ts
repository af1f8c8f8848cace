// Runs the scripts of a page in a Chromium that has no network: every request of the page is answered by the guarded fetcher, or
// refused. So a page reaches what the fetcher reaches, which is public addresses that robots.txt allows.

import { Browser, type ChromiumBinary, INSTALL_HINT } from "millrace/chromium";
import { type FetchedResponse, USER_AGENT } from "../fetch/fetch.ts";
import { RenderedPage, type Resources } from "./rendered-page.ts";

export interface RendererOptions {
  readonly findBrowser: () => Promise<ChromiumBinary | undefined>;
  /** For one page, with the wait for those before it. */
  readonly limitMs: number;
}

export class Renderer {
  readonly #options: RendererOptions;
  // One browser at a time, for the sake of memory.
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: RendererOptions) {
    this.#options = options;
  }

  /** The page after its scripts ran. Throws if there is no browser, or it did not finish in time. */
  async render(page: FetchedResponse, resources: Resources, signal: AbortSignal): Promise<FetchedResponse> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#options.limitMs)]);
    const rendered = this.#last.then(() => this.#renderNow(page, resources, limit));
    this.#last = rendered.catch(() => undefined);
    const body = new TextEncoder().encode(await rendered);
    return { ...page, body, headers: { ...page.headers, ...AS_HTML } };
  }

  async #renderNow(page: FetchedResponse, resources: Resources, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const binary = await this.#options.findBrowser();
    if (binary === undefined) throw new Error(`No Chromium was found. ${INSTALL_HINT}`);
    const browser = await Browser.start(binary, { signal, ownGroup: true });
    try {
      const rendered = await RenderedPage.open(browser, { page, resources, userAgent: USER_AGENT });
      return await rendered.html(signal);
    } finally {
      await browser.stop();
    }
  }
}

const AS_HTML = { "content-type": "text/html; charset=utf-8" };
