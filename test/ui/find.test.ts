// runtimes: node
// time-limit: 240 s
// What operators look for: pages, jobs and kinds by a few letters, saved views, a range between two times, the past of a stage.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openBrowser, openPage } from "./support/browser.ts";
import { sharedServer } from "./support/server.ts";
import { sound } from "./support/sound.ts";

const server = await sharedServer();
const browser = await openBrowser();
const at = (path: string) => `${server.url}${path}`;

test("Ctrl+K finds pages, kinds and a job by its id; a question mark lists the shortcuts", async (t) => {
  const { jobId } = await server.client.submit("quick", { n: 1 });
  const page = await openPage(t, browser, at("/ui/schedules"), { bypassCSP: true });
  await page.getByRole("button", { name: "New schedule…" }).first().waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: /^Go to/ });
  await field.fill("dead");
  await page.getByRole("option", { name: "Dead letters page" }).waitFor();
  await sound(page, "palette", 1280);
  await field.press("Enter");
  await page.waitForURL("**/ui/dead-letters");
  await page.getByRole("button", { name: "Go to…" }).click();
  await field.fill("shipm");
  await page.getByRole("option", { name: "shipment kind" }).click();
  await page.waitForURL("**/ui/jobs?kind=shipment");
  await page.keyboard.press("Control+k");
  await field.fill(jobId);
  await field.press("Enter");
  await page.waitForURL(`**/ui/jobs/${jobId}`);

  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await sound(page, "shortcuts", 1280);
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("j");
  await page.waitForURL("**/ui/jobs");
  await page.getByRole("searchbox", { name: "Search" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("gj?");
  assert.equal(await page.getByRole("searchbox", { name: "Search" }).inputValue(), "gj?");
});

test("a view is saved, opened in another browser, and deleted", async (t) => {
  const page = await openPage(t, browser, at("/ui/jobs?status=held&kind=order"));
  await page.getByRole("button", { name: "Save view…" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("held orders");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The view held orders is saved.").waitFor();
  const other = await openPage(t, browser, at("/ui/dead-letters"));
  await other.getByRole("combobox", { name: "Saved views" }).selectOption("held orders");
  await other.waitForURL("**/ui/jobs?status=held&kind=order");
  await other.getByRole("button", { name: "Delete held orders" }).click();
  await other.getByText("The view held orders is deleted.").waitFor();
  assert.deepEqual(await server.client.views.list(), []);
});

test("jobs between two times are found, and the range is in the address", async (t) => {
  const { jobId } = await server.client.submit("quick", 1, { tags: ["ranged"] });
  const page = await openPage(t, browser, at("/ui/jobs?tag=ranged"));
  await page.getByRole("link", { name: jobId }).waitFor();
  await page.getByRole("combobox", { name: "Time" }).selectOption("Between two times");
  await page.getByLabel("To", { exact: true }).fill("2020-01-01T10:00");
  await page.getByText("No job matches this filter.").waitFor();
  await page.getByLabel("From", { exact: true }).fill("2020-01-01T09:00");
  await page.getByLabel("To", { exact: true }).fill("2090-01-01T10:00");
  await page.getByRole("link", { name: jobId }).waitFor();
  assert.match(new URL(page.url()).searchParams.get("until") ?? "", /^2090-01-01T/);
  await page.getByRole("button", { name: "Any time" }).click();
  assert.equal(new URL(page.url()).searchParams.get("since"), null);
});

test("a stage has its charts, which a triangle marks where a version began, and the range is in the address", async (t) => {
  const page = await openPage(t, browser, at("/ui/stages"));
  await page.getByRole("link", { name: "order/charge", exact: true }).click();
  await page.getByRole("img", { name: /^Throughput, per minute/ }).waitFor();
  await page.getByText("7 days", { exact: true }).click();
  await page.waitForURL("**range=10080**");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("img", { name: /^Throughput, per minute/ }).waitFor({ state: "detached" });
  await page.goto(at("/ui/?range=1440&compare=yesterday"));
  assert.ok(await page.getByRole("checkbox", { name: "Compare with yesterday" }).isChecked());
});
