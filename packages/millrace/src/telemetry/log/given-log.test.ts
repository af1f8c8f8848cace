import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { problemsIn } from "../../lib/options/check.ts";
import { LOG, logOf } from "./given-log.ts";
import { silentLog } from "./log.ts";

function written(body: () => void, { isTerminal = false } = {}): string {
  const write = mock.method(process.stderr, "write", () => true);
  const before = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
  Object.defineProperty(process.stderr, "isTTY", { value: isTerminal, configurable: true });
  try {
    body();
    return write.mock.calls.map(({ arguments: [text] }) => String(text)).join("");
  } finally {
    write.mock.restore();
    if (before) Object.defineProperty(process.stderr, "isTTY", before);
    else Reflect.deleteProperty(process.stderr, "isTTY");
  }
}

function speak(): void {
  const log = logOf(undefined);
  log.info("submitted", { jobId: "job_1" });
  log.child({ kind: "mail" }).error("dead-lettered", { jobId: "job_1", error: new Error("No such host.") });
  log.info("processor output", { kind: "mail", stage: "render", jobId: "job_1", line: "3 pages" });
}

describe("the log of an engine", () => {
  test("without one, warnings and errors go to a terminal as lines for people, and nothing else does", () => {
    assert.equal(
      written(speak, { isTerminal: true }),
      'millrace: error: dead-lettered kind=mail jobId=job_1 error="No such host."\nmail/render job_1: 3 pages\n',
    );
  });

  test("to a file or a pipe each of them is one line of JSON", () => {
    const lines = written(speak).trim().split("\n");
    assert.deepEqual(
      lines.map((line) => ({ ...JSON.parse(line), ts: "" })),
      [
        { level: "error", ts: "", kind: "mail", jobId: "job_1", error: "No such host.", event: "dead-lettered" },
        {
          level: "info",
          ts: "",
          kind: "mail",
          stage: "render",
          jobId: "job_1",
          line: "3 pages",
          event: "processor output",
        },
      ],
    );
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
    assert.deepEqual(problemsIn({ log: LOG }, { log: console }), []);
  });

  test("what is no log is named", () => {
    for (const wrong of [{}, "info", null, { info() {} }, true])
      assert.match(problemsIn({ log: LOG }, { log: wrong })[0] ?? "", /^log must be false/);
  });
});
