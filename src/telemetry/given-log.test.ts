import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { logOf, logProblem } from "./given-log.ts";
import { silentLog } from "./log.ts";

function written(body: () => void): string {
  const write = mock.method(process.stderr, "write", () => true);
  try {
    body();
    return write.mock.calls.map(({ arguments: [text] }) => String(text)).join("");
  } finally {
    write.mock.restore();
  }
}

describe("the log of an engine", () => {
  test("without one, warnings and errors go to standard error, and nothing else does", () => {
    const text = written(() => {
      const log = logOf(undefined);
      log.info("submitted", { jobId: "job_1" });
      log.child({ kind: "mail" }).error("dead-lettered", { jobId: "job_1", error: new Error("No such host.") });
    });
    assert.equal(text, 'millrace: error: dead-lettered kind=mail jobId=job_1 error="No such host."\n');
  });

  test("a refusal that its caller is told of is not told twice", () => {
    assert.equal(
      written(() => logOf(undefined).warn("submission refused", { code: "backpressure" })),
      "",
    );
  });

  test("false is silence, and a console is enough", () => {
    assert.equal(logOf(false), silentLog);
    const lines: unknown[][] = [];
    const method = (...line: unknown[]) => lines.push(line);
    const log = logOf({ debug: method, info: method, warn: method, error: method });
    log.child({ kind: "mail" }).warn("attempt failed", { password: "x" });
    assert.deepEqual(lines, [["attempt failed", { kind: "mail", password: "[redacted]" }]]);
    assert.equal(logProblem(console), undefined);
  });

  test("what is no log is named", () => {
    for (const wrong of [{}, "info", null, { info() {} }, true])
      assert.match(logProblem(wrong) ?? "", /^log must have/);
  });
});
