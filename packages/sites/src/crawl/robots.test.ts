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

  const CASES: readonly [why: string, text: string, path: string, allowed: boolean, agent?: string][] = [
    ["an agent's version does not matter", "User-agent: Millrace-Sites/0.1\nDisallow: /", "/a", false],
    ["nor do words after its name", "User-agent: Millrace-Sites the reader\nDisallow: /", "/a", false],
    ["nor case", "USER-AGENT: millrace-SITES\nDISALLOW: /", "/a", false],
    ["a longer name is another agent", "User-agent: Millrace-Sites-News\nDisallow: /", "/a", true],
    ["a part of the name is another agent", "User-agent: Millrace\nDisallow: /", "/a", true],
    ["the star may be followed by more", "User-agent: * # all\nDisallow: /", "/a", false],
    [
      "groups of the same agent are one",
      "User-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow: /y",
      "/x",
      false,
      "a",
    ],
    [
      "our group goes before that of all",
      "User-agent: *\nDisallow: /\nUser-agent: Millrace-Sites\nAllow: /",
      "/a",
      true,
    ],
    [
      "an empty group of ours allows all",
      "User-agent: *\nDisallow: /\nUser-agent: Millrace-Sites\nDisallow:",
      "/a",
      true,
    ],
    ["rules before any agent count for nobody", "Disallow: /\nUser-agent: *\nAllow: /b", "/a", true],
    ["unknown lines do not end a group", "User-agent: *\nFoo: bar\nDisallow: /a", "/a", false],
    [
      "a sitemap does not end a group of agents",
      "User-agent: a\nSitemap: /s.xml\nUser-agent: b\nDisallow: /",
      "/x",
      false,
      "a",
    ],
    ["paths differ by case", "User-agent: *\nDisallow: /A", "/a", true],
    ["the longest pattern decides", "User-agent: *\nAllow: /p\nDisallow: /", "/page", true],
    ["whatever its place in the file", "User-agent: *\nDisallow: /\nAllow: /p", "/page", true],
    ["as long: allow", "User-agent: *\nDisallow: /folder\nAllow: /folder", "/folder/x", true],
    ["a star within", "User-agent: *\nDisallow: /*.php", "/a/b.php?c=d", false],
    ["an end", "User-agent: *\nDisallow: /*.php$", "/a.php?c=d", true],
    ["an end alone", "User-agent: *\nDisallow: /$", "/", false],
    ["a dollar within is a dollar", "User-agent: *\nDisallow: /a$b", "/a$b", false],
    ["letters may be escaped in the rule", "User-agent: *\nDisallow: /foo/%62%61%7A", "/foo/baz", false],
    ["or in the path", "User-agent: *\nDisallow: /foo/baz", "/foo/%62%61%7A", false],
    ["signs stay as they are escaped", "User-agent: *\nDisallow: /a%3cd.html", "/a%3Cd.html", false],
    ["an escaped slash is no slash", "User-agent: *\nDisallow: /a%2Fb", "/a/b", true],
    ["other scripts, plain in the rule", "User-agent: *\nDisallow: /foo/ツ", "/foo/%E3%83%84", false],
    ["a broken escape", "User-agent: *\nDisallow: /a%zz", "/a%zz", false],
    ["the query counts", "User-agent: *\nDisallow: /*?session=", "/a?session=1", false],
    ["a file of another system", "User-agent: *\rDisallow: /", "/a", false],
    ["a mark at the beginning", "\uFEFFUser-agent: *\nDisallow: /", "/a", false],
    ["a space before the colon", "User-agent : *\nDisallow : /", "/a", false],
    ["robots.txt itself", "User-agent: *\nDisallow: /", "/robots.txt", true],
    // The standard is silent on these, so what was meant to forbid forbids.
    ["a missing colon", "user-agent Millrace-Sites\ndisallow /", "/a", false],
    ["a mistyped word", "User agent: *\nDissalow: /", "/a", false],
    ["a mistyped allow allows nothing", "User-agent: *\nDisallow: /\nallow /a", "/a", false],
  ];
  for (const [why, text, path, expected, agent] of CASES) {
    test(`${why}: ${expected ? "allowed" : "forbidden"}`, () => assert.equal(may(text, path, agent), expected));
  }

  test("sitemaps may be relative, and rules beyond the 5,000th count", () => {
    const text = `User-agent: *\n${"Disallow: /x\n".repeat(30_000)}Disallow: /last\nSitemap: /map.xml\nSitemap: http://`;
    assert.deepEqual(rules(text).sitemaps, ["https://example.com/map.xml"]);
    assert.equal(may(text, "/last"), false);
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
