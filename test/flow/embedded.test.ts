// An engine inside a program speaks up by itself: real programs, since the streams of a test are the runner's.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { run } from "../support/program.ts";

const onBun = process.versions["bun"] !== undefined;

describe("an engine without a log", () => {
  test("reports failed jobs and broken modules on standard error, and hands its children's output on", async (t) => {
    const program = run(t, [process.execPath, "test/flow/scripts/embedded.ts"]);
    assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stderr());
    assert.match(program.stderr(), /^millrace: error: dead-lettered .*kind=fails .*error="No such host\."$/m);
    assert.match(program.stderr(), /^millrace: error: processor module does not start kind=broken/m);
    assert.match(program.stdout(), /^on standard output$/m);
    assert.match(program.stderr(), /^on standard error$/m);
    const late = JSON.parse(program.stdout().trim().split("\n").at(-1) ?? "");
    assert.equal(late.code, "wait-timeout");
    assert.match(late.hint, /^broken\/running: The module .*missing\.ts does not start/);
  });

  test("a kit that a failed test did not stop does not keep the test process alive", { skip: onBun }, async (t) => {
    const program = run(t, [process.execPath, "--test", "--test-timeout=60000", "test/flow/scripts/forgotten-kit.ts"]);
    const { code } = await program.ended();
    assert.equal(code, 1);
    assert.match(program.stdout(), /something else/);
    assert.doesNotMatch(program.stdout(), /cancelled 1|timed out/);
  });
});
