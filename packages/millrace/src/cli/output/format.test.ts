import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  bar,
  bytes,
  duration,
  manyLines,
  oneLine,
  parseDuration,
  percent,
  relative,
  shorten,
  widthOf,
} from "./format.ts";
import { list, table } from "./table.ts";

const NOW = Date.parse("2026-11-15T10:00:00Z");
const at = (ms: number) => new Date(NOW + ms).toISOString();

test("spans are read and written", () => {
  const spans = {
    "500ms": 500,
    "90s": 90_000,
    "10m": 600_000,
    "1h30m": 5_400_000,
    "7d": 604_800_000,
    "1.5h": 5_400_000,
  };
  for (const [text, ms] of Object.entries(spans)) assert.equal(parseDuration(text), ms, text);
  for (const text of ["", "5", "h", "5 m", "-5m", "5w", "1e3s"]) assert.equal(parseDuration(text), undefined, text);
  const written = [0, 850, 3_400, 59_999, 60_000, 125_000, 12_000_000, 367_200_000].map(duration);
  assert.deepEqual(written, ["0ms", "850ms", "3.4s", "59.9s", "1m", "2m 5s", "3h 20m", "4d 6h"]);
});

test("moments are told by their distance", () => {
  assert.equal(relative(at(-400), NOW), "now");
  assert.equal(relative(at(-12_400), NOW), "12s ago");
  assert.equal(relative(at(-7_300_000), NOW), "2h ago");
  assert.equal(relative(at(599_600), NOW), "in 10m");
  assert.equal(relative(at(-90 * 86_400_000), NOW), "2026-08-17");
  assert.equal(relative(undefined, NOW), "");
});

test("sizes and shares", () => {
  assert.deepEqual([0, 1023, 1536, 200 * 1024, 5 * 1024 ** 3].map(bytes), [
    "0 B",
    "1023 B",
    "1.5 KiB",
    "200 KiB",
    "5.0 GiB",
  ]);
  assert.deepEqual([null, 0, 0.1234, 1].map(percent), ["", "0%", "12.3%", "100%"]);
  assert.equal(bar(0.5, 4), "██░░  50%");
  assert.equal(bar(7, 4), "████ 700%");
});

describe("what others wrote", () => {
  test("cannot move the cursor, colour the screen or turn the text round", () => {
    assert.equal(oneLine("a\u001b[2Jb\u009bc\u202ed\r\n  e\tf\u0007"), "a\ufffd[2Jb\ufffdc\ufffdd e f\ufffd");
    assert.equal(manyLines("a\u001b\nb"), "a\ufffd\nb");
  });

  test("is cut to the columns it takes", () => {
    assert.deepEqual([widthOf("abc"), widthOf("日本"), widthOf("e\u0301"), widthOf("🎉")], [3, 4, 1, 2]);
    assert.equal(shorten("abcdef", 4), "abc…");
    assert.equal(shorten("日本語", 4), "日…");
    assert.equal(shorten("abcd", 4), "abcd");
  });
});

describe("a table", () => {
  const rows = [
    { name: "a", count: 5, about: "x".repeat(50) },
    { name: "日本", count: 1_000, about: "line\nbreak" },
  ];
  const columns = [
    { title: "NAME", value: (row: (typeof rows)[number]) => row.name },
    { title: "COUNT", value: (row: (typeof rows)[number]) => row.count, align: "right" as const },
    { title: "NONE", value: () => "" },
    { title: "ABOUT", value: (row: (typeof rows)[number]) => row.about, stretch: true as const },
  ];

  test("is aligned, without empty columns", () => {
    assert.equal(
      table(columns, rows).replace(/x+/, "x…"),
      "NAME  COUNT  ABOUT\na         5  x…\n日本   1000  line break",
    );
  });

  test("gives way to a narrow terminal", () => {
    for (const line of table(columns, rows, 30).split("\n")) assert.ok(widthOf(line) <= 30, line);
  });

  test("a list leaves out what is not there", () => {
    assert.equal(
      list([
        ["a", 1],
        ["bcd", undefined],
        ["ef", ""],
        ["g", "x"],
      ]),
      "a  1\ng  x",
    );
  });
});
