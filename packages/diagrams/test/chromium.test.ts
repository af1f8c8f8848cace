// runtimes: node
// time-limit: 300 s
// The engine "chromium": the same drawings from a browser, and pictures of what only a browser can draw.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { chromiumForTests } from "../../../test/support/chromium.ts";
import { preferChromium } from "../../millrace/src/chromium/find.ts";
import { sharedChromium } from "../src/chromium/chromium.ts";
import { D2Engine } from "../src/d2/engine.ts";
import { MermaidEngine } from "../src/mermaid/engine.ts";
import { renderDiagram } from "../src/render.ts";
import { SOURCES } from "./support/sources.ts";
import { structureOf } from "./support/structure.ts";

const LONG_MS = 120_000;
const engine = "chromium";
const mermaid = new MermaidEngine();
const d2 = new D2Engine();

async function svgOf(source: string, options = {}) {
  const rendered = await renderDiagram(mermaid, source, options);
  assert.ok("svg" in rendered, "fault" in rendered ? rendered.fault.message : "");
  return rendered;
}

describe("without a Chromium", () => {
  after(() => preferChromium(undefined));

  test("the engine is refused with what to do, and nothing else is", async () => {
    preferChromium("/nowhere/chromium");
    for (const rendered of [
      await renderDiagram(mermaid, "flowchart LR\n  a", { engine }),
      await renderDiagram(mermaid, "flowchart LR\n  a", { engine }, "png"),
      await renderDiagram(d2, "a", { engine }, "png"),
    ]) {
      assert.ok("fault" in rendered);
      assert.match(rendered.fault.message, /needs a Chromium.*@sparticuz\/chromium.*remove the option/);
    }
    await svgOf("flowchart LR\n  a");
  });
});

describe("with a Chromium", () => {
  before(async () => {
    await chromiumForTests();
  });
  after(async () => {
    const chromium = await sharedChromium();
    await chromium.stop();
  });

  test("formulas, icons and configuration are those of our own engine", { timeout: LONG_MS }, async () => {
    const config = { sequence: { mirrorActors: false } };
    for (const [source, options] of [
      ['flowchart LR\n  a["$$x^2$$ and $$\\frac{1}{2}$$"] -->|"$$\\sqrt{y}$$"| b["fa:fa-car Car"]', {}],
      ["sequenceDiagram\n  participant A as $$\\alpha$$\n  A->>A: $$\\sqrt{2+2}=2$$", { config }],
      ["architecture-beta\n  service s(logos:aws-lambda)[Function]", {}],
    ] as const) {
      const [ours, theirs] = [await svgOf(source, options), await svgOf(source, { ...options, engine })];
      const paths = ({ svg }: { svg: string }) => svg.match(/<path\b/g)?.length;
      assert.equal(paths(theirs), paths(ours), source);
      assert.deepEqual(theirs.warnings, []);
    }
    const missing = await svgOf('flowchart LR\n  a@{ icon: "mdi:home", label: "x" }', { engine });
    assert.match(missing.warnings.join(), /not found: mdi:home/);
  });

  test("Mermaid's drawing has the elements, texts and size of ours", { timeout: LONG_MS }, async () => {
    for (const name of ["flowchart/small", "sequence/blocks", "class/small", "pie/small"]) {
      const source = SOURCES[name] ?? "";
      const [ours, theirs] = [await svgOf(source), await svgOf(source, { engine })];
      assert.deepEqual(structureOf(theirs.svg), structureOf(ours.svg), name);
    }
  });

  test("a fault has the same words and the same place", { timeout: LONG_MS }, async () => {
    const source = "flowchart LR\n  a --> b\n  b --> [c";
    const [ours, theirs] = [await mermaid.render(source, {}), await mermaid.render(source, { engine })];
    assert.ok("fault" in ours);
    assert.deepEqual(theirs, ours);
  });

  test("themes and backgrounds are those that were asked for", { timeout: LONG_MS }, async () => {
    const source = "sequenceDiagram\n  a->>b: c";
    const { svg } = await svgOf(source, { engine, theme: "default", darkTheme: "dark", background: "#fed" });
    assert.match(svg, /prefers-color-scheme:dark/);
    assert.match(svg, /fill="#fed"/);
  });

  test("Markdown in D2 is drawn in a picture as a browser draws it, without a warning", {
    timeout: LONG_MS,
  }, async () => {
    const source = "x: |md\n  # Title\n  Some *words* and a [link](https://example.com)\n|";
    const plain = await renderDiagram(d2, source, {}, "png");
    const drawn = await renderDiagram(d2, source, { engine, scale: 2 }, "png");
    assert.ok("picture" in plain && plain.picture !== undefined && "picture" in drawn && drawn.picture !== undefined);
    assert.deepEqual([plain.warnings, drawn.warnings], [[], []]);
    assert.doesNotMatch(drawn.svg, /foreignObject/);
    const view = new DataView(drawn.picture.buffer, drawn.picture.byteOffset);
    assert.deepEqual(
      [view.getUint32(16), view.getUint32(20)],
      [Math.round(plain.width * 2), Math.round(plain.height * 2)],
    );
    assert.notDeepEqual(drawn.picture, plain.picture);
  });

  test("a browser that was killed is started again", { timeout: LONG_MS }, async () => {
    const { browser } = await sharedChromium();
    await browser.stop();
    await svgOf("flowchart LR\n  a --> b", { engine });
    assert.notEqual((await sharedChromium()).browser, browser);
  });
});
