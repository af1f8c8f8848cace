// runtimes: node
// time-limit: 240 s
// Playwright drives a browser from Node alone. The page of a user's own workload, in the dashboard that is served for all.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createClient } from "../../packages/millrace/src/client/index.ts";
import { openBrowser, openPage } from "./support/browser.ts";
import { sharedServer } from "./support/server.ts";
import { sound } from "./support/sound.ts";

const API_KEY = "the-administrators-own-key";
const server = await sharedServer({ env: { API_KEY }, load: ["examples/workload/greetings.ts"] });
const browser = await openBrowser();
const at = (path: string) => `${server.url}${path}`;
const MODULE = "/workloads/greetings/page.js";

async function openSignedIn(t: Parameters<typeof openPage>[0], key: string, path: string, options = {}) {
  const page = await openPage(t, browser, at(path), options);
  await page.getByLabel("Key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  return page;
}

function menu(page: Page) {
  return page.getByRole("navigation", { name: "Pages" });
}

function greet(name: string): Promise<Response> {
  const headers = { "content-type": "application/json", "x-api-key": API_KEY };
  return fetch(at("/greetings"), { method: "POST", headers, body: JSON.stringify({ name }) });
}

test("it is in the menu, shows its own route's data, and follows its own events", async (t) => {
  await greet("Grace");
  const page = await openSignedIn(t, API_KEY, "/ui/");
  await menu(page).getByRole("link", { name: "Greetings" }).click();
  await page.getByRole("heading", { name: "Greetings", level: 1 }).waitFor();
  await page.getByText("Hello, Grace!").waitFor();
  assert.equal(await menu(page).locator("[aria-current=page]").textContent(), "Greetings");

  await greet("Linus");
  await page.getByText("Last greeted: Linus.").waitFor();
  await page.getByText("Hello, Linus!").waitFor();

  await page.getByLabel("Name").fill("Ada");
  await page.getByRole("button", { name: "Greet" }).click();
  await page.getByText("Ada will be greeted.").waitFor();
  await page.getByText("Hello, Ada!").waitFor();
  await page.getByRole("row", { name: "Ada" }).getByRole("link").click();
  await page.getByRole("heading", { name: /^job_/, level: 1 }).waitFor();
  await page.goBack();
  await page.getByText("Hello, Ada!").waitFor();
});

test("it runs on the dashboard's React: no script brings a second one", async (t) => {
  const page = await openPage(t, browser, at("/ui/greetings"), { blank: true });
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (/javascript/.test(response.headers()["content-type"] ?? "")) scripts.push(response.text());
  });
  await page.goto(at("/ui/greetings"));
  await page.getByLabel("Key").fill(API_KEY);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Greetings", level: 1 }).waitFor();
  const texts = await Promise.all(scripts);
  const reacts = texts.filter((text) => /\.useSyncExternalStore=function/.test(text));
  assert.equal(reacts.length, 1, "one script defines the hooks");
  assert.ok(
    texts.some((text) => text.includes("function GreetingsPage")),
    "the page came as it was written",
  );
});

test("it is sound in both themes, wide and narrow", async (t) => {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      const options = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true };
      const page = await openSignedIn(t, API_KEY, "/ui/greetings", options);
      await page.getByText("Hello, Ada!").first().waitFor();
      await sound(page, `greetings, ${colorScheme}`, width);
    }
  }
});

test("whoever lacks its scope has it neither in the menu nor by its address, and cannot load its module", async (t) => {
  const keyFor = async (scopes: ("read" | "greetings:write")[]) =>
    (await server.client.keys.create({ name: scopes.join(), tenant: "shop", scopes })).secret;
  const statusWith = async (apiKey: string) => (await fetch(at(MODULE), { headers: { "x-api-key": apiKey } })).status;
  const reader = await keyFor(["read"]);
  assert.equal(await statusWith(reader), 403);
  assert.equal((await fetch(at(MODULE))).status, 401);
  const page = await openSignedIn(t, reader, "/ui/greetings");
  await page.getByText("Page not found.").waitFor();
  await menu(page).getByRole("link", { name: "Sites" }).waitFor();
  assert.equal(await menu(page).getByRole("link", { name: "Greetings" }).count(), 0);
  const [known] = await createClient({ baseUrl: server.url, apiKey: reader })
    .workloads()
    .then((all) => all.filter(({ workload }) => workload === "greetings"));
  assert.deepEqual(known, { workload: "greetings", scopes: [{ scope: "greetings:write", allows: "greet people" }] });

  const greeter = await keyFor(["read", "greetings:write"]);
  assert.equal(await statusWith(greeter), 200);
  const other = await openSignedIn(t, greeter, "/ui/greetings");
  await other.getByLabel("Name").fill("Shop");
  await other.getByRole("button", { name: "Greet" }).click();
  await other.getByText("Hello, Shop!").waitFor();
});

test("a key with its scope is made in the dashboard", async (t) => {
  const page = await openSignedIn(t, API_KEY, "/ui/settings?part=keys");
  await page.getByRole("button", { name: "New key…" }).click();
  await page.getByLabel("Name").fill("the greeter");
  await page.getByLabel("greetings:write: greet people").check();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("heading", { name: "Your new key" }).waitFor();
  const made = (await server.client.keys.list()).find(({ name }) => name === "the greeter");
  assert.deepEqual(made?.scopes, ["submit", "read", "greetings:write"]);
});
