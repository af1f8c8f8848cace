// runtimes: node
// time-limit: 300 s
// Hostile drawings and hostile diagrams, through our sanitiser and our engines, opened in a real Chromium that reports
// every script it compiles and every request it makes. There must be none.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { CommonOptions } from "../src/api/options.ts";
import type { DiagramEngine } from "../src/engine.ts";
import { engineOf } from "../src/engines.ts";
import { rasterise } from "../src/png.ts";
import { renderDiagram } from "../src/render.ts";
import { sanitise } from "../src/sanitise.ts";
import { XmlError } from "../src/svg/xml.ts";
import { PAYLOADS } from "./support/hostile.ts";
import { HOSTILE_CONFIG, randomConfigs } from "./support/hostile-config.ts";
import { HOSTILE_DIAGRAMS } from "./support/hostile-diagrams.ts";
import { type Deeds, WatchedPage } from "./support/watched-page.ts";

const LONG_MS = 200_000;
const PER_PAGE = 25;
const RANDOM = process.env["TORTURE"] === "1" ? 1000 : 40;
const NOTHING: Deeds = { scripts: [], requests: [] };

let page: WatchedPage;
before(async () => {
  page = await WatchedPage.open();
});
after(() => page.stop());

/** Each as a document of its own, then all of them in pages of 25. What came out the same is opened once. */
async function deedsOf(all: readonly string[]): Promise<string[]> {
  const svgs = [...new Set(all)];
  const found: string[] = [];
  const note = (what: string, { scripts, requests }: Deeds) => {
    if (scripts.length + requests.length > 0) found.push(`${what}: ${[...scripts, ...requests].join(", ")}`);
  };
  for (const svg of svgs) note(svg.slice(0, 300), await page.openDocument(svg));
  for (let from = 0; from < svgs.length; from += PER_PAGE) {
    const some = svgs.slice(from, from + PER_PAGE);
    note(`a page with drawings ${from} to ${from + some.length - 1}`, await page.openInPage(some));
  }
  return found;
}

describe("the watched page", () => {
  const svg = (body: string, attributes = "") =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" ${attributes}>${body}</svg>`;

  test("sees the scripts and the requests of drawings that nobody cleaned", async () => {
    const scripts = [
      svg("", 'onload="alert(1)"'),
      svg("<script>alert(1)</script>"),
      svg('<rect onclick="alert(1)" width="9" height="9"/>'),
      svg('<a href="javascript:alert(1)"><text>x</text></a>'),
      svg('<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="data:," onerror="alert(1)"/></foreignObject>'),
    ];
    for (const each of scripts) assert.notDeepEqual((await page.openDocument(each)).scripts, [], each);
    assert.notDeepEqual((await page.openInPage(scripts)).scripts, []);
    const requests = [
      svg('<image href="https://evil.example/x.png" width="9" height="9"/>'),
      svg("<style>@import 'https://evil.example/x.css';</style>"),
      svg('<rect width="9" height="9" style="mask:url(https://evil.example/x.svg#m)"/>'),
      svg('<use href="https://diagrams.test/other.svg#x"/>'),
    ];
    for (const each of requests) assert.notDeepEqual((await page.openDocument(each)).requests, [], each);
  });

  test("sees nothing in a drawing that does nothing", async () => {
    const plain = svg('<rect width="9" height="9"/><a href="https://example.com"><text>x</text></a>');
    assert.deepEqual(await page.openDocument(plain), NOTHING);
    assert.deepEqual(await page.openInPage([plain]), NOTHING);
  });
});

