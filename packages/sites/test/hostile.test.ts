// runtimes: bun or node

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { scaled } from "../../../test/support/slowness.ts";
import { siteServer } from "./support/server.ts";

/** On code that read a sitemap on the main loop, no request was answered for about 5 s (turn 2's red team: 342 kB). */
const NESTED = 50_000;
const LONGEST_ANSWER_MS = 3_000;

test("a server answers while it reads a site whose every part is made to be slow to read", async (t) => {
  const site = await hostileSite(t);
  const { client, url } = await siteServer(t, [site]);
  const run = await client.sites.submit({ url: site.url, models: [] });
  let ended = false;
  const job = client.wait(run, { timeoutMs: scaled(60_000) }).finally(() => {
    ended = true;
  });
  let [longestMs, answers] = [0, 0];
  for (; !ended; answers++) {
    const startedAt = performance.now();
    assert.equal((await fetch(`${url}/health`)).status, 200);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
  }
  const { status, error } = await job;
  assert.equal(status, "completed", error);
  assert.ok(longestMs < LONGEST_ANSWER_MS, `of ${answers} answers one took ${Math.round(longestMs)} ms`);
  const { pages, profile } = await client.sites.get(run);
  assert.ok(pages.some(({ url: page }) => page.endsWith("/from-sitemap")));
  assert.equal(profile?.brand.name, "Hostile Hosting");
  assert.equal(profile?.readiness.find(({ id }) => id === "citation-bots")?.status, "fail");
});

async function hostileSite(t: TestContext) {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    switch (request.url) {
      case "/robots.txt":
        // Nothing but white space between the rules and the end: it was quoted by a pattern that took quadratic time.
        return answer(response, "text/plain", `User-agent: OAI-SearchBot\nDisallow: /\nx${" ".repeat(190_000)}x`);
      case "/sitemap.xml":
        return answer(response, "application/xml", sitemap(origin));
      case "/":
      case "/from-sitemap":
        return answer(response, "text/html", page(request.url));
      default:
        return response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${place}/`, place, asked: [], holdBack: () => assert.fail("nothing is held back") };
}

function sitemap(origin: string): string {
  return `<urlset><url><loc>${origin}/from-sitemap</loc></url>${"<a>".repeat(NESTED)}${"</b>".repeat(NESTED)}`;
}

function page(path: string): string {
  return [
    `<title>Hostile Hosting${path}</title><meta property="og:site_name" content="Hostile Hosting">`,
    `<style>${"/* ".repeat(60_000)}</style><h1>Servers</h1><p>Hostile Hosting rents servers to shops in Leeds.</p>`,
    `<script type="application/ld+json">{"@type":"Organization","a":${"[".repeat(30_000)}${"]".repeat(30_000)}}</script>`,
    `<p>${"-".repeat(1_900)}a</p>${"<b>".repeat(400)}${"</i>".repeat(200_000)}`,
  ].join("");
}

function answer(response: ServerResponse, type: string, body: string): void {
  const headers = { "content-type": type, "content-encoding": "gzip", "x-robots-tag": `all${" ".repeat(8_000)}x` };
  response.writeHead(200, headers).end(gzipSync(body));
}
