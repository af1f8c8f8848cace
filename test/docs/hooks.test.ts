// runtimes: node
// The guide to hooks and middleware, typed: its programs as real processes, the watching one beside a worker.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RUNTIME, run } from "../support/program.ts";
import { blocksUnder } from "./support/blocks.ts";
import { project, runFile } from "./support/project.ts";

const GUIDE = "docs/guides/hooks.md";
const typescript = (heading: string) =>
  blocksUnder(GUIDE, heading).flatMap(({ language, code }) => (language === "ts" ? [code] : []));

test("the guide's hooks hear a result and a failure", async (t) => {
  const folder = project(t, ...typescript("# Hooks and middleware"));
  assert.equal(await runFile(t, folder, "hooks.ts"), "o-7: 12.5 EUR\ninvoice failed: The amount is negative.\n");
});

test("the guide's watching process hears of a failure in another process", async (t) => {
  const folder = project(t, ...typescript("# Hooks and middleware"), ...typescript("## Events of all processes"));
  const watching = run(t, [...RUNTIME, "everywhere.ts"], { cwd: folder });
  const heard = watching.said(/invoice failed in another process: The amount is negative\./);
  // What happens before the subscription is known is not heard.
  let isHeard = false;
  void heard.then(() => {
    isHeard = true;
  });
  while (!isHeard) await runFile(t, folder, "hooks.ts");
  await heard;
});

test("the guide's middleware wraps a processor with a context and sees its result", async (t) => {
  const folder = project(t, ...typescript("## Middleware"));
  assert.match(
    await runFile(t, folder, "middleware.ts"),
    /^greeting: greeting Ada\ngreeting: returned "Hello Ada"\ngreeting: took \d+ ms\nHello Ada\n$/,
  );
});

test("the guide's isolated module has middleware of its own", async (t) => {
  const [module = ""] = typescript("### Isolated stages");
  const program = `// program.ts
import { defineKind, Millrace, sqlite } from "millrace";
import { z } from "zod";
const module = new URL("./resize.ts", import.meta.url);
const kind = defineKind({ name: "resize", payload: z.object({ width: z.number() }), isolation: "process", module });
const millrace = await Millrace.open({ store: sqlite("./data/jobs.db"), kinds: [kind] });
console.log(JSON.stringify(await (await millrace.submit(kind, { width: 8 })).wait()));
await millrace.stop();
`;
  const folder = project(t, module, program);
  assert.equal(await runFile(t, folder, "program.ts"), '{"width":4,"hasContext":true}\n');
});
