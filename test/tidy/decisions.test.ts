// runtimes: node
// A decision is made once for both stores.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  numberedFlags,
  numberedStandings,
  ownTransitions,
  type StoreFile,
  sharedErrors,
  sharedFunctions,
  sharedNumbers,
  sharedSentences,
} from "../support/tidy/decisions.ts";
import { readSources } from "../support/tidy/source.ts";

const STORE = "packages/millrace/src/store";
/** A variable in a template string, kept apart so that it is not one of this file. */
const variable = (name: string) => `\${${name}}`;

function filesOf(store: string): StoreFile[] {
  const folder = `${STORE}/${store}`;
  return readSources(folder)
    .filter(({ path }) => !path.endsWith(".test.ts"))
    .map(({ path, text }) => ({ path: path.slice(folder.length + 1), text }));
}

describe("the stores", () => {
  const sqlite = filesOf("sqlite");
  const postgres = filesOf("postgres");

  test("are looked at", () => {
    for (const files of [sqlite, postgres]) assert.ok(files.some(({ path }) => path === "settle/apply.ts"));
  });

  test("share no sentence: it stands in store/decide", () => {
    assert.deepEqual(sharedSentences(sqlite, postgres), []);
  });

  test("share no error: it stands in store/decide", () => {
    assert.deepEqual(sharedErrors(sqlite, postgres), []);
  });

  test("decide no transition: they stand in job/lifecycle and store/decide", () => {
    assert.deepEqual(ownTransitions([...sqlite, ...postgres]), []);
  });

  test("have no function with the same body: it stands in store/decide, store/rows or store/plans", () => {
    assert.deepEqual(sharedFunctions(sqlite, postgres), []);
  });

  test("share no number: how long something is kept, and the like, stands in store/decide", () => {
    assert.deepEqual(sharedNumbers(sqlite, postgres), []);
  });

  test("name standings and flags in their statements; migrations keep the numbers", () => {
    const statements = [...sqlite, ...postgres].filter(({ path }) => !path.startsWith("migrations/"));
    assert.deepEqual([...numberedStandings(statements), ...numberedFlags(statements)], []);
  });
});

describe("the rules about decisions", () => {
  const file = (text: string): StoreFile[] => [{ path: "a.ts", text }];

  test("see a sentence in both stores, also if it names different variables", () => {
    const sqlite = file(`return { conflict: \`The job is ${variable("state(row)")}, not held.\` };`);
    const postgres = file(`const conflict = \`The job is ${variable("name")}, not held.\`;`);
    assert.deepEqual(sharedSentences(sqlite, postgres), ["The job is ·, not held. (sqlite/a.ts, postgres/a.ts)"]);
    assert.deepEqual(sharedSentences(sqlite, file('"The job is gone, not held."')), []);
  });

  test("let both stores have the same statement, the same words in comments, and short strings", () => {
    const text = 'const FIND = "SELECT a FROM b WHERE c = ?.";\n// "The job is not here."\nconst x = "lease-lost";';
    assert.deepEqual(sharedSentences(file(text), file(text)), []);
  });

  test("see an error in both stores", () => {
    const text = `throw new AppError("limiter-unknown", \`No limiter "${variable("name")}".\`);`;
    assert.deepEqual(sharedErrors(file(text), file(text)), [
      'limiter-unknown: No limiter "·". (sqlite/a.ts, postgres/a.ts)',
    ]);
    assert.deepEqual(sharedErrors(file(text), file('throw new AppError("limiter-unknown", "Another one.");')), []);
  });

  test("see a standing by its number", () => {
    const named = variable("READY");
    const found = numberedStandings(file("`WHERE standing = 4 AND owner.standing < 5 OR standing IN (6, 7)`"));
    assert.deepEqual(found, ["a.ts: standing = 4", "a.ts: standing < 5", "a.ts: standing IN (6"]);
    assert.deepEqual(numberedStandings(file(`// standing = 4\n\`WHERE standing = ${named}\``)), []);
  });

  test("see a flag by its number", () => {
    assert.deepEqual(numberedFlags(file("`WHERE flags & 512 > 0 SET flags = flags & ~16`")), [
      "a.ts: flags & 512",
      "a.ts: flags & ~16",
    ]);
    assert.deepEqual(numberedFlags(file(`\`WHERE flags & ${variable("WAITING")}\``)), []);
  });

  test("see a function with the same body, whatever it is called with", () => {
    const body =
      "  const named = stages.filter(({ name }) => name === status);\n  return named.map(({ id }) => id).sort();\n";
    const sqlite = file(`function idsOf(core: ReadView): number[] {\n${body}}\n`);
    const postgres = file(
      `export async function idsOf(core: Core): Promise<number[]> {\n${body.replace("stages", "await stages")}}\n`,
    );
    assert.equal(sharedFunctions(sqlite, postgres).length, 1);
    assert.deepEqual(
      sharedFunctions(sqlite, file(`function idsOf(core: Core) {\n${body.replace("name", "label")}}\n`)),
      [],
    );
  });

  test("see a number in both stores, and let each have its own", () => {
    const text = "/** A week. */\nconst KEPT_MS = 7 * 24 * 3_600_000;";
    assert.deepEqual(sharedNumbers(file(text), file(`export ${text.slice(text.indexOf("const"))}`)), [
      "KEPT_MS = 7 * 24 * 3_600_000 (sqlite/a.ts, postgres/a.ts)",
    ]);
    assert.deepEqual(sharedNumbers(file("const BATCH = 500;"), file("const BATCH = 200;")), []);
    assert.deepEqual(sharedNumbers(file("const FIND = `SELECT 1`;"), file("const FIND = `SELECT 1`;")), []);
  });

  test("see a transition", () => {
    const text = 'change: { ...kept, outcome: "cancelled", standing: "cancelled", failure }';
    assert.deepEqual(ownTransitions(file(text)), ['a.ts: outcome: "cancelled", standing: "cancelled"']);
    assert.deepEqual(ownTransitions(file('if (change.standing === "ready") wake({ standing: "failed" });')), []);
  });
});
