import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { until } from "../../../../test/support/until.ts";
import { defineKind } from "../index.ts";
import { Millrace } from "../millrace.ts";
import { sqlite } from "../store/sqlite/factory.ts";
import type { Store, StoreFactory } from "../store/store.ts";

test("an attempt whose follow-ups the store refuses has failed, with the reason, and is retried", async (t) => {
  const refusal = { written: "refused", code: "already-queued", message: '"k" is already waiting.' } as const;
  const answers = [refusal];
  const factory: StoreFactory = (options) => {
    const store = sqlite(":memory:")(options);
    const settle: Store["settle"] = async (...args) => answers.pop() ?? store.settle(...args);
    return new Proxy(store, {
      get: (target, name) => (name === "settle" ? settle : bound(target, Reflect.get(target, name))),
    });
  };
  const greet = defineKind({ name: "greet", payload: z.null(), run: () => "done" });
  const millrace = await Millrace.open({ store: factory, kinds: [greet], retryBaseMs: 1 });
  t.after(() => millrace.stop());
  const failures: string[] = [];
  millrace.on("attemptFailed", ({ failure }) => {
    failures.push(`${failure.code}: ${failure.message}`);
  });
  const job = await millrace.submit(greet, null);
  assert.equal(await job.wait(), "done");
  // A hook is called in a turn of the loop of its own, which may come after the end of the second attempt.
  await until("the hook has heard of the failure", () => failures.length > 0);
  assert.deepEqual(failures, ['already-queued: "k" is already waiting.']);
});

function bound(target: object, value: unknown): unknown {
  return typeof value === "function" ? value.bind(target) : value;
}
