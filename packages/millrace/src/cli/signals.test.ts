import assert from "node:assert/strict";
import { test } from "node:test";
import { onStopSignals } from "./signals.ts";

test("one press of Ctrl-C is one wish, though it arrives twice; a later one is the second", async () => {
  let nowMs = 1000;
  const signals = onStopSignals(() => nowMs);
  const heard: string[] = [];
  void signals.second.then((signal) => heard.push(signal));
  process.emit("SIGINT");
  nowMs += 20;
  process.emit("SIGINT");
  assert.equal(await signals.first, "SIGINT");
  assert.deepEqual(heard, []);
  nowMs += 600;
  process.emit("SIGTERM");
  assert.equal(await signals.second, "SIGTERM");
});
