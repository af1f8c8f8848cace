// runtimes: node

import assert from "node:assert/strict";
import { test } from "node:test";
import { cli } from "../support/cli.ts";
import { blocksUnder } from "./support/blocks.ts";
import { project, runFile } from "./support/project.ts";

test("the guide's program learns why its job waits, and the command line says the same of the file", async (t) => {
  const [program] = blocksUnder("docs/guides/explain.md", "# Why a job does not run").filter(
    ({ language }) => language === "ts",
  );
  const folder = project(t, `// program.ts\n${program?.code}console.log(job.id);\n`);
  const printed = await runFile(t, folder, "program.ts");
  const [codeOfReason, until = "", next, jobId = ""] = printed.split("\n");
  assert.deepEqual([codeOfReason, new Date(until).toISOString(), next], ["delayed", until, "undefined"]);

  const asked = cli(t, ["explain", jobId, "--db", "data/jobs.db"], {}, folder);
  assert.deepEqual(await asked.ended(), { code: 0, signal: null }, asked.stderr());
  const [head, first, second, , advice] = asked.stdout().split("\n");
  assert.equal(head, `${jobId}  pending`);
  assert.equal(first, '  no-worker  No living worker serves stage "running" of kind "letter".');
  assert.match(second ?? "", /^ {2}delayed {4}The job is scheduled for .*Z\. \(in (1m|5\d(\.\d)?s|4\d(\.\d)?s)\)$/);
  assert.match(advice ?? "", /^Start a process/);
});
