// runtimes: node
// time-limit: 240 s
// Playwright drives a browser from Node alone. A site through its three stages, on a web and models of loopback.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "../../packages/millrace/src/client/index.ts";
import { sites } from "../../packages/sites/src/client.ts";
import { fixtureWeb } from "../../packages/sites/test/support/fixture-web.ts";
import { modelServer } from "../../packages/sites/test/support/model-server.ts";
import { scaled } from "../support/slowness.ts";
import { openBrowser, openPage } from "./support/browser.ts";
import { startServer } from "./support/server.ts";
import { sound } from "./support/sound.ts";

const browser = await openBrowser();

test("a site goes through its stages, waits for review, fills the grid and ends in a report", {
  timeout: 120_000,
}, async (t) => {
  const { bakery } = await fixtureWeb(t, "bakery");
  const models = await modelServer(t, () => ({ content: "Kornblume Bakery is a good one." }));
  const env = { ...models.env, SITE_ALLOW: bakery.place, SITE_PAGE_GAP_MS: "0", SITE_MODELS: "openai/gpt-5-mini" };
  const server = await startServer(t, { env });
  const page = await openPage(t, browser, `${server.url}/ui/`, { bypassCSP: true });
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Sites" }).click();
  await page.getByLabel("Address of the site").fill(bakery.url);
  await page.getByText("More: brand").click();
  await page.getByLabel("Prompts", { exact: true }).fill("4");
  await page.getByLabel("Samples").fill("2");
  await page.getByLabel("Let me review the prompts").check();
  await page.getByRole("button", { name: "Analyse" }).click();
  const prompts = page.getByLabel("Prompts, one per line");
  await prompts.waitFor();
  const asked = () => models.of("gpt-5-mini").filter(({ prompt }) => /^(Which bakery|Where can I)/.test(prompt)).length;
  assert.equal(asked(), 0, "nothing is asked before the prompts are approved");

  const board = await openPage(t, browser, `${server.url}/ui/sites`, { bypassCSP: true });
  await board.getByRole("region", { name: "Prompt forming" }).getByText("waits for review").waitFor();
  await prompts.fill("short");
  await page.getByText("8 to 200 characters each", { exact: false }).waitFor();
  await prompts.fill("Which bakery delivers breakfast to offices?\nWhere can I buy sourdough bread in Leeds?");
  await page.getByRole("button", { name: "Approve and continue" }).click();
  await page.getByText("completed", { exact: true }).first().waitFor();
  const grid = page.getByRole("region", { name: "Prompts" });
  await grid.getByRole("columnheader", { name: "openai/gpt-5-mini" }).waitFor();
  assert.equal(await grid.getByRole("img", { name: "answered, answered" }).count(), 2);
  assert.equal(asked(), 4);
  const report = page.frameLocator("iframe");
  await report.getByRole("heading", { name: "Kornblume Bakery" }).first().waitFor();
  await board.getByRole("region", { name: "Runs" }).getByRole("link").waitFor();
  await page.getByRole("region", { name: "Readiness" }).getByText("The first page responds").waitFor();
  await sound(page, "a site", 1280);
  for (const [name, narrow] of [["a site", page] as const, ["sites", board] as const]) {
    await narrow.setViewportSize({ width: 390, height: 844 });
    await sound(narrow, `${name}, narrow`, 390);
  }
});

test("an administrator sees another tenant's report; a site that cannot be read says why", async (t) => {
  const { bakery } = await fixtureWeb(t, "bakery");
  const server = await startServer(t, { env: { SITE_ALLOW: bakery.place, SITE_PAGE_GAP_MS: "0" } });
  const shop = createClient({ baseUrl: server.url, tenant: "shop" }).with(sites);
  const { jobId } = await shop.wait(await shop.sites.submit({ url: bakery.url }), { timeoutMs: scaled(60_000) });
  const site = await openPage(t, browser, `${server.url}/ui/sites/${jobId}`);
  await site.frameLocator("iframe").getByRole("heading", { name: "Kornblume Bakery" }).first().waitFor();
  for (const form of ["JSON", "CSV"]) {
    const address = await site.getByRole("link", { name: form, exact: true }).getAttribute("href");
    assert.equal((await fetch(`${server.url}${address}`)).status, 200, form);
  }
  const page = await openPage(t, browser, `${server.url}/ui/sites`);
  await page.getByLabel("Address of the site").fill("http://127.0.0.1:9/");
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.locator(".message.wrong, .notice.bad").first().waitFor();
});
