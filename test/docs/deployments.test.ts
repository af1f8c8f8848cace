// runtimes: node
// The guide to deployments, typed: its contract, its worker and its web process as real processes, and its fragments.

import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { cli } from "../support/cli.ts";
import { root, run, temporaryFolder } from "../support/program.ts";
import { blocksUnder } from "./blocks.ts";

const GUIDE = "docs/guides/deployments.md";
const typescript = (heading: string) =>
  blocksUnder(GUIDE, heading).flatMap(({ language, code }) => (language === "ts" ? [code] : []));

test("the guide's web process gets a result from its worker process, whose deployment is then drained", async (t) => {
  const folder = project(t, ...typescript("## A web process and a worker process"));
  const worker = run(t, [process.execPath, "worker.ts"], { cwd: folder, env: { DEPLOYMENT: "2026-11-16.1" } });
  const web = run(t, [process.execPath, "web.ts"], { cwd: folder });
  assert.deepEqual(await web.ended(), { code: 0, signal: null }, web.stderr());
  assert.equal(web.stdout(), "Shipped. Paid o-7: 12.5 EUR\n");
  const wait = ["deployments", "wait", "2026-11-16.1", "--drained", "--db", join(folder, "jobs.db")];
  const waited = cli(t, wait);
  assert.deepEqual(await waited.ended(), { code: 0, signal: null }, waited.stderr());
  worker.child.kill("SIGTERM");
  assert.deepEqual(await worker.ended(), { code: 0, signal: null }, worker.stderr());
});

test("the guide's fragments about renamed stages and pinned jobs are valid", async (t) => {
  const [contract = ""] = typescript("## A web process and a worker process");
  const fragments = [...typescript("## Change the stages of a kind"), ...typescript("## Pinned jobs")];
  assert.equal(fragments.length, 2);
  const imports = 'import { work } from "millrace";\nimport { order } from "./contract.ts";\n';
  const processors = 'const charge = () => null, ship = () => ({ receipt: "" }), deliver = ship;\n';
  const folder = project(t, contract, `// fragments.ts\n${imports}${processors}${fragments.join("")}`);
  const ran = run(t, [process.execPath, "fragments.ts"], { cwd: folder });
  assert.deepEqual(await ran.ended(), { code: 0, signal: null }, ran.stderr());
});

/** Each block becomes the file that its first line names; the package is this clone. */
function project(t: TestContext, ...blocks: string[]): string {
  const folder = temporaryFolder(t);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const code of blocks) {
    const [, name = ""] = /^\/\/ (\S+\.ts)\n/.exec(code) ?? [];
    assert.notEqual(name, "", "each block names its file");
    writeFileSync(join(folder, name), code.replaceAll('"millrace"', JSON.stringify(join(root, "src/index.ts"))));
  }
  return folder;
}
