// runtimes: node
// time-limit: 240 s
// Playwright drives a browser from Node alone. A diagram from source to link, and a fault at its line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../support/until.ts";
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
  await page.getByRole("button", { name: "Share" }).click();
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

  await page.getByRole("combobox", { name: "Format" }).selectOption("Graphviz");
  await page.getByRole("radio", { name: "PNG" }).check({ force: true });
  await page.waitForFunction(() => document.querySelector(".drawing img")?.getAttribute("src") !== null);
  await page.getByRole("button", { name: /^Line/ }).waitFor({ state: "detached" });
});

test("typing leaves no job behind, also where it has faults; an example can be taken back", async (t) => {
  const page = await openPage(t, browser, at("/ui/diagrams"), { permissions: ["clipboard-read", "clipboard-write"] });
  const source = page.getByRole("textbox", { name: "Source of the diagram" });
  await page.getByRole("img", { name: "The diagram as drawn" }).waitFor();
  await source.fill("flowchart LR\n  typed --> ]\n");
  await page.getByRole("button", { name: "Line 2" }).waitFor();
  await source.fill("flowchart LR\n  typed --> whole\n");
  await page.getByRole("button", { name: "Line 2" }).waitFor({ state: "detached" });
  await until("no job of it is left", async () => {
    const { jobs } = await server.client.list({ kind: "render", q: "typed" });
    return jobs.length === 0;
  });
  assert.equal((await server.client.metrics()).dlq, 0);

  await page.getByRole("button", { name: "Sequence" }).first().click();
  await until("the example is there", async () => !(await source.inputValue()).includes("typed"));
  await source.press("Control+z");
  await until("what was written is back", async () => (await source.inputValue()).includes("typed --> whole"));

  // The draft is there again, and a link to the editor brings it to another browser.
  await page.reload();
  assert.match(await source.inputValue(), /typed --> whole/);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Copy editable link" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await openPage(t, browser, link);
  const theirs = other.getByRole("textbox", { name: "Source of the diagram" });
  await theirs.waitFor();
  assert.match(await theirs.inputValue(), /typed --> whole/);

  // Once it is edited, a reload brings the edited text, not the shared one.
  await theirs.fill("flowchart LR\n  edited --> after\n");
  await other.reload();
  await theirs.waitFor();
  assert.match(await theirs.inputValue(), /edited --> after/);
});

test("a drawing is zoomed, fits again, and takes a theme and a size", async (t) => {
  const page = await openPage(t, browser, at("/ui/diagrams"));
  const picture = page.getByRole("img", { name: "The diagram as drawn" });
  await picture.waitFor();
  const width = async () => (await picture.boundingBox())?.width ?? 0;
  await until("it is loaded", async () => (await width()) > 0);
  await page.getByRole("button", { name: "100 %" }).click();
  const natural = await width();
  await page.getByRole("button", { name: "Zoom in" }).click();
  assert.ok(Math.abs((await width()) - natural * 1.25) < 2);
  await page.getByRole("button", { name: "Fit" }).click();
  await page.getByText("Fit", { exact: true }).first().waitFor();
  const before = await picture.getAttribute("src");
  await page.getByRole("combobox", { name: "Theme" }).selectOption("forest");
  await page.waitForFunction((first) => document.querySelector(".drawing img")?.getAttribute("src") !== first, before);
  assert.match(page.url(), /theme=forest/);
});

test("a diagram's job shows it as a picture", async (t) => {
  const { jobId } = await server.client.submitRender({ source: "digraph { a -> b }", format: "graphviz" });
  const page = await openPage(t, browser, at(`/ui/jobs/${jobId}`));
  const picture = page.getByRole("img", { name: `Diagram of ${jobId}` });
  await picture.waitFor();
  assert.ok(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0)));
});
