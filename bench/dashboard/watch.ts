// watch.ts <address> <loads> <seconds>: runs on Node, since Playwright does, and prints its figures as JSON. A browser opens the
// dashboard afresh a few times, and then watches jobs change, 200 times a second and more.

import { setTimeout as pause } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { createClient } from "../../packages/millrace/src/client/index.ts";
import { chromiumForTests } from "../../test/support/chromium.ts";
import { longestTask } from "../../test/ui/support/longest-task.ts";
import { median } from "../harness.ts";

const [url = "", loads = "5", seconds = "5"] = process.argv.slice(2);
const { path, env } = await chromiumForTests();
const browser = await chromium.launch({
  executablePath: path,
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
  env: { ...process.env, ...env } as Record<string, string>,
});
try {
  const ready: number[] = [];
  let scriptBytes = 0;
  // The first one starts the browser's own parts too.
  for (let i = 0; i <= Number(loads); i++) {
    const { readyMs, bytes } = await opened();
    if (i > 0) ready.push(readyMs);
    scriptBytes = bytes;
  }
  const { longestMs, changes } = await watched(Number(seconds));
  const figures = {
    "ready ms": median(ready),
    "longest ready ms": Math.max(...ready),
    "script kB": scriptBytes / 1_000,
    "longest task ms": longestMs,
    "changes/s": changes,
  };
  process.stdout.write(JSON.stringify(figures));
} finally {
  await browser.close();
}

/** With an empty cache, until the overview says how things stand. */
async function opened(): Promise<{ readyMs: number; bytes: number }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  let bytes = 0;
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) bytes += Number(response.headers()["content-length"]);
  });
  const startedAt = performance.now();
  await page.goto(`${url}/ui/`, { waitUntil: "commit" });
  await page.getByText("Nothing needs attention.").waitFor();
  const readyMs = performance.now() - startedAt;
  await context.close();
  return { readyMs, bytes };
}

/** In time of the page's own thread: what others take of the machine is not the page's doing. */
async function watched(seconds: number): Promise<{ longestMs: number; changes: number }> {
  const client = createClient({ baseUrl: url });
  const page: Page = await browser.newPage();
  await page.goto(`${url}/ui/jobs`);
  await page.getByText("Live", { exact: true }).filter({ visible: true }).waitFor();
  const first = await client.submit("quick", { n: "first" });
  await page.getByRole("link", { name: first.jobId }).waitFor();
  await browser.startTracing(page, { categories: ["toplevel"] });
  const batch = Array.from({ length: 14 }, (_, n) => ({ kind: "quick", payload: { n } }));
  const startedAt = performance.now();
  let changes = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    await client.submitMany(batch);
    // Each is submitted, claimed and settled.
    changes += batch.length * 3;
    await pause(150);
  }
  const perSecond = (changes * 1_000) / (performance.now() - startedAt);
  return { longestMs: longestTask(await browser.stopTracing()), changes: perSecond };
}
