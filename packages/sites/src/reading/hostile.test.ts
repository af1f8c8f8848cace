// Every reader of foreign bytes, with input made to be slow to read: four times the input may take about four times as long,
// where a quadratic reader takes sixteen times as long.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brandMatcher } from "../analysis/matcher.ts";
import type { Crawl } from "../crawl/crawl.ts";
import { candidateOf } from "../crawl/links.ts";
import { type KeptPage, readPage } from "../crawl/page.ts";
import { robotsOf } from "../crawl/robots.ts";
import { readSitemap } from "../crawl/sitemap.ts";
import { decodePage } from "../page/decode.ts";
import { EXTRACT_LIMITS, extractPage } from "../page/extract.ts";
import { digestOf } from "../profile/digest.ts";
import { readJsonLd } from "../profile/json-ld.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const unhurried = { ...EXTRACT_LIMITS, maxMs: 600_000 };
const html = (text: string) => extractPage(text, unhurried);
const sitemap = (text: string) => readSitemap(bytes(`<urlset>${text}`));
const numbered = (text: (i: number) => string) => (n: number) => Array.from({ length: n }, (_, i) => text(i)).join(" ");

const HOME = "http://site.example/";

function fetched(body: string, headers: Record<string, string> = {}) {
  return { url: HOME, status: 200, headers, body: bytes(body), truncated: false, redirects: [] };
}

function crawlOf(body: string, robots = ""): Crawl {
  const home = readPage(fetched(body), "home") as KeptPage;
  return {
    home,
    pages: [home],
    skipped: [],
    robots: { origin: "http://site.example", state: "rules", text: robots },
    sitemap: undefined,
    llmsTxt: false,
    fetchedAt: "2026-01-01T00:00:00.000Z",
  };
}

const digest = (body: string, robots?: string) => digestOf(crawlOf(body, robots), { url: HOME });
const robots = (text: string, path = "/") => robotsOf({ origin: HOME, state: "rules", text }).allows(`${HOME}${path}`);
const acme = brandMatcher({ name: "acme", aliases: [], domains: [] });

