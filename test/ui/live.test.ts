// runtimes: node
// time-limit: 300 s
// Playwright drives a browser from Node alone. What moves: changes within moments, a feed that is cut and comes back,
// lists that stay still under the pointer, and a page that stays quick while much happens.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { freePort } from "../support/cli.ts";
import { temporaryFolder } from "../support/program.ts";
import { openBrowser, openPage } from "./support/browser.ts";
import { longestTask } from "./support/longest-task.ts";
import { sharedServer, startServer } from "./support/server.ts";

const server = await sharedServer({ env: { QUEUE_MAX: "0" } });
const browser = await openBrowser();
const at = (path: string) => `${server.url}${path}`;

test("the first load is small, and all of it comes from the server", async (t) => {
  const page = await openPage(t, browser, server.url, { blank: true });
  let scripts = 0;
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) scripts += Number(response.headers()["content-length"]);
  });
  const startedAt = performance.now();
  await page.goto(at("/ui/"));
  await page.getByText("Nothing needs attention.").waitFor();
  t.diagnostic(
    `${Math.round(scripts / 1_000)} kB of script, ready after ${Math.round(performance.now() - startedAt)} ms`,
  );
  assert.ok(scripts > 10_000 && scripts <= 200_000, `${scripts} bytes of script`);
});

test("an older job that comes into the filter appears by itself, below the newer ones", async (t) => {
  const submit = (n: number) => server.client.submit("quick", { n }, { tags: ["enters"], delayMs: 600_000 });
  const older = await submit(1);
  const newer = await submit(2);
  await server.client.cancel(newer.jobId);
  const page = await openPage(t, browser, at("/ui/jobs?tag=enters&status=cancelled"));
  await page.getByRole("link", { name: newer.jobId }).waitFor();
  await server.client.cancel(older.jobId);
  await page.getByRole("link", { name: older.jobId }).waitFor();
  const shown = await page.getByRole("table", { name: "Jobs" }).getByRole("link").allTextContents();
  assert.deepEqual(shown, [newer.jobId, older.jobId]);
});

test("new jobs appear by themselves; under the pointer they wait to be shown", async (t) => {
  const page = await openPage(t, browser, at("/ui/jobs?tag=pointed"));
  await page.getByText("No job matches this filter.").waitFor();
  const submit = (n: number) => server.client.submit("quick", { n }, { tags: ["pointed"] });
  const first = await submit(1);
  await page.getByRole("link", { name: first.jobId }).waitFor();
  await page.getByRole("table", { name: "Jobs" }).getByText("completed").waitFor();
  await page.getByRole("link", { name: first.jobId }).hover();
  const before = await page.getByRole("link", { name: first.jobId }).boundingBox();
  const second = await submit(2);
  await page.getByRole("button", { name: "Show 1 new job" }).waitFor();
  assert.deepEqual(await page.getByRole("link", { name: first.jobId }).boundingBox(), before, "nothing jumps");
  await page.getByRole("button", { name: "Show 1 new job" }).click();
  await page.getByRole("link", { name: second.jobId }).waitFor();
});

/** A page that was live when its server went away, and the same server anew. */
async function pageOfStoppedServer(t: TestContext) {
  const folder = temporaryFolder(t);
  const env = { PORT: String(await freePort()) };
  const own = await startServer(t, { env, folder });
  const page = await openPage(t, browser, `${own.url}/ui/jobs`);
  await page.getByText("Live", { exact: true }).filter({ visible: true }).waitFor();
  own.program.child.kill("SIGTERM");
  await own.program.ended();
  return { page, startAgain: () => startServer(t, { env, folder }) };
}

test("a feed that is cut is told calmly, and comes back by itself", async (t) => {
  const { page, startAgain } = await pageOfStoppedServer(t);
  await page.getByText("Reconnecting.", { exact: false }).waitFor();
  const again = await startAgain();
  await page.getByText("Reconnecting.", { exact: false }).waitFor({ state: "detached" });
  const { jobId } = await again.client.submit("quick", 1);
  await page.getByRole("link", { name: jobId }).waitFor();
});

