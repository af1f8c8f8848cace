// runtimes: bun or node

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { z } from "zod";
import { defineKind } from "../../millrace/src/index.ts";
import { Testkit } from "../../millrace/src/testing.ts";
import type { SiteProfile } from "../src/api/shapes.ts";
import { crawlSite } from "../src/crawl/crawl.ts";
import { fetchPolicy } from "../src/fetch/policy.ts";
import { profileOf } from "../src/profile/profile.ts";
import { ODD, type OddPages } from "./support/odd-pages.ts";

async function served(t: TestContext, pages: OddPages): Promise<{ place: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const path = new URL(request.url ?? "/", origin).pathname;
    asked.push(request.url ?? "");
    const found = pages[path];
    if (found === undefined) return response.writeHead(404).end();
    const { body, headers = {}, status = 200 } = typeof found === "string" ? { body: found } : found;
    const type = /\.(?:txt|xml|gz)$/.test(path) ? "application/octet-stream" : "text/html";
    response.writeHead(status, { "content-type": type, ...headers });
    return response.end(typeof body === "string" ? body.replaceAll("{origin}", origin) : body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { place: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function read(t: TestContext, name: keyof typeof ODD): Promise<{ profile: SiteProfile; asked: string[] }> {
  const { place, asked } = await served(t, ODD[name]);
  const kind = defineKind({
    name: "read",
    payload: z.string(),
    maxAttempts: 1,
    run: async (ctx, url) => {
      const policy = fetchPolicy({ allow: [place] });
      const crawl = await crawlSite(ctx, { url, maxPages: 6 }, { policy, gapMs: 0, turnMs: 60_000 });
      return profileOf(crawl, { url });
    },
  });
  const kit = await Testkit.open({ kinds: [kind] });
  t.after(() => kit.stop());
  return { profile: await kit.run(kind, `http://${place}/`), asked };
}

const check = ({ readiness }: SiteProfile, id: string) => readiness.find((each) => each.id === id);
const paths = ({ pages }: SiteProfile) => pages.map(({ url }) => new URL(url).pathname + new URL(url).search);

describe("odd sites", () => {
  test("links start from <base>", async (t) => {
    assert.deepEqual(paths((await read(t, "base")).profile), ["/", "/en/prices"]);
  });

  test("a page that leads on by a refresh is followed, and one that leads in circles ends", async (t) => {
    const { profile } = await read(t, "refresh");
    assert.deepEqual([paths(profile), profile.coverage.note], [["/welcome"], undefined]);
    const circle = await read(t, "refreshForEver");
    assert.equal(circle.profile.coverage.note, "little-text");
    assert.ok(circle.asked.filter((path) => path === "/" || path === "/a").length <= 5);
  });

  test("variants with the same canonical address are one page", async (t) => {
    const { profile } = await read(t, "variants");
    assert.deepEqual(paths(profile), ["/", "/product?colour=red"]);
    assert.ok(profile.coverage.skipped.some(({ reason }) => /canonical/.test(reason)));
  });

  test("a canonical address on another site is a finding", async (t) => {
    const { profile } = await read(t, "elsewhere");
    assert.equal(check(profile, "canonical")?.status, "fail");
    assert.match(check(profile, "canonical")?.finding ?? "", /1 of 1 page has a canonical link to another site/);
  });

  test("sitemaps may be packed and relative, and their total is the true one", async (t) => {
    const packed = await read(t, "packedSitemap");
    assert.deepEqual(paths(packed.profile), ["/", "/faq"]);
    assert.match(check(packed.profile, "sitemap")?.finding ?? "", /lists 1 page\./);
    const { profile } = await read(t, "largeSitemap");
    assert.match(check(profile, "sitemap")?.finding ?? "", /lists 20000 pages\./);
  });

  test("a robots header for one bot is told, and does not keep us away", async (t) => {
    const { profile } = await read(t, "forOneBot");
    assert.deepEqual(profile.pages[0]?.flags, []);
    assert.match(check(profile, "indexable")?.finding ?? "", /1 of 1 page say noindex to googlebot\./);
    assert.equal(check(profile, "snippets")?.status, "pass");
  });

  test("an Angular shell, a bot check and a cookie wall are named", async (t) => {
    assert.equal((await read(t, "angular")).profile.coverage.note, "needs-javascript");
    const { profile } = await read(t, "cloudflare");
    assert.equal(profile.coverage.note, "challenge");
    assert.match(check(profile, "reachable")?.finding ?? "", /Cloudflare answered with a bot check instead/);
    assert.equal((await read(t, "cookieWall")).profile.coverage.note, "consent-wall");
  });

  test("robots.txt that redirects for ever counts as missing", async (t) => {
    const { profile, asked } = await read(t, "robotsForEver");
    assert.deepEqual(paths(profile), ["/"]);
    assert.equal(asked.filter((path) => path === "/robots.txt").length, 6, "five redirects are followed");
  });

  test("a dentist is an organisation, and the brand of a product is not the shop", async (t) => {
    const { brand } = (await read(t, "dentist")).profile;
    assert.deepEqual([brand.name, brand.from], ["Praxis Weiß", "structured data"]);
    const { profile } = await read(t, "shoeShop");
    assert.deepEqual([profile.brand.name, profile.brand.from], ["Schuhhaus Lang", "og:site_name"]);
    assert.equal(check(profile, "organisation")?.finding, "No organisation is described.");
  });
});
