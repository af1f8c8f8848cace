// Real sources from --corpus, beside what their own tools draw. Shares are of the drawings that the upstream draws.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReferenceBrowser } from "../../../packages/diagrams/test/support/reference/browser.ts";
import type { Who } from "../../contenders/open.ts";
import { type Compared, compareWith, type Tools } from "../../diagrams/corpus/compare.ts";
import { figuresOf } from "../../diagrams/corpus/figures.ts";
import { referenceFor } from "../../diagrams/corpus/reference.ts";
import { formatOf, GROUPS, type Group, readCorpus } from "../../diagrams/corpus/sources.ts";
import { Viewer } from "../../diagrams/corpus/viewers.ts";
import type { Measure } from "../../harness.ts";

/** From --corpus, --sample and --keep. */
export const CORPUS = { folder: "BENCH_CORPUS", sample: "BENCH_SAMPLE", keep: "BENCH_KEEP" } as const;
const SAMPLE = 200;

export const diagramCorpus: Measure = {
  name: "diagram-corpus",
  title: "Real sources beside what their own tools draw, Mermaid with its defaults in Chromium; shares in %",
  unit: "%",
  rounds: 1,
  limitMs: 3 * 3_600_000,
  cases: ({ corpus }) =>
    corpus === undefined
      ? []
      : GROUPS.map((group) => ({
          who: "millrace full" as Who,
          setting: group,
          with: {},
          env: { [CORPUS.folder]: corpus },
        })),
  async run({ setting }, dir) {
    const [group, folder] = [setting as Group, process.env[CORPUS.folder] ?? ""];
    const sample = Number(process.env[CORPUS.sample] ?? SAMPLE);
    const keep = process.env[CORPUS.keep];
    const browser = await ReferenceBrowser.start();
    const viewers = { librsvg: Viewer.find("librsvg", dir), inkscape: Viewer.find("inkscape", dir) };
    const tools: Tools = { browser, ...viewers, keep: keep && join(keep, group.replace(" ", "-")) };
    try {
      const reference = referenceFor(group, browser);
      const compared: Compared[] = [];
      for (const each of readCorpus(folder, group)) {
        if (compared.length >= sample) break;
        const theirs = await reference(each.source);
        if (theirs === undefined) continue;
        compared.push(await compareWith(theirs, each, formatOf(group), tools));
        if (tools.keep !== undefined) writeFileSync(`${tools.keep}.json`, JSON.stringify(compared, null, 1));
      }
      return figuresOf(compared, group);
    } finally {
      await browser.stop();
    }
  },
};
