// runtimes: node
// time-limit: 240 s
// Playwright drives a browser from Node alone. Who may see and do what, on a server with a key.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createClient } from "../../packages/millrace/src/client/index.ts";
import { openBrowser, openPage } from "./support/browser.ts";
import { sharedServer } from "./support/server.ts";

const API_KEY = "the-administrators-own-key";
const server = await sharedServer({ env: { API_KEY } });
const browser = await openBrowser();
const at = (path: string) => `${server.url}${path}`;

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel("Key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("whoever has a key signs in, stays where they wanted to go, and signs out", async (t) => {
  const { jobId } = await server.client.submit("quick", { n: 1 });
  const page = await openPage(t, browser, at(`/ui/jobs/${jobId}`));
  await signIn(page, "a wrong one");
  await page.getByText("The key is invalid", { exact: false }).waitFor();
  await signIn(page, API_KEY);
  await page.getByRole("heading", { name: jobId, level: 1 }).waitFor();
  const [cookie] = await page.context().cookies();
  assert.ok(cookie?.httpOnly && cookie.sameSite === "Strict", "no script reads it, no other site sends it");
  assert.ok(!cookie.value.includes(API_KEY));
  await page.reload();
  await page.getByRole("heading", { name: jobId, level: 1 }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Key").waitFor();
  assert.deepEqual(await page.context().cookies(), []);
  const did = (await server.client.audit()).map(({ what }) => what);
  assert.ok(did.includes("signed in") && did.includes("signed out"), did.join());
});

test("a key that may not read is refused at the door, and another one can be tried", async (t) => {
  const { secret } = await server.client.keys.create({ name: "writer", tenant: "shop", scopes: ["submit"] });
  const page = await openPage(t, browser, at("/ui/"));
  await signIn(page, secret);
  await page.getByText('This request needs the scope "read"', { exact: false }).waitFor();
  await signIn(page, API_KEY);
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
});

test("a key that may only read sees its tenant's jobs and no button it cannot use", async (t) => {
  const { secret } = await server.client.keys.create({ name: "reader", tenant: "shop", scopes: ["read"] });
  const shop = createClient({ baseUrl: server.url, apiKey: API_KEY, tenant: "shop" });
  const own = await shop.submit("order", { customer: "carol" });
  await shop.wait(own);
  const other = await server.client.submit("quick", { n: 2 });
  const [batch, foreign] = [await shop.createBatch(), await server.client.createBatch()];
  const page = await openPage(t, browser, at("/ui/jobs"));
  await signIn(page, secret);
  await page.getByText("1 job", { exact: true }).waitFor();
  const nav = page.getByRole("navigation", { name: "Pages" });
  // Which kinds there are comes a moment later.
  await nav.getByRole("link", { name: "Sites" }).waitFor();
  assert.deepEqual(
    (await nav.getByRole("link").allTextContents()).map((text) => text.replace(/\d.*/, "")),
    ["Overview", "Jobs", "Batches", "Dead letters", "Operations", "Approvals", "Sites"],
  );
  assert.equal(await page.getByRole("checkbox").count(), 0);
  assert.equal(await page.getByRole("button", { name: /Cancel|Retry/ }).count(), 0);
  await page.getByRole("link", { name: own.jobId }).click();
  await page.getByText("Card was declined.").first().waitFor();
  assert.equal(await page.getByRole("button", { name: /Revive|Cancel|Delete/ }).count(), 0);
  await nav.getByRole("link", { name: /Dead letters/ }).click();
  await page.getByRole("button", { name: "Show it" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Revive|Discard/ }).count(), 0);
  await nav.getByRole("link", { name: "Batches" }).click();
  await page.getByRole("link", { name: batch.id }).click();
  await page.getByText("The batch has no jobs.").waitFor();
  assert.equal(await page.getByRole("button", { name: /Seal|Cancel|Retry/ }).count(), 0);
  await page.goto(at(`/ui/batches/${foreign.id}`));
  await page.getByText("Batch not found.").waitFor();
  await page.goto(at("/ui/submit"));
  await page.getByText("This key cannot submit jobs.").waitFor();
  for (const path of ["pools", "schedules", "settings"]) {
    await page.goto(at(`/ui/${path}`));
    await page.getByText("This page is only for the administrator.").waitFor();
  }
  await page.goto(at(`/ui/jobs/${other.jobId}`));
  await page.getByRole("alert").getByText("Job not found").waitFor();
  await page.goto(at("/ui/"));
  await page.getByText("Jobs of the tenant shop.", { exact: false }).waitFor();
});

