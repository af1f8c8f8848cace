// node packages/diagrams/test/support/write-goldens.ts: after a change that is meant, look at the difference it makes.

import { writeFileSync } from "node:fs";
import { MermaidEngine } from "../../src/mermaid/engine.ts";
import { renderDiagram } from "../../src/render.ts";
import { SOURCES } from "./sources.ts";
import { type Structure, structureOf } from "./structure.ts";

const engine = new MermaidEngine();
const goldens: Record<string, Structure> = {};
for (const [name, source] of Object.entries(SOURCES)) {
  const rendered = await renderDiagram(engine, source, {});
  if ("fault" in rendered) throw new Error(`${name}: ${rendered.fault.message}`);
  goldens[name] = structureOf(rendered.svg);
}
const lines = Object.entries(goldens).map(([name, golden]) => `  ${JSON.stringify(name)}: ${JSON.stringify(golden)}`);
writeFileSync(new URL("goldens.json", import.meta.url), `{\n${lines.join(",\n")}\n}\n`);
