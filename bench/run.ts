// run.ts [--quick] [--part name] [--only name,name] [--corpus folder [--sample 200] [--keep folder]]
// Runs on the runtime it measures; run.js (or npm run bench) starts it.

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BENCH_DIR, cleanUpAtExit, type Result, runMeasure } from "./harness.ts";
import { machine } from "./machine.ts";
import { MEASURES, PARTS } from "./measures/all.ts";
import { CORPUS } from "./measures/workloads/diagram-corpus.ts";
import { markdown, type Run } from "./report.ts";
import { judge } from "./targets.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    part: { type: "string" },
    only: { type: "string" },
    corpus: { type: "string" },
    sample: { type: "string" },
    keep: { type: "string" },
  },
});
const { quick, part } = values;
const corpus = values.corpus === undefined ? undefined : resolve(values.corpus);
if (part !== undefined && !Object.hasOwn(PARTS, part)) {
  console.error(`No part is called ${part}. There are: ${Object.keys(PARTS).join(", ")}`);
  process.exit(2);
}
const only = values.only?.split(",") ?? PARTS[part ?? ""]?.map(({ name }) => name);
const unknown = only?.filter((name) => !MEASURES.some((measure) => measure.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(
    `No measure is called ${unknown.join(", ")}. There are: ${MEASURES.map(({ name }) => name).join(", ")}`,
  );
  process.exit(2);
}

for (const [name, value] of [
  [CORPUS.sample, values.sample],
  [CORPUS.keep, values.keep && resolve(values.keep)],
] as const)
  if (value !== undefined) process.env[name] = value;

cleanUpAtExit();
const chosen = MEASURES.filter(({ name }) => !only || name === "disk" || only.includes(name));
const start = performance.now();
const results: Result[] = [];
for (const measure of chosen) {
  console.error(`\n${measure.title}`);
  results.push(...(await runMeasure(measure, { quick, corpus, say: (line) => console.error(`  ${line}`) })));
}

const date = new Date().toISOString().slice(0, 10);
const verdicts = judge(results).filter(({ reached }) => !only || reached !== undefined);
const run: Run = { date, quick, machine: machine(), results, verdicts, minutes: (performance.now() - start) / 60_000 };
const text = markdown(run, chosen);
console.log(`\n${text}`);

// What is less than a whole part never replaces it.
const kept = quick || values.only ? "-some" : part ? `-${part}` : "";
const name = `${date}-${process.versions["bun"] ? "bun" : "node"}${kept}`;
mkdirSync(join(BENCH_DIR, "results"), { recursive: true });
writeFileSync(join(BENCH_DIR, "results", `${name}.md`), text);
writeFileSync(join(BENCH_DIR, "results", `${name}.json`), `${JSON.stringify(run, null, 2)}\n`);
console.log(`Written to bench/results/${name}.md and .json`);
process.exit(0);
