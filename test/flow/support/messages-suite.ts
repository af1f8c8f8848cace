// What is sent to jobs from outside, where it cannot be kept as it is.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind } from "../../../packages/millrace/src/index.ts";
import type { WithEngine } from "./engine.ts";

const kind = defineKind({ name: "order", payload: z.null(), run: async (ctx) => ctx.waitForSignal("go") as never });
const REFUSED = { code: "invalid-request" };

export function describeMessages(name: string, withEngine: WithEngine): void {
  describe(`messages on ${name}`, () => {
    test("that cannot be stored or belong to no tenant are refused, and change nothing", async () => {
      await withEngine({ kinds: [kind] }, async ({ millrace }) => {
        const job = await millrace.submit(kind, null, { delayMs: 60_000 });
        await assert.rejects(millrace.publish("a\0b"), REFUSED);
        await assert.rejects(millrace.publish("a#2"), REFUSED);
        for (const tenant of ["", "a\0", "x".repeat(65), 5 as unknown as string])
          await assert.rejects(millrace.publish("topic", {}, { tenant }), { ...REFUSED, message: /tenant/i });
        await assert.rejects(millrace.publish("topic", {}, { keepMs: { days: 31 } }), {
          ...REFUSED,
          message: /30 days/,
        });
        await assert.rejects(millrace.publish("topic", { half: "\ud800" }), REFUSED);
        await assert.rejects(millrace.signal(kind, job.id, "go", { nul: "\0" }), REFUSED);
        await assert.rejects(millrace.signal(kind, job.id, "go", 1, { by: "x".repeat(256) }), REFUSED);
        const decision = { choice: "yes", by: "ann" };
        for (const id of ["apr_unknown", "\0", 5 as unknown as string])
          await assert.rejects(millrace.decide(id, decision), { code: "approval-not-found" });
        await assert.rejects(millrace.decide("apr_unknown", { ...decision, by: "x".repeat(256) }), REFUSED);
        assert.deepEqual(await millrace.signals(job.id), []);
        assert.equal((await millrace.publish("topic", { fits: true })).repeated, false);
      });
    });
  });
}
