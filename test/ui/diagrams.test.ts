// runtimes: node
// time-limit: 240 s
// Playwright drives a browser from Node alone. A diagram from source to link, and a fault at its line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openBrowser, openPage } from "./support/browser.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer({ env: { RENDER_SPARES: "2" } });
const browser = await openBrowser();
const at = (path: string) => `${server.url}${path}`;

test("a diagram goes from its source to a link that anybody can open", async (t) => {
  const page = await openPage(t, browser, at("/ui/"), { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Diagrams" }).click();
  const picture = page.getByRole("img", { name: "The diagram as drawn" });
  await picture.waitFor();
  const first = await picture.getAttribute("src");
  const source = page.getByRole("textbox", { name: "Source of the diagram" });
  await source.fill("flowchart LR\n  mill --> race\n");
  await page.waitForFunction((before) => document.querySelector(".drawing img")?.getAttribute("src") !== before, first);
  assert.ok(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0)));
  await page.getByRole("button", { name: "Copy link" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const drawn = await fetch(link);
  assert.equal(drawn.headers.get("content-type"), "image/svg+xml");
  assert.match(await drawn.text(), /race/);

  await source.fill("flowchart LR\n  mill --> race\n  race --> ]\n");
  await page.getByRole("button", { name: "Line 3" }).click();
  assert.equal(await page.evaluate(() => getSelection()?.toString()), "  race --> ]");
  assert.equal(await page.locator(".gutter .at-fault").textContent(), "3");
  await picture.waitFor();

  await page.getByRole("combobox", { name: "Format" }).selectOption("graphviz");
  await page.getByText("PNG", { exact: true }).click();
  await page.waitForFunction(() => document.querySelector(".drawing img")?.getAttribute("src") !== null);
  await page.getByRole("button", { name: /^Line/ }).waitFor({ state: "detached" });
});

test("a diagram's job shows it as a picture", async (t) => {
  const { jobId } = await server.client.submitRender({ source: "digraph { a -> b }", format: "graphviz" });
  const page = await openPage(t, browser, at(`/ui/jobs/${jobId}`));
  const picture = page.getByRole("img", { name: `Diagram of ${jobId}` });
  await picture.waitFor();
  assert.ok(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0)));
});
