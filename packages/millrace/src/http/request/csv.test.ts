import assert from "node:assert/strict";
import { test } from "node:test";
import { csvLine } from "./csv.ts";

test("cells are quoted, and none is a formula to a spreadsheet", () => {
  const cells = [
    "a,b",
    'say "hi"',
    "line\nnext",
    '=HYPERLINK("x")',
    "+1",
    "-1",
    "@x",
    "\t=1",
    -5,
    undefined,
    { a: 1 },
    ["t"],
  ];
  const line = csvLine(cells);
  const parts = [
    '"a,b"',
    '"say ""hi"""',
    '"line\nnext"',
    '"\'=HYPERLINK(""x"")"',
    '"\'+1"',
    '"\'-1"',
    '"\'@x"',
    '"\'\t=1"',
    '"-5"',
    '""',
    '"{""a"":1}"',
    '"[""t""]"',
  ];
  assert.equal(line, `${parts.join(",")}\r\n`);
});
