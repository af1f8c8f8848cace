// Started by the tests of hostile sources: draws what comes on stdin and prints what became of it.

import { readFileSync } from "node:fs";
import type { CommonOptions, Format } from "../../src/api/diagram-options.ts";
import type { Engine } from "../../src/workloads/diagrams/engine.ts";
import { engineOf } from "../../src/workloads/diagrams/engines.ts";
import { renderDiagram } from "../../src/workloads/diagrams/render.ts";

const [format = "mermaid", outputType = "svg"] = process.argv.slice(2);
const engine = (await engineOf(format as Format)) as Engine<CommonOptions>;
const rendered = await renderDiagram(engine, readFileSync(0, "utf8"), {}, outputType as "svg" | "png");
process.stdout.write(JSON.stringify("fault" in rendered ? rendered : { width: rendered.width }));
process.exit(0);
