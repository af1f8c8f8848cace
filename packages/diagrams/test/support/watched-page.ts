// A page of a real Chromium that is given documents and tells what they did: every script that was compiled, every request
// that was made. It gives them no protection: no policy, no headers, only what is in the document itself.

import { chromiumForTests } from "../../../../test/support/chromium.ts";
import { Browser } from "../../../millrace/src/chromium/browser.ts";
import { fontConfig } from "../../src/chromium/font-config.ts";

const ORIGIN = "https://diagrams.test";
const PROBE = "probe.js";

export interface Deeds {
  readonly scripts: string[];
  readonly requests: string[];
}

export class WatchedPage {
  readonly #browser: Browser;
  readonly #session: string;
  #documents = new Map<string, { type: string; body: string }>();
  #deeds: Deeds = { scripts: [], requests: [] };
  #loaded: (() => void) | undefined;

  private constructor(browser: Browser, session: string) {
    this.#browser = browser;
    this.#session = session;
    browser.listen((method, params, from) => {
      if (from === session) this.#hear(method, params as Record<string, unknown>);
    });
  }

  static async open(): Promise<WatchedPage> {
    const browser = await Browser.start(await chromiumForTests(), { fontConfig });
    const { targetId } = await browser.ask<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.ask<{ sessionId: string }>("Target.attachToTarget", {
      targetId,
      flatten: true,
    });
    const page = new WatchedPage(browser, sessionId);
    for (const domain of ["Page.enable", "Runtime.enable", "Debugger.enable", "Network.enable"])
      await page.#ask(domain);
    await page.#ask("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
    return page;
  }

  stop(): Promise<void> {
    return this.#browser.stop();
  }

  /** Opens `svg` as a document of its own and does to it what a reader's mouse and keyboard would. */
  async openDocument(svg: string): Promise<Deeds> {
    return await this.#visit(new Map([["/document", { type: "image/svg+xml", body: svg }]]), "/document");
  }

  /** Shows each in an <img>, in an <object> and written into the page itself, all on one page. */
  async openInPage(svgs: readonly string[]): Promise<Deeds> {
    const documents = new Map(svgs.map((body, at) => [`/${at}.svg`, { type: "image/svg+xml", body }]));
    const body = svgs
      .map(
        (svg, at) => `<div><img src="/${at}.svg"><object data="/${at}.svg" type="image/svg+xml"></object>${svg}</div>`,
      )
      .join("\n");
    documents.set("/page", {
      type: "text/html",
      body: `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><input value="s3cret">${body}`,
    });
    return await this.#visit(documents, "/page");
  }

  async #visit(documents: Map<string, { type: string; body: string }>, path: string): Promise<Deeds> {
    // The browser asks for this one itself, whatever the document is.
    this.#documents = new Map([...documents, ["/favicon.ico", { type: "image/png", body: "" }]]);
    this.#deeds = { scripts: [], requests: [] };
    const loaded = new Promise<void>((done) => {
      this.#loaded = done;
    });
    await this.#ask("Page.navigate", { url: ORIGIN + path });
    await loaded;
    await this.#ask("Runtime.evaluate", { expression: `${STIR}\n//# sourceURL=${PROBE}`, awaitPromise: true });
    return this.#deeds;
  }

  #hear(method: string, params: Record<string, unknown>): void {
    switch (method) {
      case "Page.loadEventFired":
        this.#loaded?.();
        break;
      case "Page.javascriptDialogOpening":
        this.#deeds.scripts.push(`dialog: ${String(params["message"])}`);
        void this.#ask("Page.handleJavaScriptDialog", { accept: true }).catch(() => undefined);
        break;
      case "Debugger.scriptParsed":
        if (params["url"] !== PROBE)
          this.#deeds.scripts.push(`${String(params["url"])} ${String(params["scriptLanguage"])}`);
        break;
      case "Network.requestWillBeSent": {
        const { url } = params["request"] as { url: string };
        if (!this.#isOurs(url)) this.#deeds.requests.push(url);
        break;
      }
      case "Fetch.requestPaused":
        void this.#answer(params).catch(() => undefined);
        break;
    }
  }

  #isOurs(url: string): boolean {
    return url.startsWith("data:") || (url.startsWith(ORIGIN) && this.#documents.has(url.slice(ORIGIN.length)));
  }

  async #answer({ requestId, request }: Record<string, unknown>): Promise<void> {
    const { url } = request as { url: string };
    const found = url.startsWith(ORIGIN) ? this.#documents.get(url.slice(ORIGIN.length)) : undefined;
    if (found === undefined) {
      this.#deeds.requests.push(url);
      await this.#ask("Fetch.failRequest", { requestId, errorReason: "Failed" });
      return;
    }
    const responseHeaders = [{ name: "Content-Type", value: `${found.type};charset=utf-8` }];
    const body = Buffer.from(found.body).toString("base64");
    await this.#ask("Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders, body });
  }

  #ask<Result>(method: string, params: object = {}): Promise<Result> {
    return this.#browser.ask<Result>(method, params, { sessionId: this.#session });
  }
}

// Links to other pages and to mail may be followed by a reader who wants to; every other one is clicked here.
const STIR = `(async () => {
  // As the browser itself reads the address, whatever it looks like.
  const leadsToPage = (address) => {
    if (address.trim() === "") return false;
    try {
      return ["https:", "http:", "mailto:"].includes(new URL(address, location.href).protocol);
    } catch {
      return false;
    }
  };
  const events = "click mouseover mousemove mouseenter focus focusin keydown pointerdown wheel load error begin end repeat toggle scroll resize animationstart animationend transitionend input copy abort unload activate".split(" ");
  for (const element of document.querySelectorAll("*")) {
    const link = element.closest("a");
    const address = link && (link.getAttribute("href") ?? link.getAttribute("xlink:href") ?? "");
    for (const name of events) {
      if (name === "click" && address !== null && leadsToPage(address)) continue;
      element.dispatchEvent(new MouseEvent(name, { bubbles: false, cancelable: true }));
    }
  }
  await new Promise((done) => setTimeout(done));
})()`;
