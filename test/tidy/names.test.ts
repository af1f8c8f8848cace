// runtimes: node
// One noun per thing: a name of a type means one thing in the whole tree.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { root } from "../support/program.ts";
import { homonyms, riddles, type TypeName, typesIn } from "../support/tidy/names.ts";
import { readSources } from "../support/tidy/source.ts";

const folders = readdirSync(join(root, "packages"))
  .map((name) => `packages/${name}/src`)
  .filter((folder) => readdirSync(join(root, folder, "..")).includes("src"));
const product = [...folders, "packages/millrace/dashboard"]
  .flatMap((folder) => readSources(folder))
  .filter(({ path }) => !path.endsWith(".test.ts"));
const types = product.flatMap(typesIn);

describe("the name of a type", () => {
  test("is exported by one file, by the same file of both stores, or also as the form on the wire", () => {
    assert.deepEqual(homonyms(types), []);
    assert.ok(types.length > 1000);
  });

  test("is a noun, not a participle or a riddle", () => {
    assert.deepEqual(riddles(types), []);
  });
});

describe("the rules of names", () => {
  const named = (name: string, path: string, isExported = true): TypeName => ({ name, path, isExported });

  test("see every way to declare a type", () => {
    const text =
      "export interface A {}\ntype B = 1;\nexport abstract class C {}\n  type D = 2;\nexport function e() {}";
    assert.deepEqual(typesIn({ path: "a.ts", text }), [
      named("A", "a.ts"),
      named("B", "a.ts", false),
      named("C", "a.ts"),
    ]);
  });

  test("see a name with two meanings, and allow twins of the stores and forms on the wire", () => {
    const src = "packages/millrace/src";
    const twins = [named("Core", `${src}/store/sqlite/core.ts`), named("Core", `${src}/store/postgres/core.ts`)];
    const wire = [
      named("Job", `${src}/job/job.ts`),
      named("Job", `${src}/client/wire.ts`),
      named("Job", `${src}/api/a.ts`),
    ];
    const local = [named("Row", `${src}/a.ts`), named("Row", `${src}/b.ts`, false)];
    assert.deepEqual(homonyms([...twins, ...wire, ...local]), []);
    assert.deepEqual(homonyms([named("Pool", `${src}/a.ts`), named("Pool", `${src}/b.ts`)]), [
      `Pool: ${src}/a.ts, ${src}/b.ts`,
    ]);
  });

  test("see participles and riddles, and allow nouns that look like them", () => {
    const wrong = ["Asked", "Running", "Taken", "More"];
    const right = ["Setting", "RunningAttempt", "HeldLease", "Feed", "JobPast"];
    assert.deepEqual(
      riddles([...wrong, ...right].map((name) => named(name, "a.ts"))),
      wrong.map((name) => `${name}: a.ts`),
    );
  });
});
