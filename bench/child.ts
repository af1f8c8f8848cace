// One case of one measurement, in a process of its own: child.ts <measure> <prepare|run> <case> <dir> <answer file>

import { writeFileSync } from "node:fs";
import type { Case } from "./harness.ts";
import { MEASURES } from "./measures/all.ts";

const [, , name, what, given, dir, answer] = process.argv as [string, string, string, string, string, string, string];
const measure = MEASURES.find((each) => each.name === name);
if (!measure) throw new Error(`no measure is called ${name}`);
const each = JSON.parse(given) as Case;
const figures = what === "prepare" ? await measure.prepare?.(each, dir) : await measure.run(each, dir);
writeFileSync(answer, JSON.stringify(figures ?? {}));
process.exit(0);
