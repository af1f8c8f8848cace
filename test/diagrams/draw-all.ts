// Started by the tests of sameness: draws every source, forwards or backwards, and prints a hash of each.

import { createHash } from "node:crypto";
import { MermaidEngine } from "../../src/workloads/diagrams/mermaid/engine.ts";
import { SOURCES } from "./sources.ts";

const engine = new MermaidEngine();
const names = Object.keys(SOURCES).sort();
if (process.argv[2] === "backwards") names.reverse();
const hashes: Record<string, string> = {};
for (const name of names) {
  const drawing = await engine.render(SOURCES[name] ?? "", {});
  hashes[name] = createHash("sha256")
    .update("svg" in drawing ? drawing.svg : drawing.fault.message)
    .digest("hex");
}
process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries(hashes).sort())));
process.exit(0);