describe("in a real browser", () => {
  test(`${PAYLOADS.length} hostile drawings, cleaned, run no script and ask for nothing`, {
    timeout: LONG_MS,
  }, async () => {
    const cleaned = PAYLOADS.flatMap((payload) => cleanedOrRefused(payload));
    assert.ok(cleaned.length >= 200, `${cleaned.length} were not refused at once`);
    assert.deepEqual(await deedsOf(cleaned), []);
  });

  test(`${HOSTILE_DIAGRAMS.length} hostile diagrams, drawn, run no script and ask for nothing`, {
    timeout: LONG_MS,
  }, async () => {
    const drawn: string[] = [];
    const faults: string[] = [];
    for (const [format, source] of HOSTILE_DIAGRAMS) {
      const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
      const rendered = await renderDiagram(engine, source, {});
      if ("svg" in rendered) drawn.push(rendered.svg);
      else faults.push(rendered.fault.message);
    }
    // A source that is refused proves nothing: most must come through.
    assert.ok(drawn.length >= 100, `${drawn.length} drawn; refused: ${faults.join("; ")}`);
    assert.deepEqual(await deedsOf(drawn), []);
  });

  test("hostile and random configurations of Mermaid ask for nothing and leave the page around the drawing alone", {
    timeout: LONG_MS,
  }, async () => {
    const engine = (await engineOf("mermaid")) as DiagramEngine<CommonOptions>;
    const drawn: string[] = [];
    for (const source of [...HOSTILE_CONFIG, ...randomConfigs(RANDOM, 7)]) {
      const rendered = await renderDiagram(engine, source, {});
      if ("svg" in rendered) drawn.push(rendered.svg);
    }
    assert.ok(drawn.length > HOSTILE_CONFIG.length, `${drawn.length} drawn`);
    assert.deepEqual(await deedsOf(drawn), []);
  });
});

describe("a file of the machine", () => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-hostile-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "secret.png");
  // One red pixel.
  const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

  const references = [
    file,
    `file://${file}`,
    `../../../../../../../../..${file}`,
    `data:image/svg+xml,<svg><image href='${file}'/></svg>`,
  ];
  const bodies = references.flatMap((href) => {
    const safe = href.replaceAll("<", "&lt;");
    return [
      `<image href="${safe}" width="9" height="9"/>`,
      `<image xlink:href="${safe}" width="9" height="9"/>`,
      `<filter id="f"><feImage href="${safe}"/></filter><rect filter="url(#f)" width="9" height="9"/>`,
      `<rect width="9" height="9" style="fill:url('${safe}')"/>`,
      `<use href="${safe}#x"/>`,
    ];
  });
  const drawings = bodies.map(
    (body) =>
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" width="9" height="9">${body}</svg>`,
  );
  const diagrams = [
    ["d2", `x: { icon: ${file} }`],
    ["d2", `x: { shape: image; icon: file://${file} }`],
    ["d2", `x: |md\n  ![y](${file})\n|`],
    ["graphviz", `digraph { a [image="${file}"] }`],
    ["mermaid", `flowchart LR\n  a@{ img: "${file}", label: "x", w: 60, h: 60 }`],
  ] as const;

  async function pictures(): Promise<string[]> {
    const found: string[] = [];
    for (const svg of drawings) found.push(Buffer.from((await rasterise(sanitise(svg))).bytes).toString("base64"));
    for (const [format, source] of diagrams) {
      const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
      const rendered = await renderDiagram(engine, source, {}, "png");
      found.push("fault" in rendered ? rendered.fault.message : Buffer.from(rendered.picture ?? []).toString("base64"));
    }
    return found;
  }

  test("shows in no picture: the same bytes whether it is there or not", { timeout: LONG_MS }, async () => {
    const without = await pictures();
    const uncleanedWithout = Buffer.from((await rasterise(drawings[0] ?? "")).bytes);
    writeFileSync(file, Buffer.from(PNG, "base64"));
    assert.deepEqual(await pictures(), without);
    // Else this test could not fail.
    assert.notDeepEqual(Buffer.from((await rasterise(drawings[0] ?? "")).bytes), uncleanedWithout);
  });
});

function cleanedOrRefused(payload: string): string[] {
  try {
    return [sanitise(payload)];
  } catch (error) {
    assert.ok(error instanceof XmlError || /not an SVG/.test(String(error)), String(error));
    return [];
  }
}
