// node packages/diagrams/test/support/parity.ts [--write] [part of a name]
//
// Draws every source with our engine and with Chromium, and compares structure, texts and every number. Prints a table;
// --write puts it into docs/reference/diagram-parity.md. KEEP=folder keeps the drawings.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { chromiumForTests } from "../../../../test/support/chromium.ts";
import { sharedChromium } from "../../src/chromium/chromium.ts";
import { MermaidEngine } from "../../src/mermaid/engine.ts";
import { parseXml } from "../../src/svg/xml.ts";
import { type Comparison, compare } from "./compare.ts";
import { type Compared, parityReport } from "./parity-report.ts";
import { SOURCES } from "./sources.ts";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean", default: false } },
});
const [filter = ""] = positionals;

await chromiumForTests();
const { browser } = await sharedChromium();
const engine = new MermaidEngine();
const compared: Compared[] = [];
try {
  for (const [name, source] of Object.entries(SOURCES)) {
    if (!name.includes(filter)) continue;
    const comparison = await drawTwice(name, source);
    compared.push({ name, ...comparison });
  }
  const { product } = await browser.ask<{ product: string }>("Browser.getVersion");
  const report = parityReport(compared, { chromium: product, mermaid: engine.version });
  if (flags.write) writeFileSync(new URL("../../../../docs/reference/diagram-parity.md", import.meta.url), report);
  else console.log(report);
} finally {
  await browser.stop();
}

async function drawTwice(name: string, source: string): Promise<Comparison> {
  const ours = await engine.render(source, {});
  if ("fault" in ours) throw new Error(`${name}: ${ours.fault.message}`);
  const theirs = await engine.render(source, { engine: "chromium" });
  if ("fault" in theirs) throw new Error(`${name} in Chromium: ${theirs.fault.message}`);
  const folder = process.env["KEEP"];
  if (folder !== undefined) {
    writeFileSync(`${folder}/${name.replace("/", "_")}.ours.svg`, ours.svg);
    writeFileSync(`${folder}/${name.replace("/", "_")}.theirs.svg`, theirs.svg);
  }
  return compare(parseXml(ours.svg), parseXml(theirs.svg));
}
