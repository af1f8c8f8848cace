// runtimes: node
// time-limit: 300 s
// Playwright drives a browser from Node alone. axe on every page, light and dark, wide and narrow; nothing wider than the
// screen; charts also where the browser's locale is not set.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { openBrowser, openPage } from "./support/browser.ts";
import { sharedServer } from "./support/server.ts";
import { sound } from "./support/sound.ts";

const server = await sharedServer();
const browser = await openBrowser();
const ids = { running: "", failed: "", held: "", waits: "", batch: "", parent: "" };

before(async () => {
  const { client } = server;
  ids.running = (await client.submit("waits", { n: 1 })).jobId;
  ids.failed = (await client.wait(await client.submit("order", { customer: "carol" }))).jobId;
  ids.held = (await client.submit("order", { customer: "dave" })).jobId;
  await client.wait(await client.submit("quick", { n: 2 }, { tags: ["look"] }));
  await client.submit("quick", { n: 3 }, { delayMs: 3_600_000 });
  ids.waits = (await client.submit("shipment", { id: 7 })).jobId;
  await client.submit("shipment", { id: 8 });
  ids.batch = (await client.createBatch({ onEnd: { kind: "quick", payload: 1 } })).id;
  await client.addToBatch(
    ids.batch,
    ["a.png", "bad.png", "slow.png"].map((payload) => ({ kind: "thumbnail", payload })),
  );
  const pictures = Array.from({ length: 210 }, (_, n) => (n % 50 === 0 ? `bad ${n}` : `p${n}`));
  const albums = { small: ["a.png", "slow.png"], large: pictures };
  ids.parent = (await client.submit("library", { albums })).jobId;
  await client.schedules.put("weekly", { cron: "30 6 * * 1", kind: "quick", payload: 1 });
  await client.limits.setTenant("shop", { concurrency: 5, rate: { count: 100, perMs: 60_000 }, weight: 2.5 });
  await client.limits.setLimiter("openai", { count: 60, perMs: 60_000, perDay: 1_000 });
  await client.operations.start({
    action: "reprioritise",
    filter: { status: "scheduled", kind: "quick" },
    priority: 5,
  });
  await client.keys.create({ name: "the shop", tenant: "shop", scopes: ["read"] });
});

const PAGES: Readonly<Record<string, { path: () => string; ready: string }>> = {
  overview: { path: () => "/ui/", ready: "All processors" },
  deployments: { path: () => "/ui/deployments", ready: "reserve → charge → ship" },
  submit: { path: () => "/ui/submit", ready: "Try an example" },
  "submit, by a form": { path: () => "/ui/submit?kind=email", ready: "New job of kind email" },
  jobs: { path: () => "/ui/jobs", ready: "Cancel all matching…" },
  "a job that runs": { path: () => `/ui/jobs/${ids.running}`, ready: "40 %, page 4 of 10" },
  "a job that failed": { path: () => `/ui/jobs/${ids.failed}`, ready: "Stack" },
  "a job that waits": { path: () => `/ui/jobs/${ids.waits}`, ready: "approval ship" },
  "a parent": { path: () => `/ui/jobs/${ids.parent}`, ready: "Related jobs" },
  batches: { path: () => "/ui/batches", ready: "1 failed" },
  "a batch": { path: () => `/ui/batches/${ids.batch}`, ready: "2 of 3 jobs ended" },
  approvals: { path: () => "/ui/approvals", ready: "Ship order 7?" },
  "dead letters": { path: () => "/ui/dead-letters", ready: "Card was declined." },
  pools: { path: () => "/ui/pools", ready: "of at most" },
  tenants: { path: () => "/ui/tenants", ready: "busiest tenants" },
  processes: { path: () => "/ui/processes", ready: "also those that only accept" },
  stages: { path: () => "/ui/stages", ready: "order/charge" },
  operations: { path: () => "/ui/operations", ready: "Change the priority of 1 job" },
  diagrams: { path: () => "/ui/diagrams", ready: "Download" },
  sites: { path: () => "/ui/sites", ready: "Analyse a site" },
  limits: { path: () => "/ui/limits", ready: "100 per 1" },
  schedules: { path: () => "/ui/schedules", ready: "weekly" },
  settings: { path: () => "/ui/settings", ready: "JOB_RETENTION_MS" },
  keys: { path: () => "/ui/settings?part=keys", ready: "the shop" },
  audit: { path: () => "/ui/settings?part=audit", ready: "key created" },
  "no such page": { path: () => "/ui/none", ready: "Page not found." },
};

const LOOKS = [
  // As on a server whose locale is not set: such a browser reports a language that no formatter accepts.
  { colorScheme: "light", width: 1440, noLocale: true, byLink: false },
  { colorScheme: "dark", width: 390, noLocale: false, byLink: true },
] as const;

for (const { colorScheme, width, noLocale, byLink } of LOOKS) {
  const title = `every page is sound in ${colorScheme} at ${width} pixels${noLocale ? ", in a browser without a locale" : ""}`;
  test(title, { timeout: 150_000 }, async (t) => {
    const options = {
      colorScheme,
      viewport: { width, height: 900 },
      bypassCSP: true,
      ...(noLocale && { locale: null }),
    };
    const used = noLocale ? await openBrowser({ noLocale }) : browser;
    const page = await openPage(t, used, `${server.url}/ui/none`, options);
    if (noLocale) {
      const language = String(await page.evaluate("navigator.language"));
      assert.throws(() => new Intl.NumberFormat(language), RangeError, `${language} is no language tag`);
    }
    for (const [name, { path, ready }] of Object.entries(PAGES)) {
      await (byLink ? followLink(page, path()) : page.goto(server.url + path()));
      await page.getByText(ready, { exact: false }).first().waitFor();
      if (name === "overview") await page.locator(".chart canvas").first().waitFor();
      await sound(page, name, width);
    }
  });
}

/** As a link does: the dashboard changes its page and is not loaded again. */
async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
}

test("dialogs, the opened menu, and each theme by hand are sound", async (t) => {
  const page = await openPage(t, browser, `${server.url}/ui/dead-letters`, {
    colorScheme: "light",
    viewport: { width: 390, height: 900 },
    bypassCSP: true,
  });
  await page
    .getByRole("button", { name: /^Revive/ })
    .last()
    .click();
  await page.getByRole("heading", { name: "Revive 1 dead letter?" }).waitFor();
  await sound(page, "a dialog", 390);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Menu" }).click();
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  for (const theme of ["light", "dark"]) await page.getByRole("button", { name: `Change to ${theme}` }).click();
  await sound(page, "the menu, dark", 390);
  assert.notEqual(await background(), light);
  await page.reload();
  assert.notEqual(await background(), light, "the choice is kept");
});
