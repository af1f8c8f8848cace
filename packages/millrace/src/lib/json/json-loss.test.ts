// runtimes: both

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { jsonLoss } from "./json-loss.ts";

class Hidden {
  readonly #secret = 1;
  read(): number {
    return this.#secret;
  }
}

class Point {
  x = 1;
  move(): number {
    return this.x;
  }
}

const cyclic: Record<string, unknown> = { list: [{}] };
(cyclic["list"] as unknown[])[0] = cyclic;
const sparse: unknown[] = [1, 2];
sparse.length = 3;

describe("what JSON would change", () => {
  const refused: [value: unknown, path: string, found: string | RegExp][] = [
    [{ a: [1, undefined] }, "a.1", "undefined"],
    [sparse, "2", "undefined"],
    [{ a: { b: Number.NaN } }, "a.b", "NaN"],
    [[Number.POSITIVE_INFINITY], "0", "Infinity"],
    [[-Infinity], "0", "-Infinity"],
    [{ m: new Map([[1, 2]]) }, "m", "a Map"],
    [{ s: new Set([1]) }, "s", "a Set"],
    [{ f: () => 1 }, "f", "a function"],
    [() => 1, "", "a function"],
    [{ s: Symbol("x") }, "s", "a symbol"],
    [{ n: [{ big: 1n }] }, "n.0.big", "a BigInt"],
    [cyclic, "list.0", /reference to an object that contains it/],
    [{ b: Buffer.from("x") }, "b", "a Buffer"],
    [new Uint8Array(2), "", "a Uint8Array"],
    [{ b: new DataView(new ArrayBuffer(2)) }, "b", "a DataView"],
    [{ b: new ArrayBuffer(2) }, "b", "an ArrayBuffer"],
    [{ at: new Date(Number.NaN) }, "at", "an invalid Date"],
    [{ n: new Number(5) }, "n", "a Number object"],
    [{ e: new TypeError("x") }, "e", "an Error"],
    [{ e: Object.assign(new Error("x"), { code: "E" }) }, "e", "an Error"],
    [{ r: /x/ }, "r", "a RegExp"],
    [{ p: Promise.resolve(1) }, "p", "a Promise"],
    [{ w: new WeakMap() }, "w", /instance of WeakMap/],
    [{ h: new Hidden() }, "h", /instance of Hidden, which JSON cannot store/],
    [{ t: { toJSON: () => ({ n: Number.NaN }) } }, "t.n", "NaN"],
    [{ m: runInNewContext("new Map()") }, "m", "a Map"],
  ];
  for (const [value, path, found] of refused) {
    test(`${String(found)} at "${path}" is found`, () => {
      const loss = jsonLoss(value);
      assert.equal(loss?.path, path);
      if (typeof found === "string") assert.equal(loss?.found, found);
      else assert.match(loss?.found ?? "", found);
    });
  }

  const accepted: [what: string, value: unknown][] = [
    ["a property that is undefined", { a: undefined, b: 1 }],
    ["a Date", { at: new Date(0) }],
    ["an object with toJSON", { url: new URL("http://x/") }],
    ["an instance with fields of its own", { p: new Point() }],
    ["an empty object and an empty array", [{}, [], Object.create(null)]],
    ["a plain object of another realm", runInNewContext("({ a: [1, { b: new Date(0) }] })")],
    ["minus zero, which equals zero", -0],
    ["the same object twice, which is no cycle", Array(2).fill({ a: 1 })],
    ["a value nested deeper than the first look goes", JSON.parse(`${"[".repeat(500)}1${"]".repeat(500)}`)],
  ];
  for (const [what, value] of accepted) {
    test(`${what} is accepted`, () => assert.equal(jsonLoss(value), undefined));
  }

  test("a value that comes from JSON is always accepted", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonLoss(JSON.parse(JSON.stringify(value))) === undefined));
  });

  test("a value that is accepted comes back equal, but for what the rules name", () => {
    const anything = fc.anything({ withMap: true, withSet: true, withBigInt: true, withSparseArray: true });
    fc.assert(
      fc.property(anything, (value) => {
        if (value === undefined || jsonLoss(value)) return;
        assert.deepEqual(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(leftOut(value))));
        assert.doesNotMatch(JSON.stringify(leftOut(value)), /"lost"/);
      }),
      { numRuns: 500 },
    );
  });
});

/** Marks each place that JSON would write as null though it is not. */
function leftOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (each === undefined ? "lost" : leftOut(each)));
  if (typeof value === "number") return Number.isFinite(value) ? value : "lost";
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, leftOut(each)]));
}
