import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppError } from "../lib/app-error.ts";
import { failureOf, JobFailure } from "./failure.ts";

describe("a failure as data", () => {
  test("an error keeps its message and stack; it is not permanent unless it says so", () => {
    const { failure } = failureOf(new TypeError("No."));
    assert.equal(failure.code, "processor-failed");
    assert.equal(failure.message, "No.");
    assert.equal(failure.permanent, false);
    assert.match(failure.stack ?? "", /No\./);
  });

  test("a JobFailure says more: code, permanence, where, and when to try again", () => {
    const thrown = new JobFailure("Line 3 is wrong.", {
      code: "syntax",
      permanent: true,
      line: 3,
      column: 9,
      retryAfterMs: 5,
    });
    const { failure, retryAfterMs } = failureOf(thrown);
    assert.deepEqual(
      { ...failure, stack: undefined },
      { code: "syntax", message: "Line 3 is wrong.", permanent: true, line: 3, column: 9, stack: undefined },
    );
    assert.equal(retryAfterMs, 5);
  });

  test("a fault of the input is permanent by itself", () => {
    const { failure } = failureOf(new JobFailure("x", { input: true }));
    assert.deepEqual([failure.permanent, failure.input], [true, true]);
  });

  test("an AppError keeps its code", () => {
    assert.equal(failureOf(new AppError("too-large", "x")).failure.code, "too-large");
  });

  test("whatever else is thrown is described", () => {
    assert.equal(failureOf("just words").failure.message, "just words");
    assert.equal(failureOf({ a: 1 }).failure.message, '{"a":1}');
    assert.match(failureOf(undefined).failure.message, /^The processor threw undefined/);
    assert.match(failureOf(null).failure.message, /^The processor threw null/);
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    assert.equal(failureOf(circular).failure.message, "[object Object]");
    assert.equal(failureOf(new RangeError()).failure.message, "RangeError");
  });

  test("a message is clipped, and what no store can keep is replaced", () => {
    const { failure } = failureOf(new Error(`\u0000\ud800${"x".repeat(10_000)}`));
    assert.equal(failure.message.length, 4_001);
    assert.ok(failure.message.isWellFormed());
    assert.ok(!failure.message.includes("\u0000"));
  });
});
