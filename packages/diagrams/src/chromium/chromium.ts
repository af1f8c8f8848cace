// The second way to draw, where a Chromium is found: Mermaid in one warm page, and pictures of what only a browser can draw.
// A drawing has the deadline of its job, at which the pool kills this process together with the browser.

import { Browser, findChromium, INSTALL_HINT, Page } from "millrace/chromium";
import type { MermaidOptions } from "../api/options.ts";
import { mermaidForBrowser } from "../mermaid/load.ts";
import { mermaidConfig, SECURE } from "../mermaid/options.ts";
import { fontConfig } from "./font-config.ts";
import { PageExtras } from "./page-extras.ts";

// Longer than any deadline in use: a drawing that goes on for hours is hung, even without a job around it.
const LONG = { limitMs: 3_600_000 };

type BrowserAnswer = BrowserDrawing | { error: object };

export interface BrowserDrawing {
  readonly svg: string;
  /** Names of icons that no installed pack has. */
  readonly missingIcons: readonly string[];
}

export class NoChromium extends Error {
  override readonly name = "NoChromium";
  constructor() {
    super(`The engine "chromium" needs a Chromium, and none was found. ${INSTALL_HINT} Or remove the option "engine".`);
  }
}

export class Chromium {
  readonly browser: Browser;
  readonly #mermaid: Page;
  readonly #picture: Page;
  readonly #extras = new PageExtras();
  // One drawing at a time in a page.
  #last: Promise<unknown> = Promise.resolve();

  private constructor(browser: Browser, mermaid: Page, picture: Page) {
    this.browser = browser;
    this.#mermaid = mermaid;
    this.#picture = picture;
  }

  static async start(): Promise<Chromium> {
    const binary = await findChromium();
    if (binary === undefined) throw new NoChromium();
    const browser = await Browser.start(binary, { fontConfig });
    try {
      const [mermaid, picture] = [await openPage(browser), await openPage(browser)];
      await loadMermaid(mermaid);
      const clear = { color: { r: 0, g: 0, b: 0, a: 0 } };
      await picture.ask("Emulation.setDefaultBackgroundColorOverride", clear);
      return new Chromium(browser, mermaid, picture);
    } catch (error) {
      await browser.stop();
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.browser.stop();
  }

  /** The SVG as Mermaid made it in the browser; throws what Mermaid threw there. */
  mermaid(source: string, options: MermaidOptions): Promise<BrowserDrawing> {
    return this.#inTurn(async () => {
      await this.#extras.load(this.#mermaid, source);
      return drawMermaid(this.#mermaid, source, options);
    });
  }

  /** In a page that has loaded nothing yet and is closed afterwards: for comparison, since this is what others do. */
  mermaidInFreshPage(source: string, options: MermaidOptions): Promise<string> {
    return this.#inTurn(async () => {
      const page = await openPage(this.browser);
      try {
        await loadMermaid(page);
        await new PageExtras().load(page, source);
        return (await drawMermaid(page, source, options)).svg;
      } finally {
        await page.close();
      }
    });
  }

  /** As an image of a page: there no script runs and nothing is fetched, whatever the drawing holds. */
  picture(svg: string, width: number, height: number): Promise<Uint8Array> {
    return this.#inTurn(async () => {
      const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
      await this.#picture.evaluate(
        `(async () => {
        const image = new Image(${width}, ${height});
        image.src = ${JSON.stringify(address)};
        image.style.display = "block";
        await image.decode();
        document.body.style.margin = "0";
        document.body.replaceChildren(image);
      })()`,
        LONG,
      );
      // A page behind another is never painted, and the question would wait for ever.
      await this.#picture.ask("Page.bringToFront");
      const clip = { x: 0, y: 0, width, height, scale: 1 };
      const shot = { format: "png", clip, captureBeyondViewport: true };
      const { data } = await this.#picture.ask<{ data: string }>("Page.captureScreenshot", shot, LONG);
      return Buffer.from(data, "base64");
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

let shared: Promise<Chromium> | undefined;

/** One for the whole process, started when it is first needed, and again when it has ended. */
export async function sharedChromium(): Promise<Chromium> {
  shared ??= Chromium.start();
  try {
    const chromium = await shared;
    if (chromium.browser.isRunning) return chromium;
  } catch (error) {
    shared = undefined;
    throw error;
  }
  shared = Chromium.start();
  return shared;
}

async function drawMermaid(page: Page, source: string, options: MermaidOptions): Promise<BrowserDrawing> {
  const config = JSON.stringify(mermaidConfig(options));
  const own = JSON.stringify({ ...options.config, ...Object.fromEntries(SECURE.map((name) => [name, null])) });
  const drawn = await page.evaluate<BrowserAnswer>(`draw(${config}, ${own}, ${JSON.stringify(source)})`, LONG);
  if ("svg" in drawn) return drawn;
  throw Object.assign(new Error(), drawn.error);
}

/** Of the size that our own document claims to be, which Mermaid asks for. */
async function openPage(browser: Browser): Promise<Page> {
  const page = await Page.open(browser);
  const size = { width: 800, height: 600, deviceScaleFactor: 1, mobile: false };
  await page.ask("Emulation.setDeviceMetricsOverride", size);
  return page;
}

async function loadMermaid(page: Page): Promise<void> {
  // What the last line of a script is worth is sent back; the whole of Mermaid need not be.
  await page.evaluate(`${mermaidForBrowser()}\n1`);
  await page.evaluate(PREPARE);
}

// Chance from the same seed as in our own engine. From then on nothing a diagram brings along may run: what we evaluate is
// not bound by the page's policy.
const PREPARE = `
  document.body.style.margin = "0";
  document.documentElement.style.overflow = "hidden";
  document.documentElement.style.textRendering = "geometricPrecision";
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";
  document.head.append(policy);
  globalThis.draw = async (config, own, source) => {
    document.body.replaceChildren();
    millrace.missing.length = 0;
    let state = 0x9e3779b9;
    Math.random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
    mermaid.initialize({ ...millrace.checkConfig(own, mermaid.mermaidAPI.defaultConfig), ...config });
    try {
      const { svg } = await mermaid.render("diagram", source);
      const holder = document.createElement("div");
      holder.innerHTML = svg;
      const missingIcons = millrace.missing.splice(0);
      return { svg: new XMLSerializer().serializeToString(holder.firstElementChild), missingIcons };
    } catch (error) {
      const { name, message, reason, mark, hash } = error instanceof Object ? error : { message: String(error) };
      return { error: JSON.parse(JSON.stringify({ name, message, reason, mark, hash })) };
    }
  };
  1`;
