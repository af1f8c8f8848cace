import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { scaled } from "../../../../test/support/slowness.ts";
import { candidateOf, rankCandidates, roleOf } from "./links.ts";
import { robotsOf } from "./robots.ts";
import { readSitemap } from "./sitemap.ts";

const rules = (text: string) => robotsOf({ origin: "https://example.com", state: "rules", text });
const may = (text: string, path: string, agent?: string) => rules(text).allows(`https://example.com${path}`, agent);

describe("robots.txt", () => {
  test("the longest pattern decides, and of two as long the one that allows", () => {
    const text =
      "User-agent: *\nDisallow: /shop\nAllow: /shop/public\nDisallow: /*.pdf$\nAllow: /same\nDisallow: /same";
    assert.equal(may(text, "/shop/cart"), false);
    assert.equal(may(text, "/shop/public/x"), true);
    assert.equal(may(text, "/a/b.pdf"), false);
    assert.equal(may(text, "/a/b.pdf?x=1"), true);
    assert.equal(may(text, "/same"), true);
    assert.equal(may(text, "/robots.txt"), true);
    assert.equal(may("User-agent: *\nDisallow:", "/anything"), true);
    assert.equal(may("User-agent: *\nDisallow: /ümlaut", "/%C3%BCmlaut"), false);
  });

  test("what is said to us goes before what is said to all, and groups share rules", () => {
    const text =
      "user-agent: GPTBot\nuser-agent: Millrace-Sites\nDisallow: /a # here\nCrawl-delay: 99\n\nUser-Agent: *\nDisallow: /";
    assert.equal(may(text, "/b"), true);
    assert.equal(may(text, "/a"), false);
    assert.equal(may(text, "/b", "gptbot"), true);
    assert.equal(may(text, "/b", "OtherBot"), false);
    assert.equal(rules(text).delayMs, 10_000, "no more than ten seconds");
  });

  test("none allows all, one that could not be read nothing", () => {
    assert.equal(
      robotsOf({ origin: "https://example.com", state: "none", text: "" }).allows("https://example.com/"),
      true,
    );
    assert.equal(
      robotsOf({ origin: "https://example.com", state: "closed", text: "" }).allows("https://example.com/"),
      false,
    );
  });

  test("a file full of stars takes no time", () => {
    const text = `User-agent: *\n${`Disallow: /${"*a".repeat(500)}b\n`.repeat(100)}`;
    const startedAt = performance.now();
    assert.equal(may(text, `/${"a".repeat(1_500)}`), true);
    assert.ok(performance.now() - startedAt < scaled(10_000));
  });
});

describe("sitemaps", () => {
  const read = (xml: string) => readSitemap(new TextEncoder().encode(xml));

  test("pages and further maps are found; entities of its own are not expanded", () => {
    const map = read(
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc> https://example.com/a?x=1&amp;y=2 </loc></url><url><loc>https://example.com/&b;</loc></url></urlset>',
    );
    assert.deepEqual(map?.pages, ["https://example.com/a?x=1&y=2", "https://example.com/&b;"]);
    assert.deepEqual(
      read("<sitemapindex><sitemap><loc>https://example.com/m.xml</loc></sitemap></sitemapindex>")?.maps,
      ["https://example.com/m.xml"],
    );
    assert.equal(
      read(`<urlset>${"<url><loc>https://example.com/x</loc></url>".repeat(50_000)}</urlset>`)?.pages.length,
      2_000,
    );
  });

  test("what comes before a bound is exceeded is kept, and a page of HTML is no sitemap", () => {
    const first = "<urlset><url><loc>https://example.com/a</loc></url>";
    assert.deepEqual(read(`${first}${"<a>".repeat(1_000)}<url><loc>https://example.com/b</loc></url>`)?.pages, [
      "https://example.com/a",
    ]);
    assert.deepEqual(read(`${first}<url><loc>https://example.com/${"x".repeat(3_000)}</loc></url>`)?.pages, [
      "https://example.com/a",
    ]);
    assert.equal(read("<!doctype html><title>Not found</title>"), undefined);
  });
});

describe("which pages are read", () => {
  const home = new URL("https://www.example.co.uk/");
  const candidate = (href: string, text = "") => candidateOf(href, text, home.href, home);

  test("those of the same registrable domain that look like pages", () => {
    assert.equal(candidate("/prices?utm_source=x#top")?.url, "https://www.example.co.uk/prices");
    assert.equal(candidate("https://shop.example.co.uk/bikes")?.url, "https://shop.example.co.uk/bikes");
    for (const href of [
      "https://other.co.uk/",
      "mailto:a@b.c",
      "javascript:1",
      "/a.pdf",
      "/login",
      "/cart/",
      "tel:1",
      "http://",
      "/x?a=1&b=2&c=3",
    ])
      assert.equal(candidate(href), undefined, href);
  });

  test("prices, products and questions come before the blog, and take turns", () => {
    const role = (path: string, text = "") => roleOf(new URL(path, home), text, home);
    assert.deepEqual(
      [role("/preise"), role("/ueber-uns"), role("/x", "よくある質問"), role("/news/1"), role("/")],
      ["pricing", "about", "faq", "blog", "home"],
    );
    const ranked = rankCandidates(
      ["/blog/1", "/products/1", "/products/2", "/products/3", "/products/4", "/pricing", "/faq"].map((path) => ({
        url: new URL(path, home).href,
        role: role(path),
      })),
    ).map(({ url }) => new URL(url).pathname);
    assert.equal(ranked[0], "/pricing");
    assert.ok(ranked.indexOf("/faq") < ranked.indexOf("/products/2"));
    assert.equal(ranked.includes("/blog/1"), true);
  });
});
