// runtimes: node
// time-limit: 300 s

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../support/until.ts";
import { openBrowser, openPage } from "./support/browser.ts";
import { startServer } from "./support/server.ts";
import { sound } from "./support/sound.ts";

const browser = await openBrowser();
const LATER_MS = 3_600_000;
const JOBS = 3_000;

test("a bulk act covers all that match, shows its progress on every page, and survives a restart", async (t) => {
  const server = await startServer(t);
  const batch = Array.from({ length: 1_000 }, () => ({ kind: "quick", payload: null, delayMs: LATER_MS }));
  for (let i = 0; i < JOBS / 1_000; i++) await server.client.submitMany(batch);
  const page = await openPage(t, browser, `${server.url}/ui/jobs?status=scheduled`, { bypassCSP: true });
  await page.getByRole("button", { name: "Cancel all matching…" }).click();
  await page.getByRole("button", { name: "Cancel 3,000 jobs" }).click();
  const [operation] = await until("it is accepted", async () => {
    const { operations } = await server.client.operations.list();
    return operations.length > 0 && operations;
  });
  const id = operation?.id as string;
  assert.equal(operation?.total, JOBS);
  await page.getByText("3,000 jobs cancelled.").waitFor();
  assert.equal((await server.client.list({ status: "pending" })).jobs.length, 0);

  // At a slow rate: another page shows it, and a restart does not end it.
  const slow = await server.client.operations.start({ action: "retry", filter: { kind: "quick" }, perSecond: 20 });
  await page.goto(`${server.url}/ui/schedules`);
  const strip = page.getByRole("link", { name: "Retrying 3,000 jobs" });
  await strip.waitFor();
  await page.getByRole("progressbar", { name: "Retrying 3,000 jobs" }).waitFor();
  server.program.child.kill("SIGKILL");
  await server.program.ended();
  const again = await startServer(t, { folder: server.folder });
  const before = (await again.client.operations.find(slow.id as string)).done;
  assert.ok(before > 0 && before < JOBS);
  await until("it goes on", async () => (await again.client.operations.find(slow.id as string)).done > before, 60_000);

  const other = await openPage(t, browser, `${again.url}/ui/operations`, { bypassCSP: true });
  const row = other.getByRole("article", { name: "Retry 3,000 jobs" });
  await row.getByText("running", { exact: true }).waitFor();
  await sound(other, "operations", 1280);
  await row.getByRole("button", { name: "Pause: Retry 3,000 jobs" }).click();
  await row.getByText("paused", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Stop: Retry 3,000 jobs" }).click();
  await row.getByText("stopped", { exact: true }).waitFor();
  const { done } = await again.client.operations.find(slow.id as string);
  await row.getByRole("button", { name: "Undo: Retry 3,000 jobs" }).click();
  const words = new RegExp(`${done} of ${done} undone|0 of ${done} undone`);
  await other
    .getByRole("article", { name: `Undo ${done} jobs` })
    .getByText(words)
    .waitFor();
  assert.ok(id);
});
