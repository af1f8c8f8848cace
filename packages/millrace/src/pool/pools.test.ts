import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { scaled } from "../../../../test/support/slowness.ts";
import { defineKind } from "../index.ts";
import { Millrace } from "../millrace.ts";
import { sqlite } from "../store/sqlite/factory.ts";
import type { Store, StoreFactory } from "../store/store.ts";

/** This many claims come too early by the store's clock. */
const EARLY_CLAIMS = 3;

test("a job that is due starts on time though the store's clock is behind the engine's", async (t) => {
  let dueAt = Number.NaN;
  let early = 0;
  const factory: StoreFactory = (options) => {
    const store = sqlite(":memory:")(options);
    // As a database does whose clock is behind.
    const claim: Store["claim"] = async (request) => {
      const isEarly = Date.now() >= dueAt && early < EARLY_CLAIMS;
      if (isEarly) early++;
      return isEarly ? { jobs: [], nextAt: dueAt } : store.claim(request);
    };
    return new Proxy(store, {
      get: (target, name) => (name === "claim" ? claim : bound(target, Reflect.get(target, name))),
    });
  };
  const greet = defineKind({ name: "greet", payload: z.null(), run: () => Date.now() });
  // The poll that is the safety net under all wake-ups comes too late to hide a lost one.
  const millrace = await Millrace.open({ store: factory, kinds: [greet], pollMs: 3_600_000, log: false });
  t.after(() => millrace.stop());
  dueAt = Date.now() + 300;
  const job = await millrace.submit(greet, null, { runAt: new Date(dueAt) });
  assert.ok((await job.wait({ timeoutMs: scaled(20_000) })) >= dueAt);
  assert.equal(early, EARLY_CLAIMS);
});

function bound(target: object, value: unknown): unknown {
  return typeof value === "function" ? value.bind(target) : value;
}