test("a key is made and revoked in the settings; its sessions end with it", async (t) => {
  const page = await openPage(t, browser, at("/ui/settings?part=keys"));
  await signIn(page, API_KEY);
  await page.getByRole("button", { name: "New key…" }).click();
  await page.getByLabel("Name").fill("the clerk");
  await page.getByLabel("Tenant").fill("shop");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = (await page.locator(".secret").textContent()) ?? "";
  assert.match(secret, /^mr_/);
  await page.getByRole("button", { name: "Close" }).click();
  const clerk = await openPage(t, browser, at("/ui/jobs"));
  await signIn(clerk, secret);
  await clerk.getByRole("heading", { name: "Jobs", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Revoke the clerk" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText("revoked", { exact: true }).waitFor();
  // The end of the feed may tell the clerk first, and then there is nothing left to click; else what it asks next does.
  const deadLetters = clerk.getByRole("navigation").getByRole("link", { name: "Dead letters" });
  const signsIn = clerk.getByLabel("Key");
  await deadLetters.or(signsIn).first().waitFor();
  await deadLetters.click({ timeout: 1_000 }).catch(() => {});
  await signsIn.waitFor();
});

test("settings are shown with secrets masked, and can be searched", async (t) => {
  const page = await openPage(t, browser, at("/ui/settings"));
  await signIn(page, API_KEY);
  await page.getByLabel("Find a setting").fill("api_key");
  const row = page.getByRole("row").filter({ hasText: "API_KEY" });
  await row.first().waitFor();
  assert.ok(!(await page.content()).includes(API_KEY));
});

test("what came from outside is text, also when it looks like a page", async (t) => {
  const hostile = '<img src="x" onerror="document.title = 1"><script>document.title = 2</script>';
  const { jobId } = await server.client.submit("quick", { hostile }, { tags: ["<b>tag</b>"] });
  const page = await openPage(t, browser, at(`/ui/jobs/${jobId}`));
  await signIn(page, API_KEY);
  await page.getByText("onerror", { exact: false }).first().waitFor();
  assert.equal(await page.locator("main img, main script, main b").count(), 0);
  assert.equal(await page.title(), `${jobId} · Millrace`);
});

test("a very long error shows its beginning, and all of it to whoever asks", async (t) => {
  const { jobId } = await server.client.submit("order", { customer: "wordy" });
  await server.client.wait(jobId);
  const page = await openPage(t, browser, at(`/ui/jobs/${jobId}`));
  await signIn(page, API_KEY);
  const why = page.getByRole("region", { name: "Attempts" }).locator(".attempt-why");
  await why.getByRole("button", { name: /^Show all 2.?4\d\d characters$/ }).waitFor();
  assert.doesNotMatch((await why.textContent()) ?? "", /the end/);
  await why.getByRole("button").click();
  await why.getByText("the end.", { exact: false }).waitFor();
});

test("the files are open, hardened, and name nothing elsewhere; pages of other sites cannot act", async () => {
  const page = await fetch(at("/ui/jobs"));
  const policy = page.headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.equal(page.headers.get("x-content-type-options"), "nosniff");
  const [, script = ""] = /src="([^"]+\.js)"/.exec(await page.text()) ?? [];
  const file = await fetch(at(script));
  assert.match(file.headers.get("cache-control") ?? "", /immutable/);
  assert.equal((await fetch(at("/ui/assets/none.js"))).status, 404);
  assert.equal((await fetch(at("/ui/../package.json"))).status, 404);
  assert.equal((await fetch(at("/ui/jobs"), { method: "POST" })).status, 405);
  const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://elsewhere.example" };
  const acted = await fetch(at("/session"), {
    method: "POST",
    headers: { "content-type": "application/json", ...elsewhere },
    body: JSON.stringify({ key: API_KEY }),
  });
  assert.equal(acted.status, 403);
});
