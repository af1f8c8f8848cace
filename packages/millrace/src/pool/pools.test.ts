import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { scaled } from "../../../../test/support/slowness.ts";
import { defineKind } from "../index.ts";
import { Millrace } from "../millrace.ts";
import { sqlite } from "../store/sqlite/factory.ts";
import type { Store, StoreFactory } from "../store/store.ts";

const BEHIND_MS = 40;

test("a job that is due starts on time though the store's clock is behind the engine's", async (t) => {
  let dueAt = Number.NaN;
  let early = 0;
  const factory: StoreFactory = (options) => {
    const store = sqlite(":memory:")(options);
    // As a database does whose clock is behind.
    const claim: Store["claim"] = async (request) => {
      if (Number.isNaN(dueAt) || Date.now() >= dueAt + BEHIND_MS) return store.claim(request);
      if (Date.now() >= dueAt) early++;
      return { jobs: [], nextAt: dueAt };
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
  const startedAt = await job.wait({ timeoutMs: scaled(20_000) });
  assert.ok(startedAt >= dueAt + BEHIND_MS);
  assert.ok(early > 0 && early < 10, `${early} claims came too early`);
});

function bound(target: object, value: unknown): unknown {
  return typeof value === "function" ? value.bind(target) : value;
}
