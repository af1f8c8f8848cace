// runtimes: node
// time-limit: 600 s
// Every TypeScript block of the README and docs/, compiled and run against the packages as npm would publish them. In `npm test`
// the runtimes take turns: each block runs on one of them, and on another the next day. So do the older compilers.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { findRuntime } from "../../packages/millrace/bin/runtimes.js";
import { type Block, typescriptBlocks } from "../docs/support/blocks.ts";
import { type Program, writePages } from "../docs/support/pages.ts";
import { runProgram } from "../docs/support/run-program.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { root, run } from "../support/program.ts";
import { inTurn } from "../support/rotation.ts";
import { scaled } from "../support/slowness.ts";
import { installedProject } from "./support/installed.ts";
import { compilers, isWholeMatrix, runtimes } from "./support/matrix.ts";

const ADDRESS = "http://127.0.0.1:3000";
const TIMEOUT_MS = 300_000;

removeDatabasesAfterwards();

/** The newest compiler always. Each older one takes most of the time of this file, so they take turns. */
const older = [...compilers.keys()].slice(1);
const chosen = [...compilers].filter(([name]) => isWholeMatrix || !older.includes(name) || inTurn(older, 0) === name);

for (const [name, { typescript, resolution }] of chosen) {
  test(`every block compiles by ${name}`, { timeout: TIMEOUT_MS }, async (t) => {
    const home = await installedProject(t);
    const programs = writePages(home, blocks(/^no-check:/), () => {});
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "es2022",
      lib: ["esnext"],
      module: resolution === "bundler" ? "esnext" : resolution,
      moduleResolution: resolution,
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      types: ["node"],
    };
    const files = programs.map(({ folder, file }) => relative(home, join(folder, file)));
    writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const tsc = join(root, "node_modules", typescript, "bin/tsc");
    const compiled = run(t, [process.execPath, tsc, "-p", home], { cwd: home });
    assert.equal((await compiled.ended()).code, 0, placed(compiled.stdout() + compiled.stderr(), home, programs));
  });
}

for (const name of runtimes) {
  test(isWholeMatrix ? `every block runs on ${name}` : `a third of the blocks runs on ${name}`, {
    timeout: TIMEOUT_MS,
  }, async (t) => {
    const found = findRuntime({ root, wanted: name });
    assert.ok(!("problem" in found), "problem" in found ? found.problem : "");
    const home = await installedProject(t);
    const url = await served(t, home, [found.path, ...found.flags]);
    const ignoresFormat = name === "bun";
    // Bun runs the functions of node:test under `bun test` alone.
    const command = (file: string) => [
      found.path,
      ...(ignoresFormat && file.endsWith(".test.ts") ? ["test"] : []),
      ...found.flags,
      file,
    ];
    const typed = blocks(/^no-(run|check):/).map((block) => ({ ...block, code: block.code.replaceAll(ADDRESS, url) }));
    const programs = writePages(home, typed, () => {});
    assert.ok(programs.length > 40, "the blocks were found");
    const waiting = programs.filter((_, index) => isWholeMatrix || inTurn(runtimes, index) === name);
    const problems: string[] = [];
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const env = { ...(next.block.info === "with PostgreSQL" && { DATABASE_URL: await freshDatabase() }) };
        await runProgram(t, next, { env, command, ignoresFormat }).catch((error: Error) =>
          problems.push(error.message),
        );
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() + 1 }, lane));
    assert.deepEqual(problems, []);
  });
}

function blocks(leftOut: RegExp): Block[] {
  return typescriptBlocks().filter(({ info }) => !leftOut.test(info));
}

/** The server of the installed package, for blocks that call one. */
async function served(t: TestContext, home: string, runtime: readonly string[]): Promise<string> {
  const command = [...runtime, "node_modules/millrace/bin/millrace.js", "serve"];
  const env = { PORT: "0", RETRY_BASE_MS: "1", RENDER_TIMEOUT_MS: String(scaled(10_000)) };
  const program = run(t, command, { cwd: home, env });
  const [, url = ""] = await program.said(/listens on (http:\S+)/);
  return url;
}

/** Errors of the compiler with their places in the documentation. */
function placed(errors: string, home: string, programs: readonly Program[]): string {
  let text = errors;
  for (const { folder, file, place } of programs)
    text = text.replaceAll(`${relative(home, join(folder, file))}(`, `${place} (`);
  return text;
}