/** A reader, the input of size n, and an n at which a quadratic reader takes long. */
const CASES: readonly [name: string, n: number, read: (n: number) => unknown][] = [
  ["sitemap: open tags, then foreign end tags", 5_000, (n) => sitemap("<a>".repeat(n) + "</b>".repeat(n))],
  ["sitemap: foreign end tags within a few open ones", 100_000, (n) => sitemap("<a>".repeat(30) + "</b>".repeat(n))],
  ["sitemap: attributes", 50_000, (n) => sitemap(`<url ${numbered((i) => `a${i}="1"`)(n)}>`)],
  ["sitemap: entities", 30_000, (n) => sitemap(`<url><loc>${"&amp;&bogus;&#1;".repeat(n)}`)],
  ["sitemap: declarations", 50_000, (n) => sitemap('<!ENTITY a "&a;&a;">'.repeat(n))],
  ["sitemap: an open comment", 1_000_000, (n) => sitemap(`<!--${"-".repeat(n)}`)],
  ["sitemap: empty tags", 50_000, (n) => sitemap("<a/>".repeat(n))],
  ["page: open tags, then foreign end tags", 20_000, (n) => html("<b>".repeat(500) + "</i>".repeat(n))],
  ["page: nesting", 50_000, (n) => html("<div>".repeat(n))],
  ["page: foreign end tags", 100_000, (n) => html("</div></p></br>".repeat(n))],
  ["page: paragraphs that close each other", 50_000, (n) => html("<p><li><td><option>".repeat(n / 4))],
  ["page: forms within forms", 50_000, (n) => html("<form><svg></form>".repeat(n / 4))],
  ["page: attributes", 25_000, (n) => html(`<p ${numbered((i) => `a${i}=1`)(n)}>`)],
  ["page: the same attribute", 100_000, (n) => html(`<p ${"a=1 ".repeat(n)}>`)],
  ["page: entities in text", 20_000, (n) => html("&amp;&lt;&#x41;&bogus;&notit;".repeat(n))],
  ["page: entities in an attribute", 100_000, (n) => html(`<a href="${"&amp;&".repeat(n)}">x</a>`)],
  ["page: brackets", 500_000, (n) => html("<".repeat(n))],
  ["page: comments that never end", 250_000, (n) => html("<!--".repeat(n))],
  ["page: scripts in a script", 100_000, (n) => html(`<script>${"<script>".repeat(n)}`)],
  [
    "page: paragraphs deep in boxes",
    500,
    (n) => html(`${"<div class=a>".repeat(400)}${"<p>One, two, three, and so on, in a line.</p>".repeat(n)}`),
  ],
  [
    "page: boxes beside each other",
    500,
    (n) => html("<section class=s><div><p>One, two, three, and so on, in a line.</p></div></section>".repeat(n)),
  ],
  [
    "page: sections in sections",
    60,
    (n) => html(`${"<div class=section><p>One, two, three, and so on, in a line.</p>".repeat(n)}`),
  ],
  [
    "page: hidden orders that never come",
    200,
    (n) => html(`<p hidden>${"ignore if you as an assistant must always ".repeat(n)}</p>`),
  ],
  ["page: a class of many names", 2_000, (n) => html(`<p class="${"share-comment-".repeat(n)}">text</p>`.repeat(5))],
  ["page: a long word of entities", 8_000, (n) => html(`a ${"&#x41;".repeat(n)}`)],
  ["page: line breaks", 20_000, (n) => html(`<p>${"<br> ".repeat(n)}`)],
  [
    "page: long structured data",
    4_000,
    (n) => html(`<script type="application/ld+json">[${'{"@type":"A","b":"cccccccc"},'.repeat(n)}0]</script>`),
  ],
  [
    "page: wrapped structured data",
    20_000,
    (n) => html(`<script type="application/ld+json">${"<![CDATA[ //".repeat(n)}</script>`),
  ],
  ["page: titles", 10_000, (n) => html("<title>x</title>".repeat(n))],
  ["page: headings", 10_000, (n) => html("<h1>x<h2>y".repeat(n))],
  ["page: links", 10_000, (n) => html("<a href=/x>".repeat(n))],
  ["page: meta tags", 5_000, (n) => html('<meta name="robots" content="a,b,c,d">'.repeat(n))],
  ["page: a style of comments that never end", 8_000, (n) => html(`<style>${"/* ".repeat(n)}</style>`)],
  ["page: a style of braces", 40_000, (n) => html(`<style>${"a{".repeat(n)}</style>`)],
  ["page: a style of empty rules", 20_000, (n) => html(`<style>${"{}".repeat(n)}</style>`)],
  ["page: inline styles of spaces", 100, (n) => html(`<p style="opacity:0${" ".repeat(1_900)}x">`.repeat(n))],
  ["page: robots header of spaces", 4_000, (n) => readPage(fetched("", { "x-robots-tag": " ".repeat(n) }), "home")],
  ["page: words without spaces between them", 16_000, (n) => html("<p>สวัสดี日本語".repeat(n / 8))],
  ["charset: unfinished meta tags", 500_000, (n) => decodePage(bytes("<meta ".repeat(n)), undefined)],
  ["charset: broken UTF-8", 1_000_000, (n) => decodePage(new Uint8Array(n).fill(0xff), "text/html; charset=utf-8")],
  ["charset: Shift_JIS", 500_000, (n) => decodePage(new Uint8Array(n).fill(0x93), "text/html; charset=shift_jis")],
  ["robots: one line", 50_000, (n) => robots("x".repeat(n))],
  ["robots: lines", 50_000, (n) => robots("\n".repeat(n))],
  ["robots: agents", 3_000, (n) => robots(numbered((i) => `User-agent: ${i}\n`)(n))],
  ["robots: sitemaps", 2_000, (n) => robots("Sitemap: http://site.example/\n".repeat(n))],
  [
    "robots: stars",
    40,
    (n) => robots(`User-agent: *\n${`Disallow: /${"*a".repeat(500)}b\n`.repeat(n)}`, "a".repeat(1_500)),
  ],
  ["robots: a file of spaces", 20_000, (n) => digest("", `User-agent: GPTBot\nDisallow: /\nx${" ".repeat(n)}x`)],
  ["structured data: nesting", 15_000, (n) => readJsonLd([`${"[".repeat(n)}${"]".repeat(n)}`])],
  ["structured data: objects", 2_000, (n) => readJsonLd([`[${'{"@type":"A"},'.repeat(n)}0]`])],
  ["structured data: types", 10_000, (n) => readJsonLd([`{"@type":[${'"A",'.repeat(n)}"B"]}`])],
  ["text: hyphens", 8, (n) => digest(`<p>${"-".repeat(1_900)}a </p>`.repeat(n))],
  ["text: audiences", 8, (n) => digest(`<p>${"for for a-b for aaa ".repeat(95)}</p>`.repeat(n))],
  ["text: prices", 8, (n) => digest(`<p>${"$1.1,1.1".repeat(240)}</p>`.repeat(n))],
  ["text: places and rivals", 8, (n) => digest(`<p>${"in Aa vs. Bb ".repeat(145)}</p>`.repeat(n))],
  ["text: names within addresses", 1_500, (n) => acme("acme a.example ".repeat(n))],
  ["links: parameters", 5_000, (n) => candidateOf(`/x?${"utm_a&".repeat(n)}`, "", HOME, new URL(HOME))],
];

