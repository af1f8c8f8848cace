// runtimes: node
// Every error code that the sources can produce has an entry in the troubleshooting guide, and every entry has a code.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ERRORS, type ErrorTable } from "../../packages/millrace/src/api/errors.ts";
import { COMMANDS } from "../../packages/millrace/src/cli/commands.ts";
import { REASON_CODES } from "../../packages/millrace/src/job/report/explanation.ts";
import { root } from "../support/program.ts";
import { errorCodes } from "./support/error-codes.ts";

const guide = readFileSync(join(root, "docs/troubleshooting.md"), "utf8");
const [symptoms = "", byCode = ""] = guide.split("\n## By error code\n");
const entries = [...byCode.matchAll(/^\| `([a-z-]+)`(?: \((\d+)\))? \|/gm)];

test("every error code has an entry", () => {
  const listed = new Set(entries.map(([, code = ""]) => code));
  const codes = [...errorCodes()].sort();
  assert.ok(codes.length > 80, `only ${codes.length} codes were found: the patterns no longer fit the sources`);
  assert.deepEqual(
    codes.filter((code) => !listed.has(code)),
    [],
  );
});

test("every entry is about a code that can occur, and none has two", () => {
  const codes = errorCodes();
  const names = entries.map(([, code = ""]) => code);
  assert.deepEqual(
    names.filter((code) => !codes.has(code)),
    [],
  );
  assert.deepEqual(
    names.filter((code, i) => names.indexOf(code) !== i),
    [],
  );
});

test("the statuses are those that the API answers with", () => {
  const statuses: ErrorTable = ERRORS;
  const wrong = entries.filter(([, code = "", status]) => {
    const known = statuses[code]?.status;
    return known !== undefined && String(known) !== status;
  });
  assert.deepEqual(
    wrong.map(([entry]) => entry),
    [],
  );
});

test("the guide to explain lists every reason", () => {
  const explain = readFileSync(join(root, "docs/guides/explain.md"), "utf8");
  const cells = [...explain.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) => [
    ...cell.matchAll(/`([a-z-]+)`/g),
  ]);
  assert.deepEqual(cells.map(([, code]) => code).sort(), [...REASON_CODES].sort());
});

test("the reasons and commands that the symptoms name exist", () => {
  const table = /### Jobs do not run[\s\S]*?\n### /.exec(symptoms)?.[0] ?? "";
  const reasons = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) => [
    ...cell.matchAll(/`([a-z-]+)`/g),
  ]);
  assert.ok(reasons.length > 5);
  const known: readonly string[] = REASON_CODES;
  assert.deepEqual(
    reasons.map(([, code = ""]) => code).filter((code) => !known.includes(code)),
    [],
  );
  const commands = [...guide.matchAll(/\bmillrace ([a-z]+(?: [a-z]+)?)(?=[ `\n])/g)].map(([, words = ""]) => words);
  const names = COMMANDS.map(({ name }) => name);
  const isCommand = (words: string) => names.includes(words) || names.includes(words.split(" ")[0] ?? "");
  const prose = /^(zod|and|is|are)\b/;
  assert.deepEqual(
    commands.filter((words) => !prose.test(words) && !isCommand(words)),
    [],
  );
});
