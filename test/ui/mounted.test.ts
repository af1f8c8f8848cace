// runtimes: node
// time-limit: 240 s
// Playwright drives a browser from Node alone. Workloads in an application of one's own, below a path.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import greetings from "../../examples/workload/greetings.ts";
import { createHandler, toNodeHandler } from "../../packages/millrace/src/http/index.ts";
import { Millrace, sqlite } from "../../packages/millrace/src/index.ts";
import { openWorkloads } from "../../packages/millrace/src/workload/index.ts";
import { ensureDashboard } from "../../scripts/dashboard.js";
import { openBrowser, openPage } from "./support/browser.ts";

assert.equal(ensureDashboard(), undefined);
const workloads = await openWorkloads([greetings], { env: {} });
const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: workloads.kinds });
const scopes = { value: ["admin"] as ("admin" | "read" | "greetings:write")[] };
const handler = createHandler(millrace, {
  basePath: "/app/jobs",
  auth: () => ({ name: "ada", tenant: "shop", scopes: scopes.value }),
  workloads,
});
const server = createServer(toNodeHandler(handler));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/app/jobs`;
const browser = await openBrowser();
after(async () => {
  server.closeAllConnections();
  server.close();
  await millrace.stop();
});

test("the page of a workload works below a base path", async (t) => {
  const page = await openPage(t, browser, `${url}/ui/`);
  const menu = page.getByRole("navigation", { name: "Pages" });
  await menu.getByRole("link", { name: "Greetings" }).click();
  await page.getByLabel("Name").fill("Ada");
  await page.getByRole("button", { name: "Greet" }).click();
  await page.getByText("Hello, Ada!").waitFor();
  assert.equal(new URL(page.url()).pathname, "/app/jobs/ui/greetings");
  await page.reload();
  await page.getByText("Hello, Ada!").waitFor();
});

test("scopes of workloads are the application's to give, and unknown ones are refused", async () => {
  const module = () => fetch(`${url}/workloads/greetings/page.js`).then(({ status }) => status);
  scopes.value = ["read"];
  assert.equal(await module(), 403);
  scopes.value = ["greetings:write", "read"];
  assert.equal(await module(), 200);
  scopes.value = ["greetings:wrong" as never];
  const refused = await fetch(`${url}/workloads`);
  assert.equal(refused.status, 500);
});
