// runtimes: bun or node
// packages only
// The published package that draws ZenUML. Its dependencies are for editors, and none of them is loaded.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ZenUmlDrawer } from "../../packages/diagrams/src/mermaid/zenuml/zenuml.ts";
import { temporaryFolder } from "../support/program.ts";
import { npmSettings, pathWithRuntimes } from "./support/new-project.ts";

const SOURCE = `zenuml
  title Orders
  @Actor Client
  @EC2 Shop
  Client->Shop.order(item) {
    if (item.isThere) {
      return "日本語"
    }
  }`;

test("the package of ZenUML draws participants, messages, fragments and icons", { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const env = { ...process.env, ...npmSettings(), PATH: pathWithRuntimes() };
  const execute = promisify(execFile);
  const { stdout } = await execute("npm", ["pack", "@zenuml/core@4.7.2", "--loglevel=error"], { cwd: folder, env });
  await execute("tar", ["-xzf", stdout.trim()], { cwd: folder });
  const drawn = await new ZenUmlDrawer(() => join(folder, "package")).draw(SOURCE);
  if ("fault" in drawn) assert.fail(drawn.fault.message);
  assert.deepEqual(drawn.warnings, []);
  for (const text of ["Orders", "Client", "Shop", "order(item)", "item.isThere", "日本語"])
    assert.ok(drawn.svg.includes(text), text);
  assert.ok(drawn.width > 200 && drawn.height > 200, `${drawn.width} × ${drawn.height}`);
});
