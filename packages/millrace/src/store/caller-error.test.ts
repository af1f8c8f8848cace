import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toCallerError } from "./caller-error.ts";

function failed(fields: object): Error {
  return Object.assign(new Error("could not serialize access"), fields);
}

describe("an error of a statement in the caller's transaction", () => {
  for (const sqlState of ["40001", "40P01", "23505"]) {
    test(`is a conflict with the code ${sqlState}, also on an error inside it`, () => {
      for (const cause of [failed({ code: sqlState }), failed({ cause: failed({ code: sqlState }) })]) {
        const { code, details } = toCallerError(cause);
        assert.deepEqual({ code, details }, { code: "transaction-conflict", details: { retryable: true, sqlState } });
      }
    });
  }

  test("is a conflict with Prisma's code P2034 and no code of PostgreSQL", () => {
    const { code, details, message } = toCallerError(failed({ code: "P2034", meta: {} }));
    assert.deepEqual({ code, details }, { code: "transaction-conflict", details: { retryable: true } });
    assert.match(message, /P2034/);
  });

  test("is a conflict with the code of PostgreSQL inside an error of Prisma", () => {
    const meta = { driverAdapterError: { cause: { originalCode: "40001" } } };
    const { code, details } = toCallerError(failed({ code: "P2034", meta }));
    assert.deepEqual(
      { code, details },
      { code: "transaction-conflict", details: { retryable: true, sqlState: "40001" } },
    );
  });

  test("is a failure with any other code", () => {
    assert.equal(toCallerError(failed({ code: "P2010" })).code, "transaction-failed");
    const { code, details } = toCallerError(failed({ code: "42P01" }));
    assert.deepEqual({ code, details }, { code: "transaction-failed", details: { sqlState: "42P01" } });
  });
});
