// runtimes: node
// What people read: the documentation, and the texts that ship with the packages.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../support/program.ts";

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

test("documents do not use the words that the rules of plain English replace", () => {
  const words = /\b(whoever|nobody|somebody|anybody|anew|of late|is told|is said|taken for|reckon(ed|s)?|in vain)\b/i;
  // CONTRIBUTING lists them.
  assert.deepEqual(
    linesWith(words, (path) => path === "CONTRIBUTING.md"),
    [],
  );
});
