// A moment without file descriptors must not make fonts and engines count as missing until the process ends.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { RUNTIME } from "../../../test/support/program.ts";
import { RenderPayload } from "../src/api/render.ts";
import { keysOf } from "../src/service/keys.ts";

const SCRIPT = fileURLToPath(new URL("./support/out-of-descriptors.ts", import.meta.url));

test("fonts and engines that could not be looked up for want of descriptors are looked up again", {
  skip: process.platform === "win32",
}, () => {
  const limited = ["-c", 'ulimit -n 80; exec "$0" "$@"', ...RUNTIME, SCRIPT];
  const answer = JSON.parse(execFileSync("/bin/sh", limited, { encoding: "utf8" }));
  assert.ok(answer.taken > 0 && answer.failed, JSON.stringify(answer));
  const payload = RenderPayload.parse({ format: "mermaid", source: "flowchart LR\n  a --> b" });
  assert.equal(answer.key, keysOf(payload, "default").asked, "the same key as with all descriptors");
});
