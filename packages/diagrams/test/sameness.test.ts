// runtimes: node
// time-limit: 300 s
// The same source gives the same bytes in any process, in any order, on either runtime: so one cache serves them all.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { root } from "../../../test/support/program.ts";
import { findRuntime, SOURCE_FLAGS } from "../../millrace/bin/runtimes.js";
import { SOURCES } from "./support/sources.ts";

const LONG_MS = 280_000;

async function hashes(wanted: "bun" | "node", order: "forwards" | "backwards"): Promise<Record<string, string>> {
  const runtime = findRuntime({ root, wanted });
  if ("problem" in runtime) throw new Error(runtime.problem);
  const script = fileURLToPath(new URL("support/draw-all.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(runtime.path, [...runtime.flags, ...SOURCE_FLAGS, script, order]);
  return JSON.parse(stdout) as Record<string, string>;
}

test("Node forwards and Bun backwards draw the same bytes", { timeout: LONG_MS }, async () => {
  const [forwards, backwards] = await Promise.all([hashes("node", "forwards"), hashes("bun", "backwards")]);
  assert.deepEqual(backwards, forwards);
  assert.ok(Object.keys(forwards).length >= Object.keys(SOURCES).length / 3);
});
