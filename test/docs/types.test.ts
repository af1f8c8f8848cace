// runtimes: node

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { root, run, temporaryFolder } from "../support/program.ts";
import { typescriptBlocks } from "./support/blocks.ts";
import { writePages } from "./support/pages.ts";

test("every TypeScript block of the documentation compiles under strict", async (t) => {
  const home = temporaryFolder(t);
  const blocks = typescriptBlocks().filter(({ info }) => !info.startsWith("no-check:"));
  const programs = writePages(home, blocks);
  const compilerOptions = {
    strict: true,
    // The sources, which are compiled along, need these two.
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: "es2024",
    lib: ["es2024", "esnext.disposable"],
    module: "nodenext",
    customConditions: ["millrace-source"],
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    types: ["node"],
  };
  const files = programs.map(({ folder, file }) => relative(home, join(folder, file)));
  writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const compiled = run(t, [process.execPath, join(root, "node_modules/typescript/bin/tsc"), "-p", home], { cwd: home });
  const { code } = await compiled.ended();
  let errors = compiled.stdout() + compiled.stderr();
  for (const { folder, file, place } of programs)
    errors = errors.replaceAll(`${relative(home, join(folder, file))}(`, `${place} (`);
  assert.equal(code, 0, errors);
  assert.ok(blocks.length > 40, "the blocks were found");
});
