// One page of a browser: offline, and every request it makes refused.

import type { Browser } from "./browser.ts";

export class Page {
  readonly browser: Browser;
  readonly session: string;

  readonly #targetId: string;
  #unlisten: () => void = () => undefined;

  private constructor(browser: Browser, session: string, targetId: string) {
    this.browser = browser;
    this.session = session;
    this.#targetId = targetId;
  }

  static async open(browser: Browser): Promise<Page> {
    const { targetId } = await browser.ask<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.ask<{ sessionId: string }>("Target.attachToTarget", {
      targetId,
      flatten: true,
    });
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
    // Of this size Mermaid believes its page to be: the same as our own document says.
    await page.ask("Emulation.setDeviceMetricsOverride", {
      width: 800,
      height: 600,
      deviceScaleFactor: 1,
      mobile: false,
    });
    return page;
  }

  async close(): Promise<void> {
    this.#unlisten();
    await this.browser.ask("Target.closeTarget", { targetId: this.#targetId });
  }

  ask<Result>(method: string, params: object = {}): Promise<Result> {
    return this.browser.ask<Result>(method, params, this.session);
  }

  async evaluate<Result>(expression: string): Promise<Result> {
    const answer = await this.ask<{
      result: { value: Result };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    }>("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (answer.exceptionDetails !== undefined)
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value;
  }
}
