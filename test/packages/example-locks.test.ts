// runtimes: node
// The examples install Millrace from this repository, and their lockfiles repeat its dependencies.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { engineRoot, root } from "../support/program.ts";

const examples = readdirSync(join(root, "examples")).filter((name) =>
  existsSync(join(root, "examples", name, "package.json")),
);

test("the lockfile of every example has the dependencies of Millrace, and no download addresses", () => {
  const { version, dependencies, peerDependencies } = read(join(engineRoot, "package.json"));
  assert.ok(examples.length >= 7, "the examples were found");
  for (const name of examples) {
    const { packages } = read(join(root, "examples", name, "package-lock.json"));
    const locked = packages["node_modules/millrace"];
    assert.deepEqual(
      [locked.version, locked.dependencies, locked.peerDependencies],
      [version, dependencies, peerDependencies],
      `examples/${name}: run node scripts/example-locks.js`,
    );
    const addresses = Object.values<{ resolved?: string }>(packages).filter(({ resolved }) =>
      /^http/.test(resolved ?? ""),
    );
    assert.deepEqual(addresses, [], name);
  }
});

test("the versions that examples and this repository both use are the same", () => {
  const { devDependencies } = read(join(root, "package.json"));
  for (const name of examples) {
    const own = read(join(root, "examples", name, "package.json"));
    for (const [each, version] of Object.entries({ ...own.dependencies, ...own.devDependencies }))
      assert.equal(version, devDependencies[each] ?? version, `examples/${name}: ${each}`);
  }
});

// biome-ignore lint/suspicious/noExplicitAny: package.json and lockfiles of npm
function read(file: string): any {
  return JSON.parse(readFileSync(file, "utf8"));
}
