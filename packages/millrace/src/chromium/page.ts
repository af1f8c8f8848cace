// One page of a browser: offline, with every request refused.

import type { Bytes } from "../lib/bytes.ts";
import type { Browser } from "./browser.ts";
import type { AskOptions } from "./connection.ts";

/** A page of a browser: offline, with every request refused. */
export class Page {
  /** The browser that the page belongs to. */
  readonly browser: Browser;
  /** The id of its DevTools session. */
  readonly session: string;

  readonly #targetId: string;
  #unlisten: () => void = () => undefined;

  private constructor(browser: Browser, session: string, targetId: string) {
    this.browser = browser;
    this.session = session;
    this.#targetId = targetId;
  }

  /** Opens an empty page. */
  static async open(browser: Browser): Promise<Page> {
    const { targetId } = await browser.ask<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
    const attach = { targetId, flatten: true };
    const { sessionId } = await browser.ask<{ sessionId: string }>("Target.attachToTarget", attach);
    const page = new Page(browser, sessionId, targetId);
    page.#unlisten = browser.listen((method, params, session) => {
      if (session !== sessionId || method !== "Fetch.requestPaused") return;
      const { requestId } = params as { requestId: string };
      page.ask("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" }).catch(() => undefined);
    });
    await page.ask("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
    await page.ask("Network.enable");
    const offline = { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 };
    await page.ask("Network.emulateNetworkConditions", offline);
    return page;
  }

  /** Closes the page. */
  async close(): Promise<void> {
    this.#unlisten();
    await this.browser.ask("Target.closeTarget", { targetId: this.#targetId });
  }

  /** Sends a command of the DevTools protocol to this page and returns its result. */
  ask<Result>(method: string, params: object = {}, { limitMs }: Pick<AskOptions, "limitMs"> = {}): Promise<Result> {
    return this.browser.ask<Result>(method, params, { sessionId: this.session, limitMs });
  }

  /** Evaluates an expression in the page and returns its JSON value. Throws what the expression throws. */
  async evaluate<Result>(expression: string, options: Pick<AskOptions, "limitMs"> = {}): Promise<Result> {
    const answer = await this.ask<{
      result: { value: Result };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    }>("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, options);
    if (answer.exceptionDetails !== undefined)
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value;
  }

  /** Prints a self-contained HTML document, without running scripts. */
  async print(html: string): Promise<Bytes> {
    await this.ask("Emulation.setScriptExecutionDisabled", { value: true });
    const { frameTree } = await this.ask<{ frameTree: { frame: { id: string } } }>("Page.getFrameTree");
    await this.ask("Page.setDocumentContent", { frameId: frameTree.frame.id, html });
    const options = { printBackground: true, preferCSSPageSize: true };
    const { data } = await this.ask<{ data: string }>("Page.printToPDF", options);
    return new Uint8Array(Buffer.from(data, "base64"));
  }
}
