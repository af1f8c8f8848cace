// runtimes: node
// time-limit: 300 s
// One connection for all tabs, none for hidden ones, and a page that says what is wrong with the server.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../support/until.ts";
import { openBrowser, openPage } from "./support/browser.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer();
const browser = await openBrowser();
const at = (path: string) => `${server.url}${path}`;
const isFeed = (url: string) => new URL(url).pathname === "/live";

async function live(page: Page): Promise<void> {
  await page.getByText("Live", { exact: true }).filter({ visible: true }).waitFor();
}

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
    Object.defineProperty(document, "visibilityState", {
      configurable: true,
      get: () => (value ? "hidden" : "visible"),
    });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

test("seven tabs share one connection; when its tab is closed, another one takes over", async (t) => {
  const first = await openPage(t, browser, at("/ui/jobs?tag=tabs"), { blank: true });
  const context = first.context();
  const feeds: string[] = [];
  context.on("request", (request) => {
    if (isFeed(request.url())) feeds.push(request.url());
  });
  const pages = [first, ...(await Promise.all(Array.from({ length: 6 }, () => context.newPage())))];
  for (const page of pages) {
    await page.goto(at("/ui/jobs?tag=tabs"));
    await live(page);
  }
  const one = await server.client.submit("quick", 1, { tags: ["tabs"] });
  for (const page of pages) await page.getByRole("link", { name: one.jobId }).waitFor();
  assert.equal(feeds.length, 1);
  await first.close();
  await until("another tab connects", () => feeds.length === 2);
  const two = await server.client.submit("quick", 2, { tags: ["tabs"] });
  for (const page of pages.slice(1)) await page.getByRole("link", { name: two.jobId }).waitFor();
});

test("a hidden tab has no connection and asks nothing; seen again, it shows what happened", async (t) => {
  const page = await openPage(t, browser, at("/ui/jobs?tag=hidden"), { blank: true });
  const ended = page.waitForEvent("requestfailed", { predicate: (request) => isFeed(request.url()) });
  await page.goto(at("/ui/jobs?tag=hidden"));
  await live(page);
  await setHidden(page, true);
  await ended;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const { jobId } = await server.client.submit("quick", 1, { tags: ["hidden"] });
  await server.client.wait(jobId);
  // Another tab sees the job: what a tab may hear of it, this one could have heard.
  const other = await openPage(t, browser, at("/ui/jobs?tag=hidden"));
  await other.getByRole("link", { name: jobId }).waitFor();
  assert.deepEqual(asked, []);
  await setHidden(page, false);
  await page.getByRole("link", { name: jobId }).waitFor();
});

test("errors of the server, a cut feed and a server that is away are told apart", async (t) => {
  const page = await openPage(t, browser, server.url, { blank: true });
  await page.route("**/live", (route) => route.abort());
  await page.goto(at("/ui/jobs"));
  await page.getByText("Live updates are interrupted.", { exact: false }).waitFor();
  const isData = (url: URL) => !url.pathname.startsWith("/ui/");
  await page.route(isData, (route) => route.abort());
  await page.getByText("No answer from the server since", { exact: false }).waitFor();
  await page.unroute(isData);
  await page.unroute("**/live");
  await page.getByText("Reconnecting.", { exact: false }).waitFor({ state: "detached" });
  const fails = (url: URL) => isData(url) && url.pathname !== "/live";
  await page.route(fails, (route) =>
    route.fulfill({ status: 500, json: { error: "x", code: "internal", traceId: "t" } }),
  );
  await server.client.submit("quick", 1);
  await page.getByText("The server answers with errors.", { exact: false }).waitFor();
});

test("Back finds the list as it was: its rows, its place and what was selected", async (t) => {
  const jobs = Array.from({ length: 300 }, (_, n) => ({
    kind: "quick",
    payload: n,
    delayMs: 3_600_000,
    tags: ["back"],
  }));
  await server.client.submitMany(jobs);
  const page = await openPage(t, browser, at("/ui/jobs?tag=back"));
  const rows = page.getByLabel("Rows");
  await rows.waitFor();
  await rows.evaluate((element) => {
    element.scrollTop = 2_400;
  });
  // The rows of that place are drawn a moment later.
  const name = await until("a job in the middle of the list", () => rows.evaluate(middleJob));
  const link = rows.getByRole("link").filter({ hasText: name });
  await rows.getByRole("row").filter({ hasText: name }).getByRole("checkbox").check();
  const before = await rows.evaluate((element) => element.scrollTop);
  await link.click();
  await page.getByRole("heading", { name }).waitFor();
  await page.goBack();
  await page.getByText("1 selected").waitFor();
  assert.equal(await page.getByLabel("Rows").evaluate((element) => element.scrollTop), before);
});

/** The text of the first link well inside what the list shows. */
function middleJob(list: Element): string | undefined {
  const { top, bottom } = list.getBoundingClientRect();
  const links = [...list.querySelectorAll("a")].map((link) => ({ link, box: link.getBoundingClientRect() }));
  return links.find(({ box }) => box.top > top + 100 && box.bottom < bottom - 100)?.link.textContent;
}
