// runtimes: node
// time-limit: 240 s
// Playwright drives a browser from Node alone. Pages of workloads that fail: each says which module it is, and nothing else falls.

import { test } from "node:test";
import { openBrowser } from "./support/browser.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer({ load: ["test/ui/support/pages/broken.ts"] });
const browser = await openBrowser();

const FAULTS: Readonly<Record<string, RegExp>> = {
  Missing: /page module not-built\.js of the workload "missing" did not load/,
  Throwing: /page module throws-at-load\.js of the workload "throwing" did not load: This module is broken\./,
  Drawing: /page module throws-when-drawn\.js of the workload "drawing" failed: This page is broken\./,
  Empty: /page module exports-nothing\.js of the workload "empty" has no default export/,
};

test("a page that does not load or throws shows its module's name, and the rest goes on", async (t) => {
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(`${server.url}/ui/`);
  const menu = page.getByRole("navigation", { name: "Pages" });
  for (const [title, fault] of Object.entries(FAULTS)) {
    await menu.getByRole("link", { name: title, exact: true }).click();
    await page.getByRole("alert").filter({ hasText: fault }).waitFor();
    await menu.getByRole("link", { name: "Sites" }).click();
    await page.getByRole("heading", { name: "Sites", level: 1 }).waitFor();
  }
});

test("a part of a job's page that does not load leaves the job's result", async (t) => {
  const { jobId } = await server.client.submit("quick", { n: 1 });
  await server.client.wait(jobId);
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(`${server.url}/ui/jobs/${jobId}`);
  await page
    .getByRole("alert")
    .filter({ hasText: FAULTS["Throwing"] as RegExp })
    .waitFor();
  await page.getByRole("region", { name: "Result" }).getByText('"echo"').first().waitFor();
  await page.getByRole("region", { name: "Payload" }).first().waitFor();
});
