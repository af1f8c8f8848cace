// runtimes: node
// time-limit: 300 s
// Every kind of diagram as a PNG, beside Chromium's picture of the same SVG: arrows, colours and labels where they belong.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromiumForTests } from "../../../test/support/chromium.ts";
import { sampled } from "../../../test/support/torture.ts";
import { Page } from "../../millrace/src/chromium/page.ts";
import type { Format } from "../src/api/formats.ts";
import type { CommonOptions } from "../src/api/options.ts";
import { Chromium } from "../src/chromium/chromium.ts";
import type { DiagramEngine } from "../src/engine.ts";
import { engineOf } from "../src/engines.ts";
import { renderDiagram } from "../src/render.ts";
import { D2_SOURCES, GRAPHVIZ_SOURCES } from "./support/other-sources.ts";
import { SOURCES } from "./support/sources.ts";

const LONG_MS = 250_000;
// The edges of letters differ between any two rasterisers: up to 1.5 % of the pixels where a drawing is full of text. A line,
// an arrow head, a label or a colour that is missing makes more.
const MOST_DIFFERENT = 0.02;
const FAR_APART = 200;

let chromium: Chromium;
let page: Page;
before(async () => {
  await chromiumForTests();
  chromium = await Chromium.start();
  page = await Page.open(chromium.browser);
});
after(() => chromium.stop());

/** The share of pixels whose colours are far apart. */
async function difference(format: Format, source: string, options: object): Promise<number> {
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  const rendered = await renderDiagram(engine, source, options, "png");
  assert.ok("picture" in rendered && rendered.picture !== undefined, "fault" in rendered ? rendered.fault.message : "");
  const theirs = await chromium.picture(rendered.svg, Math.round(rendered.width), Math.round(rendered.height));
  const [a, b] = [rendered.picture, theirs].map((png) => JSON.stringify(Buffer.from(png).toString("base64")));
  return await page.evaluate<number>(`(async () => {
    const pixels = async (png) => {
      const image = new Image();
      image.src = "data:image/png;base64," + png;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    };
    const [a, b] = [await pixels(${a}), await pixels(${b})];
    if (a.length !== b.length) return 1;
    let far = 0;
    for (let at = 0; at < a.length; at += 4) {
      const apart = Math.abs(a[at] - b[at]) + Math.abs(a[at + 1] - b[at + 1]) + Math.abs(a[at + 2] - b[at + 2]);
      if (apart > ${FAR_APART}) far++;
    }
    return far / (a.length / 4);
  })()`);
}

async function differing(
  sources: Readonly<Record<string, string>>,
  format: Format,
  options: object,
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, source] of sampled(Object.entries(sources))) {
    const share = await difference(format, source, options);
    if (share > MOST_DIFFERENT) found.push(`${name}: ${(share * 100).toFixed(1)} %`);
  }
  return found;
}

// The largest has 15 million pixels and shows nothing that a smaller one does not.
const { "flowchart/large": _, ...sources } = SOURCES;
const small = Object.fromEntries(Object.entries(sources).filter(([name]) => name.endsWith("/small")));

test("Mermaid's are complete", { timeout: LONG_MS }, async () => {
  assert.deepEqual(await differing(sources, "mermaid", { background: "white" }), []);
});

test("so they are in a dark theme, twice as large", { timeout: LONG_MS }, async () => {
  assert.deepEqual(await differing(small, "mermaid", { theme: "dark", background: "#222", scale: 2 }), []);
});

test("D2's are complete, and Graphviz's", { timeout: LONG_MS }, async () => {
  assert.deepEqual(await differing(D2_SOURCES, "d2", {}), []);
  assert.deepEqual(await differing(GRAPHVIZ_SOURCES, "graphviz", {}), []);
});
