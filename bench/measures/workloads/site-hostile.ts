// Pages that are made to cost: how long each takes, how long other work on the same loop has to wait, and what it all takes
// in memory.

import type { Who } from "../../contenders/open.ts";
import type { Case, Measure } from "../../harness.ts";

const PAGES: Readonly<Record<string, () => string>> = {
  "20,000 nested tags": () => `<p>first</p>${"<div>".repeat(20_000)}deep`,
  "350 KB of tags never closed": () => `<p>first</p>${"<b>".repeat(117_000)}x`,
  "a million empty tags": () => `<p>first</p>${"<i></i>".repeat(1_000_000)}`,
  "3 MB of text": () => `<p>first</p>${"word ".repeat(600_000)}`,
  "100,000 attributes": () => `<p>first</p><a ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(" ")}>y</a>`,
  "a style of braces": () =>
    `<p>first</p><style>${"a{".repeat(100_000)}</style><p style="${"color:".repeat(50_000)}">x</p>`,
};

export const siteHostile: Measure = {
  name: "site-hostile",
  title: "Hostile pages, read by the stream",
  unit: "ms",
  cases: () =>
    Object.keys(PAGES).map((setting): Case => ({ who: "millrace stream" as string as Who, setting, with: {} })),
  async run({ setting }) {
    const { extractPage } = await import("../../../packages/sites/src/page/extract.ts");
    await extractPage("<p>warm</p>");
    const page = PAGES[setting]?.() ?? "";
    const before = process.memoryUsage.rss();
    let [most, blocked, last] = [before, 0, performance.now()];
    const ticker = setInterval(() => {
      const now = performance.now();
      blocked = Math.max(blocked, now - last);
      last = now;
      most = Math.max(most, process.memoryUsage.rss());
    }, 1);
    const startedAt = performance.now();
    const { passages } = await extractPage(page);
    const ms = performance.now() - startedAt;
    // A reader that never lets go is seen by the first tick after it.
    await new Promise((resolve) => setTimeout(resolve, 5));
    clearInterval(ticker);
    if (passages[0]?.text !== "first") throw new Error("It read nothing.");
    return { ms, "blocked ms": blocked, "more MB": (Math.max(most, process.memoryUsage.rss()) - before) / 1e6 };
  },
};