test("a page first opened while the server is away comes by itself when it is back", async (t) => {
  const { page, startAgain } = await pageOfStoppedServer(t);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Submit" }).click();
  await page.getByText("Reconnecting.", { exact: false }).waitFor();
  await startAgain();
  await page.getByRole("button", { name: "Submit", exact: true }).waitFor();
});

test("without the feed the page asks", async (t) => {
  const page = await openPage(t, browser, server.url, { blank: true });
  await page.route("**/live", (route) => route.abort());
  await page.goto(at("/ui/jobs?tag=polled"));
  await page.getByText("Reconnecting.", { exact: false }).waitFor();
  const { jobId } = await server.client.submit("quick", 1, { tags: ["polled"] });
  await page
    .getByRole("button", { name: "Show 1 new job" })
    .or(page.getByRole("link", { name: jobId }))
    .first()
    .waitFor();
  await page.unroute("**/live");
  await page.getByText("Reconnecting.", { exact: false }).waitFor({ state: "detached" });
});

test("ten thousand jobs are scrolled through, a few rows at a time", { timeout: 120_000 }, async (t) => {
  const many = Array.from({ length: 1_000 }, (_, n) => ({
    kind: "quick",
    payload: { n },
    delayMs: 3_600_000,
    tags: ["many"],
  }));
  for (let i = 0; i < 10; i++) await server.client.submitMany(many);
  const page = await openPage(t, browser, at("/ui/jobs?tag=many"));
  const rows = page.getByLabel("Rows");
  await rows.waitFor();
  // To the end of what is there, again and again, until there is no more to come.
  const drawn = await page.evaluate(async () => {
    const scroller = document.querySelector(".jobs-scroll");
    let most = 0;
    while (scroller && !document.body.textContent?.includes("10,000 jobs")) {
      scroller.scrollTop = scroller.scrollHeight;
      await new Promise((resolve) => setTimeout(resolve, 20));
      most = Math.max(most, scroller.querySelectorAll("[role=row]").length);
    }
    return most;
  });
  await page.getByText("10,000 jobs", { exact: true }).waitFor();
  assert.ok(drawn > 5 && drawn < 100, `${drawn} rows drawn at once`);
});

test("with 200 changes a second the page stays responsive", async (t) => {
  const page = await openPage(t, browser, at("/ui/jobs"));
  await page.getByText("Live", { exact: true }).filter({ visible: true }).waitFor();
  const batch = Array.from({ length: 14 }, (_, n) => ({ kind: "quick", payload: { n } }));
  const first = await server.client.submit("quick", { n: "first" });
  await page.getByRole("link", { name: first.jobId }).waitFor();
  await browser.startTracing(page, { categories: ["toplevel"] });
  // Each of them is submitted, claimed and settled: 42 changes every 200 ms.
  for (let i = 0; i < 20; i++) {
    await server.client.submitMany(batch);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const longestMs = longestTask(await browser.stopTracing());
  t.diagnostic(`the longest task took ${Math.round(longestMs)} ms`);
  assert.ok(longestMs > 0 && longestMs < 100, `the longest task took ${longestMs} ms`);
});

test("a job's streams are shown as they are written, without what a failed attempt wrote", async (t) => {
  const job = await server.client.submit("writes", { fails: true });
  const page = await openPage(t, browser, at(`/ui/jobs/${job.jobId}`));
  const answer = page.getByRole("log", { name: "Stream answer" });
  await answer.getByText("The first turn is stored. The second turn goes on.").waitFor();
  assert.ok(!(await answer.innerText()).includes("half-done"));
  assert.equal(await page.getByRole("log", { name: "Stream rows" }).count(), 0, "a page follows two streams");
  await page.getByRole("button", { name: "Show stream rows" }).click();
  await page.getByRole("log", { name: "Stream rows" }).getByText('{"row":1,"name":"ada"}').waitFor();
  await server.client.cancel(job.jobId);
  await page.getByText("ended, cancelled, restarted once").first().waitFor();
});
