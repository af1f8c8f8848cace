// The main text of real pages, beside Readability's. The pages come from a folder that `--corpus` names; without it there is
// nothing to measure.

import type { Who } from "../../contenders/open.ts";
import type { Case, Measure } from "../../harness.ts";
import { CORPORA, type Corpus, readCorpus, textOf } from "../../sites/corpus.ts";
import { compareShingles, summary } from "../../sites/shingles.ts";

const OURS = "millrace";
const PEER = "linkedom+Readability";

export const siteMainText: Measure = {
  name: "site-main-text",
  title: "Main text of real pages: F1 on runs of four words, as the article extraction benchmark computes it",
  unit: "%",
  rounds: 1,
  cases: ({ corpus }) =>
    corpus === undefined
      ? []
      : CORPORA.flatMap((setting) =>
          [OURS, PEER].map(
            (who): Case => ({
              who: who as Who,
              setting,
              ...(who === PEER && { against: { who: OURS as string as Who, setting } }),
              with: {},
              env: { BENCH_CORPUS: corpus },
            }),
          ),
        ),
  async run({ who, setting }) {
    const pages = readCorpus(process.env["BENCH_CORPUS"] ?? "", setting as Corpus);
    const read = who === (OURS as string) ? await ours() : await readability();
    const startedAt = performance.now();
    const found = pages.map(({ html }) => read(html));
    const ms = (performance.now() - startedAt) / pages.length;
    const figures = summary(pages.map(({ expected }, i) => compareShingles(expected, found[i]?.text ?? "")));
    const accused = found.filter(({ hidden }) => hidden > 0).length;
    return {
      F1: figures["F1 of means"],
      "mean F1": figures["mean F1"],
      precision: figures.precision,
      recall: figures.recall,
      "ms a page": ms,
      pages: pages.length,
      "% with hidden text": (100 * accused) / pages.length,
    };
  },
};

type Reader = (html: string) => { text: string; hidden: number };

async function ours(): Promise<Reader> {
  const { extractPage } = await import("../../../packages/sites/src/page/extract.ts");
  return (html) => {
    const { passages, hidden } = extractPage(html, { maxMs: 60_000 });
    let last = "";
    const lines = passages
      .filter(({ aside }) => !aside)
      .flatMap(({ heading, text }) => {
        const isNew = heading !== last;
        last = heading;
        return isNew ? [heading, text] : [text];
      });
    return { text: lines.join("\n"), hidden: hidden.length };
  };
}

async function readability(): Promise<Reader> {
  const { parseHTML } = await import("linkedom");
  const { Readability } = await import("@mozilla/readability");
  return (html) => {
    const { document } = parseHTML(html);
    return { text: textOf(new Readability(document as never).parse()?.content ?? ""), hidden: 0 };
  };
}
