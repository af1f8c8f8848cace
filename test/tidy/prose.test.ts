// runtimes: node
// What people read: the documentation, the texts that ship with the packages, and comments.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../support/program.ts";
import { readSources } from "../support/tidy/source.ts";

const FOLDERS = ["docs", "deploy", "examples", "packages/create-millrace"];
const FILES = ["README.md", "CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "bench/README.md"];

const documents = [...FILES, ...FOLDERS.flatMap(documentsIn)].map((path) => ({
  path,
  lines: readFileSync(join(root, path), "utf8").split("\n"),
}));

function documentsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(md|ya?ml|service|conf|ini)$|Dockerfile$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name));
}

function linesWith(pattern: RegExp, isExempt: (path: string) => boolean = () => false): string[] {
  return documents
    .filter(({ path }) => !isExempt(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}: ${line}`] : [])),
    );
}

test("no document has the marks of an unfinished merge", () => {
  assert.deepEqual(linesWith(/^(<{7}|>{7}|={7})( |$)/), []);
});

const REPLACED = /\b(whoever|nobody|somebody|anybody|anew|of late|is told|is said|taken for|reckon(ed|s)?|in vain)\b/i;

test("comments in the product do not use them either", () => {
  const folders = readdirSync(join(root, "packages")).flatMap((name) => [
    `packages/${name}/src`,
    `packages/${name}/dashboard`,
  ]);
  const sources = folders.filter((folder) => existsSync(join(root, folder))).flatMap((folder) => readSources(folder));
  // The text of a migration is frozen, and contracts are tests.
  const checked = sources.filter(({ path }) => !/\.test\.tsx?$|\/migrations\/|\/store\/contract\//.test(path));
  const found = checked.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, i) => {
      const comment = /(?:^\s*|\s)(?:\/\/|\/\*\*|\*) .*/.exec(line)?.[0] ?? "";
      return REPLACED.test(comment) ? [`${path}:${i + 1}: ${line.trim()}`] : [];
    }),
  );
  assert.deepEqual(found, []);
  assert.ok(checked.length > 1000);
});

test("documents do not use the words that the rules of plain English replace", () => {
  // CONTRIBUTING lists them.
  assert.deepEqual(
    linesWith(REPLACED, (path) => path === "CONTRIBUTING.md"),
    [],
  );
});
