import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createClient, type LiveEvent } from "../../packages/millrace/src/client/index.ts";
import { type Handler, toNodeHandler } from "../../packages/millrace/src/http/index.ts";
import { until } from "../support/until.ts";
import { ADMIN, BASE, type Mounted, mounted } from "./support/mounted.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** The handler on a server of Node, as an application would have it; `before` stands for its middleware. */
async function listening(t: TestContext, handler: Handler, before?: (request: IncomingMessage) => Promise<void>) {
  const node = toNodeHandler(handler);
  const listener: Listener = async (request, response) => {
    await before?.(request);
    await node(request, response);
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientOf(url: string) {
  const headers = { "x-user": ADMIN };
  return createClient({
    baseUrl: url + BASE,
    fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...headers } }),
  });
}

test("a client submits, waits and reads through Node's HTTP server", async (t) => {
  const { handler } = await mounted(t);
  const client = clientOf(await listening(t, handler));
  assert.equal(await client.result(await client.submit("greet", { name: "Ada" })), "Hello Ada");
});

test("the live feed streams, ends when the client goes, and ends with the handler", async (t) => {
  const app: Mounted = await mounted(t);
  let open = 0;
  const counted = Object.assign(async (request: Request) => {
    if (request.url.endsWith("/live")) {
      open++;
      request.signal.addEventListener("abort", () => open--);
    }
    return app.handler(request);
  }, app.handler) as Handler;
  const client = clientOf(await listening(t, counted));
  const events: LiveEvent[] = [];
  const end = new AbortController();
  const feed = client.live((event) => events.push(event), { signal: end.signal });
  await until("the feed opens", () => events.some(({ type }) => type === "reset"));
  const { jobId } = await client.submit("greet", { name: "Ada" });
  await until("the job is told", () => events.some((event) => event.type === "job" && event.data.jobId === jobId));
  assert.equal(open, 1);
  end.abort();
  await feed;
  await until("the server hears that the client went", () => open === 0);
});

test("a framework that takes the prefix off, or parses the body, changes nothing", async (t) => {
  const { handler } = await mounted(t);
  const url = await listening(t, handler, async (request) => {
    const seen = request as IncomingMessage & { originalUrl?: string; body?: unknown };
    seen.originalUrl = request.url ?? "";
    request.url = seen.originalUrl.slice(BASE.length) || "/";
    if (request.method !== "POST") return;
    seen.body = JSON.parse(Buffer.concat(await request.toArray()).toString());
  });
  const client = clientOf(url);
  assert.equal(await client.result(await client.submit("greet", { name: "ü" })), "Hello ü");
  const page = await fetch(`${url}${BASE}`, { headers: { "x-user": ADMIN }, redirect: "manual" });
  assert.equal(page.headers.get("location"), `${BASE}/ui/`);
});
