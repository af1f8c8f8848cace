// runtimes: node
// time-limit: 240 s
// Every example of the library reference compiles under strict, with its imports. Those that need no server also run.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { root, run, temporaryFolder } from "../support/program.ts";

const FOLDER = join(root, "docs/reference/api");
/** They talk to a server that is not there. */
const NEEDS_SERVER = /createClient\(/;

interface Example {
  readonly name: string;
  readonly code: string;
}

const examples: Example[] = readdirSync(FOLDER).flatMap((file) => {
  const blocks = [...readFileSync(join(FOLDER, file), "utf8").matchAll(/^```ts\n(import [\s\S]*?)^```$/gm)];
  return blocks.map(([, code = ""], i) => ({ name: `${file.replace(/\.md$/, "")}-${i}`, code }));
});

test("the examples of the reference compile under strict", async (t) => {
  assert.ok(examples.length > 10, "there are examples");
  const folder = projectWith(t, examples);
  // The sources come along, so they are checked with their own options, which are stricter than strict.
  const compilerOptions = { types: ["node"], typeRoots: [join(root, "node_modules/@types")] };
  const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compile = promisify(execFile)(join(root, "node_modules/.bin/tsc"), ["-p", folder]);
  const failure = await compile.catch((error) => error);
  assert.equal(failure.code ?? 0, 0, failure.stdout);
});

test("the examples of the reference that need no server run", async (t) => {
  const runnable = examples.filter(({ code }) => !NEEDS_SERVER.test(code) && !code.includes("postgres("));
  const folder = projectWith(t, runnable);
  const lines = runnable.map(({ name }) => `await import("./${name}.ts");\n`);
  writeFileSync(join(folder, "all.ts"), `${lines.join("")}export {};\n`);
  const program = run(t, [process.execPath, "--conditions=millrace-source", "all.ts"], { cwd: folder });
  assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stderr());
});

function projectWith(t: TestContext, files: readonly Example[]): string {
  const folder = temporaryFolder(t);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "data"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const { name, code } of files) writeFileSync(join(folder, `${name}.ts`), code);
  return folder;
}
