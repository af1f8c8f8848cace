// Started by the tests of sameness: draws every source, forwards or backwards, and prints a hash of each.

import { createHash } from "node:crypto";
import { sampled } from "../../../../test/support/torture.ts";
import type { Format } from "../../src/api/formats.ts";
import type { CommonOptions } from "../../src/api/options.ts";
import type { DiagramEngine } from "../../src/engine.ts";
import { engineOf } from "../../src/engines.ts";
import { renderDiagram } from "../../src/render.ts";
import { D2_SOURCES, GRAPHVIZ_SOURCES } from "./other-sources.ts";
import { SOURCES } from "./sources.ts";

type Work = readonly [name: string, format: Format, source: string, options: CommonOptions & { layout?: string }];

const all: Work[] = [
  ...Object.entries(SOURCES).map(([name, source]): Work => [name, "mermaid", source, {}]),
  ...Object.entries(D2_SOURCES).flatMap(([name, source]): Work[] =>
    ["dagre", "elk"].map((layout) => [`d2/${name}/${layout}`, "d2", source, { layout }] as const),
  ),
  ...Object.entries(GRAPHVIZ_SOURCES).map(([name, source]): Work => [`graphviz/${name}`, "graphviz", source, {}]),
];
const chosen = sampled(all);
if (process.argv[2] === "backwards") chosen.reverse();
const hashes: Record<string, string> = {};
for (const [at, [name, format, source, options]] of chosen.entries()) {
  const engine = (await engineOf(format)) as DiagramEngine<CommonOptions>;
  // A picture of every fifth: all of them would take a minute.
  const outputType = (process.argv[2] === "backwards" ? chosen.length - 1 - at : at) % 5 === 0 ? "png" : "svg";
  const rendered = await renderDiagram(engine, source, options, outputType);
  if ("fault" in rendered) throw new Error(`${name}: ${rendered.fault.message}`);
  hashes[name] = createHash("sha256")
    .update(rendered.svg)
    .update(rendered.picture ?? "")
    .digest("hex");
}
process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries(hashes).sort())));
process.exit(0);
