// runtimes: node
// Folders are steps: small, the same in both stores, and with helpers apart from tests.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { root } from "../support/program.ts";
import {
  crowdedFolders,
  filesIn,
  foldersIn,
  listedFiles,
  longFiles,
  misplacedHelpers,
} from "../support/tidy/layout.ts";

const STORE = "packages/millrace/src/store";
const PARTS = ["src", "dashboard", "bin", "lib", "test"];

const folders = [
  ...readdirSync(join(root, "packages")).flatMap((name) => PARTS.map((part) => `packages/${name}/${part}`)),
  ...["test", "bench", "scripts"],
].filter((folder) => existsSync(join(root, folder)));
/** Without what other programs write: packages, builds, and the client of Prisma. */
const paths = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  )
  .filter((path) => /\.(?:tsx?|js)$/.test(path) && !/\/(?:node_modules|dist|generated|\.[^/]*)\//.test(path));
const files = paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
const tests = paths.filter((path) => /^(?:packages\/[^/]+\/)?test\//.test(path));

describe("the layout", () => {
  test("has no folder with more than 20 files at one level", () => {
    assert.deepEqual(crowdedFolders(paths), []);
  });

  test("has no file with more than 350 lines of code", () => {
    assert.deepEqual(longFiles(files), []);
  });

  test("is the same for both stores", () => {
    assert.deepEqual(foldersIn(`${STORE}/sqlite`, paths), foldersIn(`${STORE}/postgres`, paths));
    assert.ok(foldersIn(`${STORE}/sqlite`, paths).includes("claim"));
  });

  test("has the same files in both stores, except those that the pages about the stores list with a reason", () => {
    const files = { sqlite: filesIn(`${STORE}/sqlite`, paths), postgres: filesIn(`${STORE}/postgres`, paths) };
    const alone = {
      sqlite: files.sqlite.filter((file) => !files.postgres.includes(file)),
      postgres: files.postgres.filter((file) => !files.sqlite.includes(file)),
    };
    const page = (store: string) => readFileSync(join(root, `docs/internals/${store}.md`), "utf8");
    assert.deepEqual(alone, { sqlite: listedFiles(page("sqlite")), postgres: listedFiles(page("postgres")) });
    assert.ok(files.sqlite.length - alone.sqlite.length > 100);
  });

  test("keeps helpers of tests apart from tests", () => {
    assert.deepEqual(misplacedHelpers(tests), []);
  });
});

describe("the rules of the layout", () => {
  test("see a crowded folder, and do not count unit tests", () => {
    const many = (name: (n: number) => string) => Array.from({ length: 21 }, (_, n) => name(n));
    assert.deepEqual(crowdedFolders(many((n) => `src/a/${n}.ts`)), ["src/a: 21 files"]);
    assert.deepEqual(crowdedFolders(many((n) => `src/a/${n}.test.ts`)), []);
    assert.deepEqual(crowdedFolders(many((n) => `test/a/${n}.test.ts`)), ["test/a: 21 files"]);
    assert.deepEqual(crowdedFolders(many((n) => `src/${n}/a.ts`)), []);
  });

  test("count lines of code, not comments", () => {
    const lines = (count: number, line: string) => Array.from({ length: count }, () => line).join("\n");
    assert.deepEqual(longFiles([{ path: "a.ts", text: lines(351, "a();") }]), ["a.ts: 351 lines"]);
    assert.deepEqual(longFiles([{ path: "a.ts", text: `${lines(350, "a();")}\n\n${lines(50, "// why")}` }]), []);
  });

  test("read the files of a page from its table alone", () => {
    const page =
      "# A store\n\n| `x.ts` | before |\n\n## Files that only this store has\n\n| files | why |\n|---|---|\n| `b/c.ts`, `a.ts` | not `d.ts` |\n\n## More\n\n| `e.ts` | after |\n";
    assert.deepEqual(listedFiles(page), ["a.ts", "b/c.ts"]);
    assert.deepEqual(filesIn("s", ["s/a.ts", "s/a.test.ts", "s/migrations/0001-a.ts", "t/a.ts", "s/b/c.ts"]), [
      "a.ts",
      "b/c.ts",
    ]);
  });

  test("see a helper among tests, and a test among helpers", () => {
    const wrong = ["test/faults/until.ts", "test/support/a.test.ts"];
    const right = ["test/a.test.ts", "test/faults/support/until.ts", "test/types/a.ts", "test/flow/modules/work.ts"];
    assert.deepEqual(misplacedHelpers([...wrong, ...right]), wrong);
  });
});
