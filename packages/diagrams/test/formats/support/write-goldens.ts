// node packages/diagrams/test/formats/support/write-goldens.ts: after a change that is meant, look at the difference it makes.

import { writeFileSync } from "node:fs";
import { type Structure, structureOf } from "../../support/structure.ts";
import { drawn } from "./draw.ts";
import { FORMAT_SOURCES } from "./sources.ts";

const goldens: Record<string, Structure> = {};
for (const { name, format, source } of FORMAT_SOURCES) goldens[name] = structureOf((await drawn(format, source)).svg);
const lines = Object.entries(goldens).map(([name, golden]) => `  ${JSON.stringify(name)}: ${JSON.stringify(golden)}`);
writeFileSync(new URL("goldens.json", import.meta.url), `{\n${lines.join(",\n")}\n}\n`);
process.exit(0);
