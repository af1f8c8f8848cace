import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommonOptions } from "./api/options.ts";
import type { DiagramEngine } from "./engine.ts";
import { engineOf } from "./engines.ts";
import { renderDiagram } from "./render.ts";

test("warnings of Graphviz are cut to what a job may keep, and the diagram is drawn", async () => {
  const engine = (await engineOf("graphviz")) as DiagramEngine<CommonOptions>;
  const nodes = Array.from({ length: 60 }, (_, nth) => `n${nth} [shape="${"x".repeat(3_000)}${nth}"]`);
  const rendered = await renderDiagram(engine, `digraph { ${nodes.join(";")} }`, {});
  assert.ok("svg" in rendered);
  assert.match(rendered.warnings[0] ?? "", /unknown shape x{100,}/);
  assert.ok(
    JSON.stringify(rendered.warnings).length < 20_000,
    `${JSON.stringify(rendered.warnings).length} characters`,
  );
  assert.match(rendered.warnings.at(-1) ?? "", /^And \d+ more warnings\.$/);
});
