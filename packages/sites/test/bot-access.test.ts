// runtimes: bun
// For the owner of a site: what AI bots get in fact.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { scaled } from "../../../test/support/slowness.ts";
import { siteServer } from "./support/server.ts";

const PAGE = `<title>Rye bread of Bristol</title><h1>Rye bread</h1><p>${"We bake rye bread in Bristol every morning. ".repeat(12)}</p>`;

async function listening(t: TestContext, server: Server, asked: string[]) {
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${place}/`, place, asked, holdBack: () => ({ asked: Promise.resolve(), letGo: () => {} }) };
}

test("the first page is fetched as AI bots see it, where robots.txt allows them, and only for an owner", async (t) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const agent = request.headers["user-agent"] ?? "";
    asked.push(`${request.url} ${/GPTBot|ClaudeBot|PerplexityBot/.exec(agent)?.[0] ?? "ours"}`);
    if (request.url === "/robots.txt") return response.end("User-agent: PerplexityBot\nDisallow: /\n");
    if (request.url !== "/") return response.writeHead(404).end();
    if (agent.includes("ClaudeBot"))
      return response.writeHead(403, { "cf-mitigated": "challenge" }).end("Just a moment");
    return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
  }).listen(0, "127.0.0.1");
  const site = await listening(t, server, asked);
  const { client } = await siteServer(t, [site]);
  const own = await client.sites.submit({ url: site.url, ownSite: true, maxPages: 1 });
  await client.wait(own, { timeoutMs: scaled(60_000) });
  const check = (await client.sites.report(own)).readiness.find(({ id }) => id === "bot-access");
  assert.equal(check?.status, "fail");
  assert.match(
    check?.finding ?? "",
    /GPTBot: answered 200 with \d+ words; ClaudeBot: Cloudflare sent a bot check \(403\); PerplexityBot: robots.txt forbids it/,
  );
  assert.match(check?.fix ?? "", /^Let ClaudeBot through/);
  assert.ok(asked.includes("/ GPTBot") && asked.includes("/ ClaudeBot") && !asked.includes("/ PerplexityBot"));

  asked.length = 0;
  const other = await client.sites.submit({ url: site.url, maxPages: 1 });
  await client.wait(other, { timeoutMs: scaled(60_000) });
  assert.ok(
    asked.every((each) => each.endsWith(" ours")),
    asked.join(", "),
  );
  assert.equal(
    (await client.sites.report(other)).readiness.some(({ id }) => id === "bot-access"),
    false,
  );
});

test("with a Crawl-delay longer than a nap, every bot and every sitemap is asked once", async (t) => {
  const asked: string[] = [];
  const maps = { "/first.xml": "<urlset></urlset>", "/second.xml": "<urlset></urlset>" };
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const path = request.url ?? "/";
    asked.push(`${path} ${/GPTBot|ClaudeBot|PerplexityBot/.exec(request.headers["user-agent"] ?? "")?.[0] ?? "ours"}`);
    if (path === "/robots.txt") return response.end(`User-agent: *\nCrawl-delay: 2\nSitemap: ${origin}/index.xml\n`);
    if (path === "/index.xml") {
      const named = Object.keys(maps).map((each) => `<sitemap><loc>${origin}${each}</loc></sitemap>`);
      return response.end(`<sitemapindex>${named.join("")}</sitemapindex>`);
    }
    if (path in maps) return response.end(maps[path as keyof typeof maps]);
    if (path !== "/") return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
  }).listen(0, "127.0.0.1");
  const site = await listening(t, server, asked);
  const { client } = await siteServer(t, [site]);
  const run = await client.sites.submit({ url: site.url, ownSite: true, maxPages: 1, models: [] });
  const job = await client.wait(run, { timeoutMs: scaled(60_000) });
  assert.equal(job.status, "completed", job.error);
  assert.deepEqual(asked, [
    "/robots.txt ours",
    "/ ours",
    "/index.xml ours",
    "/first.xml ours",
    "/second.xml ours",
    "/llms.txt ours",
    "/ GPTBot",
    "/ ClaudeBot",
    "/ PerplexityBot",
  ]);
});
