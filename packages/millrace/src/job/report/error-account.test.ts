// runtimes: both

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppError } from "../../lib/app-error.ts";
import { failureOf, JobFailure, toJobFailure } from "../failure.ts";

class CardDeclined extends Error {
  readonly code = "card_declined";
}

describe("the errors behind a failure", () => {
  test("a chain of causes is kept with each name, code and message", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const { failure } = failureOf(new Error("outer", { cause: new TypeError("fetch failed", { cause: refused }) }));
    assert.deepEqual(failure.cause, {
      name: "TypeError",
      message: "fetch failed",
      cause: { name: "Error", message: "connect ECONNREFUSED", code: "ECONNREFUSED" },
    });
    assert.match(failure.stack ?? "", /outer[\s\S]*Caused by: TypeError: fetch failed[\s\S]*Caused by: /);
  });

  test("an error's own class and code are kept beside ours", () => {
    const { failure } = failureOf(new CardDeclined("No money."));
    assert.deepEqual(
      [failure.code, failure.name, failure.errorCode, failure.message],
      ["processor-failed", "CardDeclined", "card_declined", "No money."],
    );
    const own = failureOf(new AppError("too-large", "x")).failure;
    assert.deepEqual([own.code, own.name, own.errorCode], ["too-large", undefined, undefined]);
  });

  test("the inner errors of an AggregateError are kept", async () => {
    const thrown = await Promise.any([Promise.reject(new Error("one")), Promise.reject(new CardDeclined("two"))]).catch(
      (error: unknown) => error,
    );
    assert.deepEqual(failureOf(thrown).failure.errors, [
      { name: "Error", message: "one" },
      { name: "CardDeclined", message: "two", code: "card_declined" },
    ]);
  });

  test("what is kept is bounded, however long, wide or cyclic the chain", () => {
    const loop = new Error("x".repeat(100_000));
    loop.cause = new AggregateError(Array(1_000).fill(new Error("y".repeat(100_000), { cause: loop })), "many");
    assert.ok(JSON.stringify(failureOf(loop).failure).length < 40_000);
    const hostile = Object.defineProperty(new Error("hostile"), "cause", {
      get: () => {
        throw new Error("no");
      },
    });
    assert.equal(failureOf(new Error("outer", { cause: hostile })).failure.cause?.message, "hostile");
    assert.equal(failureOf(new Error("outer", { cause: { why: "words" } })).failure.cause?.message, '{"why":"words"}');
  });

  test("a stored failure becomes an error with its causes again", () => {
    const { failure } = failureOf(new JobFailure("outer", { code: "mine", cause: new CardDeclined("inner") }));
    const error = toJobFailure("outer", failure);
    const cause = error.cause as Error & { code: string };
    assert.deepEqual(
      [error.code, cause.name, cause.code, cause.message],
      ["mine", "CardDeclined", "card_declined", "inner"],
    );
    const many = toJobFailure("all", failureOf(new AggregateError([new Error("a")], "all")).failure);
    assert.equal((many.cause as AggregateError).errors[0].message, "a");
  });

  test("a mistyped option of JobFailure is refused, with the message that it was to carry", () => {
    assert.throws(() => new JobFailure("Card declined.", { permanant: true } as never), {
      code: "invalid-request",
      message: 'Unknown option "permanant" for JobFailure("Card declined."). Did you mean "permanent"?',
    });
  });
});
