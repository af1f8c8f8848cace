// runtimes: node
// time-limit: 300 s

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../support/until.ts";
import { openBrowser, openPage } from "./support/browser.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer();
const browser = await openBrowser();

test("an operator limits a tenant, changes one limit and deletes them all", async (t) => {
  const { client } = server;
  const page = await openPage(t, browser, `${server.url}/ui/limits`);
  await page.getByRole("button", { name: "Limit a tenant…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Tenant").fill("acme");
  await dialog.getByLabel("Jobs at once").fill("5");
  await dialog.getByLabel("New jobs beyond that").selectOption("wait");
  await dialog.getByLabel("New jobs", { exact: true }).fill("100");
  await dialog.getByLabel("In each").selectOption("hour");
  await dialog.getByLabel("Weight").fill("2.5");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(await client.limits.tenant("acme"), {
    concurrency: 5,
    overflow: "queue",
    rate: { count: 100, perMs: 3_600_000 },
    weight: 2.5,
  });
  const row = page.getByRole("row", { name: /acme/ });
  await row.getByText("100 per 1 h").waitFor();

  await row.getByRole("button", { name: "Edit the limits of acme" }).click();
  await dialog.getByLabel("Jobs at once").fill("");
  await dialog.getByLabel("New jobs beyond that").selectOption("setting of the server");
  await dialog.getByLabel("Jobs in the queue of a stage").fill("0");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(await client.limits.tenant("acme"), {
    rate: { count: 100, perMs: 3_600_000 },
    weight: 2.5,
    queueMax: 0,
  });

  await row.getByRole("button", { name: "Edit the limits of acme" }).click();
  await dialog.getByRole("button", { name: "Delete all" }).click();
  await until("the tenant has no limits of its own", async () => {
    return Object.keys(await client.limits.tenant("acme")).length === 0;
  });
});

test("what is wrong is said in the dialog, and nothing is stored", async (t) => {
  const page = await openPage(t, browser, `${server.url}/ui/limits`);
  await page.getByRole("button", { name: "Limit a tenant…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Tenant").fill("not a tenant");
  await dialog.getByLabel("Jobs at once").fill("5");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("letters, digits").waitFor();
  assert.deepEqual(
    await server.client.tenants(),
    (await server.client.tenants()).filter(({ limits }) => !limits),
  );
});

test("an operator sees a limiter, changes its rule, and lets it follow the code again", async (t) => {
  const { client } = server;
  await client.limits.setLimiter("openai", { count: 60, perMs: 60_000 });
  const page = await openPage(t, browser, `${server.url}/ui/limits`);
  const row = page.getByRole("row", { name: /openai/ });
  await row.getByText("60 per 1 min").waitFor();
  await row.getByRole("button", { name: "Edit the limiter openai" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("At most").fill("30");
  await dialog.getByLabel("Daily budget", { exact: true }).fill("1000");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await row.getByText("30 per 1 min, 1,000 a day").waitFor();
  const [limiter] = await client.limits.limiters();
  assert.deepEqual(limiter?.rule, { count: 30, perMs: 60_000, perDay: 1_000 });
  await row.getByRole("button", { name: "Edit the limiter openai" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await until("the limiter is gone", async () => (await client.limits.limiters()).length === 0);
});
