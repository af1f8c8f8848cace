import assert from "node:assert/strict";
import { test } from "node:test";
import { MillraceError } from "../../client/index.ts";
import { exitCodeOf } from "./exit.ts";

test("exit codes follow from what the server said", () => {
  const code = (name: string, status = 0) => exitCodeOf(new MillraceError(name, "", { status }));
  assert.deepEqual(
    [code("job-not-found", 404), code("kind-unknown", 404), code("conflict", 409), code("idempotency-conflict", 422)],
    [3, 3, 4, 4],
  );
  assert.deepEqual([code("unauthorized", 401), code("rate-limited", 429), code("disk-full", 507)], [4, 4, 4]);
  assert.deepEqual([code("invalid-request", 422), code("too-large", 413), code("invalid-options")], [2, 2, 2]);
  assert.deepEqual([code("unreachable"), code("request-timeout"), code("stopping", 503)], [5, 5, 5]);
  assert.deepEqual([code("job-failed"), code("job-cancelled")], [6, 6]);
  assert.deepEqual([code("internal", 500), code("wait-timeout"), exitCodeOf(new Error("x"))], [1, 1, 1]);
});
