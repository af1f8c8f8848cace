// runtimes: node
// time-limit: 300 s
// packages only
// What npm would publish, as other tools judge it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { libraries, oncePerRun, packed } from "../support/packed.ts";
import { root } from "../support/program.ts";
import { npmSettings, pathWithRuntimes } from "./support/new-project.ts";

const execute = promisify(execFile);
const LIMIT_MS = 240_000;

/** The folder in which the tools are installed. */
function tools(): Promise<string> {
  return oncePerRun("publish-tools", async (folder) => {
    cpSync(join(root, "test/packages/publish-tools"), folder, { recursive: true });
    await execute("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, env: surroundings() });
  });
}

function surroundings() {
  return { ...process.env, ...npmSettings(), PATH: pathWithRuntimes() };
}

async function judges(tool: string, ...args: string[]): Promise<void> {
  const bin = join(await tools(), "node_modules/.bin", tool);
  const failure = await execute(bin, args, { env: surroundings() }).catch((error) => error);
  assert.equal(failure.code ?? 0, 0, `${failure.stdout}${failure.stderr}`);
}

for (const name of libraries()) {
  describe(name, { timeout: LIMIT_MS }, () => {
    test("has a package.json that publint finds nothing wrong with", async () => {
      await judges("publint", "--strict", await packed(name));
    });

    test("has types that arethetypeswrong resolves in every mode of ECMAScript modules", async () => {
      await judges("attw", await packed(name), "--profile", "esm-only");
    });

    test("could be published", () => publishes(name));
  });
}

describe("create-millrace", { timeout: LIMIT_MS }, () => {
  test("has a package.json that publint finds nothing wrong with", async () => {
    await judges("publint", "--strict", await packed("create-millrace"));
  });

  test("could be published", () => publishes("create-millrace"));
});

async function publishes(name: string): Promise<void> {
  const args = ["publish", "--dry-run", "--access", "public", await packed(name)];
  const { stdout } = await execute("npm", args, { env: surroundings() });
  assert.match(stdout, new RegExp(`\\+ ${name}@\\d`));
}
