// Pages that are empty without JavaScript, in a real Chromium that has no network of its own.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { chromiumForTests } from "../../../test/support/chromium.ts";
import { scaled } from "../../../test/support/slowness.ts";
import { defineKind } from "../../millrace/src/index.ts";
import { Testkit } from "../../millrace/src/testing.ts";
import type { SiteProfile } from "../src/api/shapes.ts";
import { crawlSite } from "../src/crawl/crawl.ts";
import type { FetchedResponse } from "../src/fetch/fetch.ts";
import { fetchPolicy } from "../src/fetch/policy.ts";
import { profileOf } from "../src/profile/profile.ts";
import { Renderer } from "../src/render/renderer.ts";

const SHELL = `<!doctype html><html lang="en"><head><title>Clocks | Uhrwerk</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>`;
/** Shows the text of /data.json, and tries to reach what it must not. */
const APP = `
  const report = (path, init) => fetch(path, init).catch(() => undefined);
  report("/secret/data.json");
  report("/data.json", { method: "POST", body: "x" });
  report("http://127.0.0.1:{other}/marker");
  report("http://169.254.169.254/latest/meta-data/");
  new Image().src = "http://127.0.0.1:{other}/pixel";
  navigator.sendBeacon("http://127.0.0.1:{other}/beacon", "x");
  try { new WebSocket("ws://127.0.0.1:{other}/socket"); } catch {}
  alert("hello");
  fetch("/data.json").then((answer) => answer.json()).then(({ text }) => {
    document.getElementById("root").innerHTML = "<h1>Clocks</h1>" + text.map((each) => "<p>" + each + "</p>").join("") + '<a href="/prices">Prices</a>';
  });
`;
const DATA = JSON.stringify({
  text: [
    "We repair clocks in our workshop by the river, quickly and with a guarantee of two years on every part.",
    "Bring it in the morning and fetch it in the evening, or let us come to you, anywhere in the city.",
  ],
});

async function listen(t: TestContext, pages: (path: string) => string | undefined) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const body = pages(request.url ?? "");
    const type = request.url?.endsWith(".js")
      ? "text/javascript"
      : request.url?.endsWith(".json")
        ? "application/json"
        : "text/html";
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

/** What a fetch of the page or of one of its resources answers. */
function answered(type: string, body: string): FetchedResponse {
  const headers = { "content-type": type };
  return {
    url: "http://site.test/",
    status: 200,
    headers,
    body: Buffer.from(body),
    truncated: false,
    redirects: [],
  };
}

async function read(t: TestContext, renderer: Renderer | undefined) {
  const other = await listen(t, () => "reached");
  const site = await listen(
    t,
    (path) =>
      ({
        "/": SHELL,
        "/prices": SHELL,
        "/app.js": APP.replaceAll("{other}", String(other.port)),
        "/data.json": DATA,
        "/secret/data.json": "{}",
        "/robots.txt": "User-agent: *\nDisallow: /secret\n",
      })[path],
  );
  const kind = defineKind({
    name: "read",
    payload: z.string(),
    maxAttempts: 1,
    run: async (ctx, url) => {
      const policy = fetchPolicy({ allow: [`127.0.0.1:${site.port}`] });
      const options = { policy, gapMs: 0, turnMs: 600_000, ...(renderer && { renderer }) };
      return profileOf(await crawlSite(ctx, { url, maxPages: 1 }, options), { url });
    },
  });
  const kit = await Testkit.open({ kinds: [kind], patienceMs: scaled(60_000) });
  t.after(() => kit.stop());
  const profile: SiteProfile = await kit.run(kind, `http://127.0.0.1:${site.port}/`);
  return { profile, site, other };
}

test("without a browser an app says that it is empty, and costs one page", async (t) => {
  const { profile, site } = await read(t, undefined);
  assert.equal(profile.coverage.note, "needs-javascript");
  assert.ok(!site.asked.includes("GET /app.js"));
});

test("with one its text is read, and its scripts reach nothing but what robots.txt and the fetcher allow", async (t) => {
  const binary = await chromiumForTests();
  const renderer = new Renderer({ findBrowser: async () => binary, limitMs: scaled(60_000) });
  const { profile, site, other } = await read(t, renderer);
  assert.equal(profile.coverage.note, undefined);
  assert.ok((profile.pages[0]?.words ?? 0) > 30);
  assert.deepEqual(profile.pages[0]?.headings, ["Clocks"]);
  assert.deepEqual(profile.pages[0]?.flags, ["app-shell", "rendered"]);
  assert.equal(profile.readiness.find(({ id }) => id === "text")?.status, "fail", "bots still see nothing");
  assert.deepEqual(other.asked, [], "another host was reached");
  assert.ok(!site.asked.some((each) => each.startsWith("POST") || each.includes("/secret")), String(site.asked));
});

test("a page that asks for many things at once, most of them refused, is read to its end", async () => {
  // Refused requests are answered while fetches wait for their turn: none of them may take a turn with it.
  const app = `
    const many = (count, ask) => Array.from({ length: count }, (_, each) => ask(each));
    many(20, (each) => { new Image().src = "/picture-" + each + ".png"; });
    Promise.all(many(12, (each) => {
      fetch("/sent-" + each, { method: "POST", body: "x" }).catch(() => undefined);
      return fetch("/data.json?" + each).then((answer) => answer.json());
    })).then(([{ text }]) => { document.getElementById("root").innerHTML = "<h1>" + text[0] + "</h1>"; });
  `;
  const page = answered("text/html", SHELL);
  let most = 0;
  let now = 0;
  const renderer = new Renderer({ findBrowser: chromiumForTests, limitMs: scaled(30_000) });
  const resources = async (url: string) => {
    most = Math.max(most, ++now);
    await setImmediate();
    now--;
    return url.includes("app.js") ? answered("text/javascript", app) : answered("application/json", DATA);
  };
  const rendered = await renderer.render(page, resources, new AbortController().signal);
  assert.match(Buffer.from(rendered.body).toString(), /<h1>We repair clocks/);
  assert.ok(most <= 4, `${most} fetches at once`);
});

test("a script that never ends, and a browser that is missing, leave the page as it came", async (t) => {
  const binary = await chromiumForTests();
  const renderer = new Renderer({ findBrowser: async () => binary, limitMs: 3_000 });
  const script = answered("text/javascript", "for (;;) {}");
  const page = answered("text/html", SHELL);
  await assert.rejects(renderer.render(page, async () => script, new AbortController().signal));
  const { profile } = await read(t, new Renderer({ findBrowser: async () => undefined, limitMs: 1_000 }));
  assert.equal(profile.coverage.note, "needs-javascript");
});
