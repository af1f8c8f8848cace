// runtimes: both

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createLog, type LogOptions, silentLog } from "./log.ts";

describe("a log line", () => {
  test("is JSON with ts, level, event and the fields", () => {
    const { log, lines } = memoryLog();
    log.info("attempt settled", { jobId: "job_1", attempt: 2, traceId: "t" });
    const [line] = lines();
    assert.match(String(line?.["ts"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(
      { ...line, ts: "" },
      { ts: "", level: "info", event: "attempt settled", jobId: "job_1", attempt: 2, traceId: "t" },
    );
  });

  test("below the level is not written", () => {
    const { log, lines } = memoryLog({ level: "warn" });
    log.debug("a");
    log.info("b");
    log.warn("c");
    log.error("d");
    assert.deepEqual(
      lines().map((line) => line["level"]),
      ["warn", "error"],
    );
    assert.equal(log.infoEnabled, false);
    assert.equal(memoryLog().log.infoEnabled, true);
  });

  test("of a child carries the child's fields", () => {
    const { log, lines } = memoryLog();
    log.child({ jobId: "job_1" }).child({ attempt: 1 }).info("claimed", { processor: 3 });
    assert.partialDeepStrictEqual(lines()[0], { jobId: "job_1", attempt: 1, processor: 3 });
  });
});

test("a name stands once in a line, and no field replaces level, ts or event", () => {
  const written: string[] = [];
  const log = createLog({ level: "info", format: "json", destination: { write: (line) => void written.push(line) } });
  log.child({ stage: "a", ts: "never" }).warn("claimed", { stage: "b", level: "fatal", event: "other", slot: 1 });
  log.child({}).info("bare");
  const [line = "", bare = ""] = written;
  assert.deepEqual(
    [...line.matchAll(/"(\w+)":/g)].map(([, name]) => name),
    ["level", "ts", "stage", "slot", "event"],
  );
  assert.partialDeepStrictEqual(JSON.parse(line), { level: "warn", stage: "b", event: "claimed" });
  assert.match(bare, /^\{"level":"info","ts":"[^"]+","event":"bare"\}\n$/);
});

describe("an error", () => {
  const failure = Object.assign(new Error("disk full", { cause: new Error("no space") }), { code: "ENOSPC" });

  test("is a string, with its code and cause beside it", () => {
    const { log, lines } = memoryLog();
    log.error("write failed", { error: failure });
    const { error, code, cause, stack } = lines()[0] as Record<string, unknown>;
    assert.deepEqual(
      { error, code, cause, stack },
      {
        error: "disk full",
        code: "ENOSPC",
        cause: { message: "no space" },
        stack: undefined,
      },
    );
  });

  test("shows its stack when debugging only", () => {
    const { log, lines } = memoryLog({ level: "debug" });
    log.error("write failed", { error: failure });
    assert.match(String(lines()[0]?.["stack"]), /^Error: disk full/);
  });
});

describe("secrets", () => {
  test("are redacted wherever they stand, however they are spelt", () => {
    const { log, lines } = memoryLog();
    log.info("request", {
      apiKey: "s3cret",
      headers: { Authorization: "s3cret", "x-api-key": "s3cret" },
      list: [{ api_key: "s3cret" }],
    });
    log.child({ password: "s3cret" }).info("child");
    assert.doesNotMatch(JSON.stringify(lines()), /s3cret/);
    assert.deepEqual(lines()[0]?.["headers"], { Authorization: "[redacted]", "x-api-key": "[redacted]" });
  });

  test("do not include a lease's token, which is a number", () => {
    const { log, lines } = memoryLog();
    log.info("claimed", { token: 7 });
    assert.equal(lines()[0]?.["token"], 7);
  });
});

test("values that JSON cannot hold do not break a line", () => {
  const { log, lines } = memoryLog();
  const loop: Record<string, unknown> = { name: "loop" };
  loop["self"] = loop;
  log.info("odd", { big: 2n ** 70n, loop, nothing: undefined });
  assert.equal(lines()[0]?.["big"], "1180591620717411303424");
});

test("pretty lines read without parsing", () => {
  let text = "";
  const log = createLog({ level: "debug", format: "pretty", destination: { write: (line) => (text += line) } });
  log.warn("attempt failed", {
    jobId: "job_1",
    note: "two words",
    error: Object.assign(new Error("gone"), { code: "E1" }),
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
  const plain = text.replace(/\u001b\[\d+m/g, "");
  assert.match(
    plain,
    /^\d\d:\d\d:\d\d\.\d{3} warn {2}attempt failed code=E1 jobId=job_1 note="two words" error=gone\nError: gone/,
  );
});

test("the silent log says nothing and has silent children", () => {
  assert.equal(silentLog.child({}), silentLog);
  silentLog.error("nobody hears");
});

test("the last line before a sudden exit reaches standard output", () => {
  const program = `import { createLog } from ${JSON.stringify(fileURLToPath(new URL("./log.ts", import.meta.url)))};
    createLog({ level: "info", format: "json" }).info("last words");
    process.exit(3);`;
  const args = process.versions["bun"] ? ["-e", program] : ["--input-type=module", "-e", program];
  const ran = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(ran.status, 3, ran.stderr);
  assert.equal(JSON.parse(ran.stdout).event, "last words");
});

function memoryLog(options: Partial<LogOptions> = {}) {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  const log = createLog({ level: "info", format: "json", destination, ...options });
  return { log, lines: () => written.map((line): Record<string, unknown> => JSON.parse(line)) };
}