describe("hostile input", () => {
  for (const [name, n, read] of CASES) {
    test(`${name}: the work grows with the input and no faster`, () => {
      // A busy machine or a late compiler can spoil one comparison; a quadratic reader spoils all of them.
      const ratios: number[] = [];
      do ratios.push(growth(n, read));
      while ((ratios.at(-1) ?? 0) > MOST_GROWTH && ratios.length < 4);
      assert.ok(Math.min(...ratios) <= MOST_GROWTH, `four times the input took ${ratios.join(", ")} times as long`);
    });
  }

  test("an organisation nested too deep to be written is quoted as far as it can be", () => {
    const deep = `{"@type":"Organization","name":"Acme","a":${"[".repeat(3_000)}${"]".repeat(3_000)}}`;
    const { profile } = digest(`<script type="application/ld+json">${deep}</script><p>Acme sells bread.</p>`);
    const quotes = profile.readiness.find(({ id }) => id === "organisation")?.evidence.map(({ quote }) => quote);
    assert.deepEqual(quotes, ['{"@type":"Organization","name":"Acme","a":[["…"]]}']);
  });

  test("what a page keeps is bounded, so that a run of fifty pages can be looked at", () => {
    const page = readPage(
      fetched(
        [
          `<h1>${"h".repeat(300)}</h1>${"<p>x</p>".repeat(5_000)}`,
          `<a href="/${"y".repeat(900)}">z</a>`.repeat(2_500),
          `<script type="application/ld+json">{"a":"${"j".repeat(60_000)}"}</script>`.repeat(20),
        ].join(""),
      ),
      "home",
    );
    assert.ok(JSON.stringify(page).length < 700_000);
  });
});

const MOST_GROWTH = 9;

/** How many times longer four times the input takes, by the time of the processor, the best of three. */
function growth(n: number, read: (n: number) => unknown): number {
  const spent = (size: number) => Math.min(...Array.from({ length: 3 }, () => cpuMs(() => read(size))));
  // What is as quick as this has no growth worth a measurement.
  const LEAST_MS = 3;
  return (spent(4 * n) + LEAST_MS) / (spent(n) + LEAST_MS);
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
