// A real Chromium: the one that npm brings.

import assert from "node:assert/strict";
import { after, type TestContext } from "node:test";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { chromiumForTests } from "../../support/chromium.ts";
import { scaled } from "../../support/slowness.ts";

const LOCALE_VARIABLES = { LANG: undefined, LANGUAGE: undefined, LC_ALL: undefined, LC_MESSAGES: undefined };

/** One for all tests of a file, closed when they are done. `noLocale`: as on a server whose locale is not set. */
export async function openBrowser({ noLocale = false } = {}): Promise<Browser> {
  const { path, env } = await chromiumForTests();
  const browser = await chromium.launch({
    executablePath: path,
    // Tests may run as root, and in containers with a small /dev/shm. A graphics card that is emulated takes a quarter more time.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-software-rasterizer"],
    env: { ...process.env, ...(noLocale && LOCALE_VARIABLES), ...env } as Record<string, string>,
  });
  after(() => browser.close());
  return browser;
}

interface PageOptions extends Omit<BrowserContextOptions, "locale"> {
  readonly blank?: boolean;
  readonly locale?: string | null;
}

/** What a page said that a good page does not say. */
const complaints = new WeakMap<Page, string[]>();

/**
 * A page in a session of its own (`blank`: not gone there yet; `locale` null: the browser's own). At the end of the test it
 * must have said nothing bad and asked nobody else.
 */
export async function openPage(
  t: TestContext,
  browser: Browser,
  url: string,
  { blank = false, locale = "en-GB", ...options }: PageOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    ...(locale !== null && { locale }),
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(scaled(20_000));
  const wrong: string[] = [];
  complaints.set(page, wrong);
  const { origin } = new URL(url);
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // That the server is away, or refuses, is what some tests are about; the browser reports every such answer.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) wrong.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) wrong.push(`asked ${request.url()}`);
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(wrong, []);
  });
  if (!blank) await page.goto(url);
  return page;
}
