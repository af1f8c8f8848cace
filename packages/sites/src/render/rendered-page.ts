import type { Browser } from "millrace/chromium";
import { nap } from "../crawl/nap.ts";
import type { FetchedResponse } from "../fetch/fetch.ts";

/** Fetches what a page's scripts ask for; undefined: it may not be fetched. */
export type Resources = (url: string) => Promise<FetchedResponse | undefined>;

interface PausedRequest {
  requestId: string;
  request: { url: string; method: string };
  resourceType: string;
  frameId: string;
}

const MOST_REQUESTS = 80;
const MOST_BYTES = 12_000_000;
const MOST_AT_ONCE = 4;
/** A page that has asked for nothing for this long is complete. */
const QUIET_MS = 500;
const LOOK_MS = 50;
const MOST_HTML_CHARS = 2_900_000;
/** Pictures, fonts, media and frames say nothing; what a script sends elsewhere is never sent. */
const NEEDED = new Set(["Document", "Script", "XHR", "Fetch"]);

export class RenderedPage {
  readonly #browser: Browser;
  readonly #session: string;
  readonly #page: FetchedResponse;
  readonly #resources: Resources;
  readonly #waiting: (() => void)[] = [];
  #requests = 0;
  #bytes = 0;
  #running = 0;
  #fetching = 0;
  #isLoaded = false;
  #frame = "";
  #lastAt = performance.now();

  private constructor(
    browser: Browser,
    session: string,
    { page, resources }: { page: FetchedResponse; resources: Resources },
  ) {
    this.#browser = browser;
    this.#session = session;
    this.#page = page;
    this.#resources = resources;
  }

  static async open(
    browser: Browser,
    options: { page: FetchedResponse; resources: Resources; userAgent: string },
  ): Promise<RenderedPage> {
    const { targetId } = await browser.ask<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
    const attach = { targetId, flatten: true };
    const { sessionId } = await browser.ask<{ sessionId: string }>("Target.attachToTarget", attach);
    const rendered = new RenderedPage(browser, sessionId, options);
    browser.listen((method, params, session) => {
      if (session !== sessionId) return;
      if (method === "Page.loadEventFired") rendered.#isLoaded = true;
      if (method === "Fetch.requestPaused") void rendered.#answer(params as PausedRequest).catch(() => undefined);
      // A dialog would hold the page for ever.
      if (method === "Page.javascriptDialogOpening") {
        rendered.#ask("Page.handleJavaScriptDialog", { accept: false }).catch(() => undefined);
      }
    });
    await rendered.#ask("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
    await rendered.#ask("Network.enable");
    await rendered.#ask("Network.setBypassServiceWorker", { bypass: true });
    await rendered.#ask("Network.setUserAgentOverride", { userAgent: options.userAgent });
    await rendered.#ask("Page.enable");
    return rendered;
  }

  /** What the page shows once it asks for nothing any more. */
  async html(signal: AbortSignal): Promise<string> {
    const { frameId } = await this.#ask<{ frameId: string }>("Page.navigate", { url: this.#page.url });
    this.#frame = frameId;
    while (!this.#isComplete()) await nap(LOOK_MS, signal);
    const expression = `document.documentElement.outerHTML.slice(0, ${MOST_HTML_CHARS})`;
    const { result } = await this.#ask<{ result: { value: string } }>("Runtime.evaluate", {
      expression,
      returnByValue: true,
    });
    return result.value;
  }

  #isComplete(): boolean {
    return this.#isLoaded && this.#running === 0 && performance.now() - this.#lastAt > QUIET_MS;
  }

  async #answer({ requestId, request, resourceType, frameId }: PausedRequest): Promise<void> {
    this.#running++;
    try {
      const found = await this.#find(request, resourceType, frameId);
      if (found === undefined) await this.#refuse(requestId);
      else await this.#fulfil(requestId, found);
    } finally {
      this.#running--;
      this.#lastAt = performance.now();
    }
  }

  async #find(request: PausedRequest["request"], type: string, frameId: string): Promise<FetchedResponse | undefined> {
    if (type === "Document") {
      const isMain = this.#frame === "" || frameId === this.#frame;
      return isMain && request.url === this.#page.url ? this.#page : undefined;
    }
    if (request.method !== "GET" || !NEEDED.has(type)) return undefined;
    if (++this.#requests > MOST_REQUESTS || this.#bytes > MOST_BYTES) return undefined;
    await this.#turn();
    try {
      const found = await this.#resources(request.url);
      this.#bytes += found?.body.byteLength ?? 0;
      return found?.truncated ? undefined : found;
    } finally {
      this.#passTurn();
    }
  }

  /**
   * At most a few fetches at once, as a considerate visitor would make them. Requests whose answer is on its way to the
   * browser do not count: they pass on no turn, so a fetch that waited for them would wait for ever.
   */
  async #turn(): Promise<void> {
    if (this.#fetching < MOST_AT_ONCE) {
      this.#fetching++;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }

  #passTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#fetching--;
    else next();
  }

  #refuse(requestId: string): Promise<unknown> {
    return this.#ask("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
  }

  #fulfil(requestId: string, { status, headers, body }: FetchedResponse): Promise<unknown> {
    const type = headers["content-type"] ?? "text/html";
    const responseHeaders = [
      { name: "content-type", value: type },
      // The page's own origin asked for it; the browser would refuse modules and data of other hosts without this.
      { name: "access-control-allow-origin", value: "*" },
    ];
    const answer = { requestId, responseCode: status, responseHeaders, body: Buffer.from(body).toString("base64") };
    return this.#ask("Fetch.fulfillRequest", answer);
  }

  #ask<Result>(method: string, params: object = {}): Promise<Result> {
    return this.#browser.ask<Result>(method, params, { sessionId: this.#session });
  }
}
