// runtimes: node
// What `import "millrace"` loads. Each file and package costs every program that starts, a serverless function most of all.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { engineRoot } from "./support/program.ts";
import { readSources } from "./support/tidy/source.ts";

/** Prints every module that these imports lead to, as Node resolves them. */
function loadedBy(...imports: string[]): string[] {
  const code = `import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    for (const path of ${JSON.stringify(imports)}) await import(path);
    console.log(JSON.stringify(loaded));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: engineRoot,
    encoding: "utf8",
  });
  assert.notEqual(stdout, "", stderr);
  return (JSON.parse(stdout) as string[]).map((url) => url.replace(`file://${engineRoot}/`, ""));
}

describe('import "millrace"', () => {
  const loaded = loadedBy("./src/index.ts");

  test("loads no package but the one that reads cron expressions", () => {
    const packages = loaded.filter((url) => url.includes("node_modules"));
    assert.deepEqual(new Set(packages.map((url) => /.*node_modules\/([^/]+)/.exec(url)?.[1])), new Set(["croner"]));
  });

  test("loads neither SQLite, nor a server, nor pools, nor the parts behind the borders", () => {
    const early =
      /^node:(sqlite|http|https|net|tls)$|^src\/(http|cli|client|api|runtime|workloads|chromium|move)\/|^src\/pool\/pools?\.ts$/;
    assert.deepEqual(
      loaded.filter((url) => early.test(url)),
      [],
    );
    const cores = loaded.filter((url) =>
      /^src\/store\/(sqlite|postgres)\/(core|database|driver|connection)\.ts/.test(url),
    );
    assert.deepEqual(cores, []);
  });

  test("loads less than a third of the engine", () => {
    const all = readSources("src", engineRoot).filter(({ path }) => !/\.test\.ts$|\/contract\//.test(path));
    assert.ok(loaded.length < all.length / 3, `${loaded.length} of ${all.length} modules`);
  });
});

test('import "millrace/client" loads its own files and nothing of Node', () => {
  const wrong = loadedBy("./src/client/index.ts").filter((url) => !/^src\/(client|lib)\//.test(url));
  assert.deepEqual(wrong, []);
});

test("an isolated processor that imports `millrace/processor` loads nothing of the engine but its errors", () => {
  const loaded = loadedBy("./src/processor.ts");
  assert.deepEqual(
    loaded.filter((url) => !/^src\/(processor\.ts|job\/|lib\/)/.test(url)),
    [],
  );
  assert.ok(loaded.length < 12, loaded.join(" "));
});

test("`millrace/isolated` loads neither a store nor a server", () => {
  const early = /^node:(http|https|sqlite)$|^src\/(http|cli|client|runtime|store|engine|api)\//;
  const loaded = loadedBy("./src/isolated.ts");
  assert.deepEqual(
    loaded.filter((url) => early.test(url)),
    [],
  );
  assert.ok(loaded.length < 45, `${loaded.length} modules`);
});

test("neither `millrace/shapes` nor `millrace/settings` loads a server or the engine", () => {
  const early = /^node:(http|https|sqlite)$|^src\/(http\/(?!issues)|cli|client|runtime|store|pool|engine)\//;
  const loaded = loadedBy("./src/shapes.ts", "./src/settings.ts");
  assert.deepEqual(
    loaded.filter((url) => early.test(url)),
    [],
  );
});
