// runtimes: node
// time-limit: 240 s
// The library reference and the table of options say what the sources say: every public symbol and option has a doc comment,
// every type that a public declaration names is exported, and the pages are those that the generator writes.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, test } from "node:test";
import { DEFAULTS } from "../../packages/millrace/src/job/options/settings.ts";
import { ENTRIES, SOURCES } from "../../scripts/api-reference/entries.js";
import { slugger } from "../../scripts/api-reference/markdown.js";
import { apiReference } from "../../scripts/api-reference.js";
import { root } from "../support/program.ts";

const FOLDER = "docs/reference/api";
const { pages, undocumented, unnamed, entries } = apiReference();

test("every public entry of the packages has a page", () => {
  assert.deepEqual(ENTRIES.map(({ name }) => name).sort(), [...SOURCES.keys()].sort());
});

test("every exported symbol, member and option has a doc comment", () => {
  assert.deepEqual(undocumented, []);
});

test("every type that a public declaration names is exported", () => {
  assert.deepEqual(unnamed, []);
});

test("the pages are up to date: run npm run api-reference", () => {
  const stale = [...pages].filter(([path, text]) => readFileSync(join(root, path), "utf8") !== text);
  assert.deepEqual(
    stale.map(([path]) => path),
    [],
  );
  const written = readdirSync(join(root, FOLDER)).map((file) => `${FOLDER}/${file}`);
  assert.deepEqual(
    written.filter((path) => !pages.has(path)),
    [],
  );
});

describe("the doc comments of the settings", () => {
  const settings = entries
    .find(({ name }) => name === "millrace")
    ?.symbols.find(({ name }) => name === "Settings")
    ?.members?.filter(({ name }) => name !== "pools");

  test("are those of all settings", () => {
    assert.deepEqual(
      settings?.map(({ name }) => name),
      Object.keys(DEFAULTS).filter((name) => name !== "pools"),
    );
  });

  test("name the defaults that the engine has", () => {
    const said = settings?.map(({ name, default: text = "" }) => [
      name,
      /^"?([\w,]+)/.exec(text)?.[1]?.replaceAll(",", ""),
    ]);
    const { pools: _pools, ...defaults } = DEFAULTS;
    assert.deepEqual(
      said,
      Object.entries(defaults).map(([name, value]) => [name, String(value)]),
    );
  });
});

test("every link of the pages leads to a heading or a file", () => {
  const broken = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !target.startsWith("http") && !leads(path, target))
      .map((target) => `${path} -> ${target}`),
  );
  assert.deepEqual(broken, []);
});

function leads(from: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? from : posix.join(posix.dirname(from), file);
  const text = pages.get(path) ?? readFileSync(join(root, path), "utf8");
  return anchor === undefined || headingsOf(text).includes(anchor);
}

const known = new Map<string, string[]>();

function headingsOf(text: string): string[] {
  const found = known.get(text) ?? slugs(text);
  known.set(text, found);
  return found;
}

function slugs(text: string): string[] {
  const slug = slugger();
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slug(heading));
}
