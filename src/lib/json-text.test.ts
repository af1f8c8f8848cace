import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { toJsonText } from "./json-text.ts";

const text = (value: unknown, maxBytes = 1_000) => toJsonText(value, "payload", maxBytes);

describe("JSON as stored", () => {
  test("JSON goes through unchanged, nothing becomes null", () => {
    assert.equal(text({ b: 1, a: [true, null, "ä"] }), '{"b":1,"a":[true,null,"ä"]}');
    assert.equal(text(undefined), "null");
    assert.equal(text(Number.NaN), "null");
  });

  test("what JSON cannot say is refused with a sentence", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    for (const value of [circular, 1n, () => 1, Symbol("x")]) {
      assert.throws(() => text(value), { code: "invalid-request", message: "The payload cannot be written as JSON." });
    }
  });

  test("too many bytes are refused, counted as UTF-8", () => {
    assert.equal(text("x".repeat(998)).length, 1_000);
    assert.throws(() => text("x".repeat(999)), { code: "too-large", message: /has 1001 bytes of JSON; at most 1000/ });
    assert.equal(text("ä".repeat(499)).length, 501);
    assert.throws(() => text("ä".repeat(500)), { code: "too-large" });
  });

  test("U+0000 and half a surrogate pair are refused, however they are hidden", () => {
    for (const value of ["\u0000", "a\u0000b", "\ud800", "x\udfffy", { "\u0000": 1 }, ["\\\u0000"], "\\\\\u0000"]) {
      assert.throws(
        () => text(value),
        { code: "invalid-request", message: /U\+0000 or half of a surrogate pair/ },
        JSON.stringify(value),
      );
    }
  });

  test("words that only look like escapes are kept", () => {
    for (const value of ["\\u0000", "\\\\u0000", "\\ud800", "\u0001", "🙂", "\\"])
      assert.equal(JSON.parse(text(value)), value);
  });

  test("every string is kept to the letter or refused for what is in it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 20 }),
        fc.constantFrom("", "\\", "\\\\", "\\u0000", "\u0000", "\ud83d"),
        (a, b) => {
          const value = a + b;
          const storable = value.isWellFormed() && !value.includes("\u0000");
          if (storable) assert.equal(JSON.parse(text(value)), value);
          else assert.throws(() => text(value));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
