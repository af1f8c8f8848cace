// Text, headings and links out of a page: our stream beside the two ways it is usually done, on the same pages.

import type { Who } from "../../contenders/open.ts";
import type { Case, Figures, Measure } from "../../harness.ts";

const OURS = "millrace stream";
const PAGES = {
  "article of 40 KB": () => article(40),
  "page of 700 KB": () => article(700),
  "20,000 nested tags": nested,
};
type Setting = keyof typeof PAGES;

/** Their trees overflow or take minutes on this page. It is in no figure, and is the reason for a stream. */
const OURS_ALONE: Setting = "20,000 nested tags";

const as = (who: string) => who as Who;

export const sitePages: Measure = {
  name: "site-pages",
  title: "Reading a page: text, headings and links",
  unit: "pages/s",
  cases: ({ quick }) =>
    (Object.keys(PAGES) as Setting[]).flatMap((setting) =>
      [OURS, "cheerio", "linkedom+Readability"]
        .filter((who) => who === OURS || setting !== OURS_ALONE)
        .map(
          (who): Case => ({
            who: as(who),
            setting,
            ...(who !== OURS && { against: { who: as(OURS), setting } }),
            with: { seconds: quick ? 0.5 : 3 },
          }),
        ),
    ),
  async run(each) {
    const page = PAGES[each.setting as Setting]();
    const read = await readerOf(each.who);
    await read(page);
    const seconds = each.with["seconds"] ?? 1;
    const startedAt = performance.now();
    let pages = 0;
    let longest = 0;
    while (performance.now() - startedAt < seconds * 1_000) {
      const at = performance.now();
      if ((await read(page)) < 10) throw new Error("It read nothing.");
      longest = Math.max(longest, performance.now() - at);
      pages++;
    }
    const figures: Figures = { "pages/s": (pages * 1_000) / (performance.now() - startedAt), "longest ms": longest };
    return figures;
  },
};

/** Gives the characters of text found, so that no contender wins by reading less. */
async function readerOf(who: string): Promise<(html: string) => Promise<number>> {
  if (who === OURS) {
    const { extractPage } = await import("../../../packages/sites/src/page/extract.ts");
    return async (html) => {
      const { passages, headings, links } = await extractPage(html);
      return passages.reduce((sum, { text }) => sum + text.length, 0) + headings.length + links.length;
    };
  }
  if (who === "cheerio") {
    const { load } = await import("cheerio");
    return async (html) => {
      const $ = load(html);
      const headings = $("h1,h2,h3")
        .map((_, element) => $(element).text())
        .get();
      const links = $("a[href]")
        .map((_, element) => $(element).attr("href"))
        .get();
      $("script,style,noscript,template").remove();
      return $("body").text().length + headings.length + links.length;
    };
  }
  const { parseHTML } = await import("linkedom");
  const { Readability } = await import("@mozilla/readability");
  return async (html) => {
    const { document } = parseHTML(html);
    const links = document.querySelectorAll("a[href]").length;
    return (new Readability(document as never).parse()?.textContent?.length ?? 0) + links;
  };
}

function article(kilobytes: number): string {
  const paragraph = (i: number) =>
    `<section><h2>Heading ${i} of the article</h2><p>Sourdough bread number ${i} rests for <b>24 hours</b> and is made of flour from <a href="/mills/${i}">a mill</a> nearby.</p><ul><li>rye</li><li>wheat &amp; spelt</li></ul><script>track(${i})</script></section>`;
  let body = "";
  for (let i = 0; body.length < kilobytes * 1_000; i++) body += paragraph(i);
  return `<!doctype html><html lang="en"><head><title>Bread</title></head><body><nav><a href="/">Home</a></nav><article>${body}</article></body></html>`;
}

function nested(): string {
  return `<h1>Nested boxes</h1><p>Boxes for moving house, made of strong cardboard.</p>${"<div>".repeat(20_000)}`;
}
