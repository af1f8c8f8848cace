// runtimes: node
// The route of one job in ARCHITECTURE.md, which people follow with the page open: every row names a file and functions that are
// in it.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../support/program.ts";

const SRC = join(root, "packages/millrace/src");
const ROW = /^\| (\d+) \| `([^`]+)` \| ([^|]+) \|/;

const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const rows = page.split("\n").flatMap((line) => {
  const [, number, file, functions = ""] = ROW.exec(line) ?? [];
  if (number === undefined || file === undefined) return [];
  return [{ number: Number(number), file, functions: [...functions.matchAll(/`(\w+)`/g)].map(([, name]) => name) }];
});

test("the route of one job has 20 files at most, each of which has the functions of its row", () => {
  assert.deepEqual(
    rows.map(({ number }) => number),
    rows.map((_, i) => i + 1),
  );
  assert.ok(rows.length > 15 && rows.length <= 20, `${rows.length} rows`);
  assert.equal(new Set(rows.map(({ file }) => file)).size, rows.length);
  const missing = rows.flatMap(({ file, functions }) => {
    if (!existsSync(join(SRC, file))) return [file];
    const text = readFileSync(join(SRC, file), "utf8");
    return functions.filter((name) => !declares(text, name ?? "")).map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(missing, []);
});

test("PostgreSQL has a file of the same name for each step of its own", () => {
  const steps = rows.filter(({ file }) => /^store\/sqlite\/\w+\//.test(file) && !file.includes("/thread/"));
  assert.deepEqual(
    steps.map(({ file }) => file.replace("sqlite", "postgres")).filter((file) => !existsSync(join(SRC, file))),
    [],
  );
  assert.equal(steps.length, 5);
});

test("the page fits on two screens", () => {
  assert.ok(page.split("\n").length <= 130, `${page.split("\n").length} lines`);
});

/** As a function, or as a method of a class. */
function declares(text: string, name: string): boolean {
  return new RegExp(`(function ${name}\\b|^  (?:async )?${name}(?:<[^>]+>)?\\()`, "m").test(text);
}
