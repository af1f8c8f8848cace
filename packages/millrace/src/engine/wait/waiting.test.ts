import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Store } from "../../store/store.ts";
import { silentLog } from "../../telemetry/log/log.ts";
import type { Waiters } from "./waiters.ts";
import { JobEndWait } from "./waiting.ts";

/** Timers by hand: `pass` runs the one that waits and says how long it would have been. */
function withTimers(body: (pass: () => number) => Promise<void>): Promise<void> {
  const real = globalThis.setTimeout;
  const timers: [number, () => void][] = [];
  globalThis.setTimeout = ((run: () => void, ms = 0) => timers.push([ms, run])) as never;
  const pass = () => {
    const [ms, run] = timers.shift() ?? assert.fail("no timer waits");
    run();
    return ms;
  };
  return body(pass).finally(() => {
    globalThis.setTimeout = real;
  });
}

function waiting(unserved: string[]) {
  const warnings: unknown[] = [];
  const store = { find: async ([id]: string[]) => [{ id, kind: "mail", stage: "send", standing: "ready" }] };
  const waiters = {
    wait: (_id: string, signal: AbortSignal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  };
  const made = new JobEndWait({
    store: store as unknown as Store,
    waiters: waiters as unknown as Waiters,
    log: { ...silentLog, warn: (event, fields) => warnings.push([event, fields?.["pool"], fields?.["error"]]) },
    unserved: async () => unserved,
    problems: () => [],
  });
  return { made, warnings };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("waiting for a job", () => {
  test("warns after 10 s when no process serves the stage, and ends after 10 minutes", async () => {
    await withTimers(async (pass) => {
      const { made, warnings } = waiting(["mail/send"]);
      const ended = made.wait("job_1", {}).catch((error: unknown) => error);
      const other = made.wait("job_2", {}).catch((error: unknown) => error);
      assert.deepEqual([pass(), pass()], [10_000, 10_000]);
      await turn();
      const warning = ["waiting for an unserved job", "mail/send", 'No process serves "mail/send".'];
      assert.deepEqual(warnings, [warning], "once for a stage, however many wait");
      assert.deepEqual([pass(), pass()], [590_000, 590_000]);
      for (const [each, id] of [
        [ended, "job_1"],
        [other, "job_2"],
      ] as const) {
        const { code, message, hint } = (await each) as { code: string; message: string; hint: string };
        assert.equal(code, "wait-timeout");
        assert.equal(message, `Job ${id} was not finished within 600000 ms.`);
        assert.equal(hint, 'No process serves "mail/send".');
      }
    });
  });

  test("says nothing where a process serves the stage, and has no end with Infinity", async () => {
    await withTimers(async (pass) => {
      const { made, warnings } = waiting([]);
      void made.wait("job_1", { timeoutMs: Number.POSITIVE_INFINITY }).catch(() => {});
      pass();
      await turn();
      assert.deepEqual(warnings, []);
      assert.throws(pass, /no timer waits/);
    });
  });

  test("refuses a time that is none", async () => {
    for (const timeoutMs of [-1, Number.NaN, "5s"])
      await assert.rejects(waiting([]).made.wait("job_1", { timeoutMs: timeoutMs as number }), {
        code: "invalid-request",
        message: /timeoutMs must be a number/,
      });
  });
});
