// runtimes: node
// time-limit: 600 s
// Figures and bulk acts where there is much: tens of thousands of dead letters of hundreds of causes, and a revival of half of them
// whose server is killed in the middle.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import { openBrowser, openPage } from "./support/browser.ts";
import { startServer } from "./support/server.ts";

const browser = await openBrowser();
const LETTERS = rounds("DEAD_LETTERS", 8_000, 60_000);
const ALL = LETTERS.toLocaleString("en-GB");
const HALF_WAY = Math.min(2_000, LETTERS / 8);
const CAUSES = 800;
const AT_ONCE = 1_000;
const LONG = 300_000;

test("tens of thousands of dead letters are counted, all their causes found, and half of them revived across a kill", {
  timeout: LONG,
}, async (t) => {
  const server = await startServer(t, { env: { QUEUE_MAX: "0" } });
  const { client } = server;
  for (let i = 0; i < LETTERS; i += AT_ONCE) {
    const jobs = Array.from({ length: AT_ONCE }, (_, n) => letter(i + n));
    await client.submitMany(jobs);
  }
  await until("all of them have failed", async () => (await client.metrics()).dlq === LETTERS, LONG);

  // Every number on the page is the same, and every cause can be reached.
  const page = await openPage(t, browser, `${server.url}/ui/dead-letters`);
  await page.getByText(`${ALL} dead letters, 800 causes`).waitFor();
  await page.getByRole("button", { name: `Revive all ${ALL}…` }).waitFor();
  await page.getByRole("link", { name: `Dead letters ${ALL}` }).waitFor();
  const more = page.getByRole("button", { name: "Show more" });
  for (let shown = 50; shown < CAUSES; shown += 100) {
    await page.getByText(`${shown} of 800 causes.`).waitFor();
    await more.click();
  }
  await until("all are shown", async () => (await page.locator(".group").count()) === CAUSES);
  await page.getByRole("searchbox", { name: "Search causes" }).fill(`no ${word(799)} `);
  await page.getByText(`${LETTERS / CAUSES} dead letters, 1 cause`).waitFor();
  await page.goto(`${server.url}/ui/`);
  await page.locator(".tile", { hasText: "Dead letters" }).getByText(ALL).waitFor();
  await page.getByText(`${ALL} dead letters since`).first().waitFor();

  // The jobs of the revival stay where they are, so that they can be counted.
  await client.pause("fails");
  const half = { action: "revive", filter: { status: "dead-letter", tag: "half" } } as const;
  const startedAt = performance.now();
  const { id, total } = await client.operations.start(half);
  assert.equal(total, LETTERS / 2);
  const again = await client.operations.start(half);
  assert.equal(again.id, id, "an equal request is answered with the one that runs");
  const params = id as string;
  await until("it has begun", async () => (await client.operations.find(params)).done > HALF_WAY, LONG);
  server.program.child.kill("SIGKILL");
  await server.program.ended();
  const next = await startServer(t, { folder: server.folder, env: { QUEUE_MAX: "0" } });
  const before = await next.client.operations.find(params);
  assert.ok(before.done > HALF_WAY, `${before.done} were done`);
  const ended = await until(
    "it has ended",
    async () => {
      const found = await next.client.operations.find(params);
      return found.endedAt !== null && found;
    },
    LONG,
  );
  t.diagnostic(`${total} revivals across a kill in ${Math.round(performance.now() - startedAt)} ms`);
  assert.deepEqual([ended.state, ended.done, ended.skipped, ended.failed], ["completed", total, 0, 0]);
  const metrics = await next.client.metrics();
  assert.deepEqual([metrics.dlq, metrics.waiting.paused], [LETTERS - total, total]);

  // None of them has started, so all of it can be undone.
  const undo = await next.client.operations.undo(params);
  await until(
    "it is undone",
    async () => (await next.client.operations.find(undo.id as string)).endedAt !== null,
    LONG,
  );
  const after = await next.client.metrics();
  assert.deepEqual([after.dlq, after.waiting.paused], [LETTERS, 0]);
  const causes = await next.client.deadLetters.causes({ limit: 1 });
  assert.deepEqual([causes.total, causes.groupCount], [LETTERS, CAUSES]);
});

/** Messages that differ in an id alone are one cause. */
function letter(i: number) {
  const payload = `Order ORD-${10_000 + i}: no ${word(i % CAUSES)} left`;
  return { kind: "fails", payload, tags: i % 2 === 0 ? ["half"] : ["other"] };
}

/** 800 words that no rule takes for an id. */
function word(n: number): string {
  const letters = [Math.floor(n / 400), Math.floor(n / 20) % 20, n % 20];
  return `part${letters.map((each) => String.fromCharCode(97 + each)).join("")}`;
}
