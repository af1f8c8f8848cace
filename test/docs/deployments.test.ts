// runtimes: node
// The guide to deployments, typed: its contract, its worker and its web process as real processes.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { cli } from "../support/cli.ts";
import { RUNTIME, run } from "../support/program.ts";
import { blocksUnder } from "./support/blocks.ts";
import { project } from "./support/project.ts";

const GUIDE = "docs/guides/deployments.md";

test("the guide's web process gets a result from its worker process, whose deployment is then drained", async (t) => {
  const blocks = blocksUnder(GUIDE, "## A web process and a worker process").filter(
    ({ language }) => language === "ts",
  );
  const folder = project(t, ...blocks.map(({ code }) => code));
  const worker = run(t, [...RUNTIME, "worker.ts"], { cwd: folder, env: { DEPLOYMENT: "2026-11-16.1" } });
  const web = run(t, [...RUNTIME, "web.ts"], { cwd: folder });
  assert.deepEqual(await web.ended(), { code: 0, signal: null }, web.stderr());
  assert.equal(web.stdout(), "Shipped. Paid o-7: 12.5 EUR\n");
  const wait = ["deployments", "wait", "2026-11-16.1", "--drained", "--db", join(folder, "jobs.db")];
  const waited = cli(t, wait);
  assert.deepEqual(await waited.ended(), { code: 0, signal: null }, waited.stderr());
  worker.child.kill("SIGTERM");
  assert.deepEqual(await worker.ended(), { code: 0, signal: null }, worker.stderr());
});
