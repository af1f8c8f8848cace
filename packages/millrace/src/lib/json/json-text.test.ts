// runtimes: both

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { toJsonText } from "./json-text.ts";

const text = (value: unknown, maxBytes = 1_000) => toJsonText(value, "payload", maxBytes);

describe("JSON as stored", () => {
  test("JSON goes through unchanged, nothing becomes null", () => {
    assert.equal(text({ b: 1, a: [true, null, "ä"] }), '{"b":1,"a":[true,null,"ä"]}');
    assert.equal(text(undefined), "null");
  });

  test("what JSON would drop or change is refused with its path", () => {
    assert.throws(() => text({ items: [{ price: Number.NaN }] }), {
      code: "invalid-request",
      message: 'The payload cannot be stored as JSON: "items.0.price" is NaN.',
      hint: "JSON cannot store this number. Use null or a string.",
      details: { issues: [{ path: "items.0.price", message: "is NaN" }] },
    });
    assert.throws(() => text(1n), { message: "The payload cannot be stored as JSON: it is a BigInt." });
  });

  test("a getter that throws is named as the reason", () => {
    const value = {
      get broken() {
        throw new Error("no such column");
      },
    };
    assert.throws(() => text(value), { message: "The payload cannot be stored as JSON: no such column" });
  });

  test("too many bytes are refused, counted as UTF-8", () => {
    assert.equal(text("x".repeat(998)).length, 1_000);
    assert.throws(() => text("x".repeat(999)), {
      code: "too-large",
      message: /has 1001 bytes of JSON; the limit is 1000/,
    });
    assert.equal(text("ä".repeat(499)).length, 501);
    assert.throws(() => text("ä".repeat(500)), { code: "too-large" });
  });

  test("U+0000 and half a surrogate pair are refused, however they are hidden", () => {
    for (const value of ["\u0000", "a\u0000b", "\ud800", "x\udfffy", { "\u0000": 1 }, ["\\\u0000"], "\\\\\u0000"]) {
      assert.throws(
        () => text(value),
        { code: "invalid-request", message: /contains U\+0000 or an unpaired surrogate/ },
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
