// runtimes: bun or node

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind } from "../../packages/millrace/src/index.ts";
import { Testkit } from "../../packages/millrace/src/testing.ts";
import { scaled } from "../support/slowness.ts";
import { withEngine } from "./support/engine.ts";

const VALUES: Record<string, () => unknown> = {
  nan: () => ({ total: Number.NaN }),
  map: () => ({ rows: [new Map()] }),
  big: () => ({ id: 1n }),
  hole: () => [undefined],
  nothing: () => undefined,
  fine: () => ({ at: new Date(0), gone: undefined }),
};

const result = defineKind({ name: "result", payload: z.string(), run: (_ctx, which) => VALUES[which]?.() });
const step = defineKind({
  name: "step",
  payload: z.string(),
  run: async (ctx, which) => ({ value: await ctx.step("make", () => VALUES[which]?.()) }),
});
const anything = defineKind({ name: "anything", payload: z.unknown(), run: (_ctx, payload) => payload });
const dated = defineKind({ name: "dated", payload: z.object({ when: z.date() }), run: () => 1 });

describe("values that JSON would change", () => {
  const withKit = async (body: (kit: Testkit) => Promise<void>) => {
    const kit = await Testkit.open({ kinds: [result, step, anything, dated] });
    try {
      await body(kit);
    } finally {
      await kit.stop();
    }
  };

  test("at a result or a step they fail the job at the first attempt, with the path", async () => {
    await withKit(async (kit) => {
      for (const [kind, what] of [
        [result, "result"],
        [step, 'value of step "make"'],
      ] as const) {
        for (const [which, where] of [
          ["nan", '"total" is NaN'],
          ["map", '"rows.0" is a Map'],
          ["big", '"id" is a BigInt'],
          ["hole", '"0" is undefined'],
        ] as const) {
          const job = await kit.millrace.submit(kind, which);
          await assert.rejects(kit.finish(job));
          const view = await job.view();
          assert.ok(view?.failure?.message.startsWith(`The ${what} cannot be stored as JSON: ${where}.`), view?.error);
          assert.deepEqual([view?.failure?.permanent, (await kit.millrace.attempts(job.id)).length], [true, 1]);
        }
      }
    });
  });

  test("at submission they are refused with the path", async () => {
    await withKit(async ({ millrace }) => {
      await assert.rejects(millrace.submit(anything, { rows: [{ id: 1n }] }), {
        code: "invalid-request",
        message: 'The payload cannot be stored as JSON: "rows.0.id" is a BigInt.',
      });
      await assert.rejects(millrace.submit(anything, undefined), {
        code: "invalid-request",
        message: 'The payload for the kind "anything" is missing.',
      });
    });
  });

  test("a schema that expects a Date object says what to use instead", async () => {
    await withKit(async ({ millrace }) => {
      await assert.rejects(millrace.submit(dated, { when: new Date() }), {
        code: "invalid-request",
        message:
          'The payload does not fit the kind "dated" at "when": the schema expects a Date, which JSON turns into a string.',
        hint: "Use z.coerce.date() for a Date, or z.iso.datetime() for its string.",
      });
    });
  });

  test("a Date becomes a string, an undefined property is left out, and nothing becomes null", async () => {
    await withKit(async (kit) => {
      assert.deepEqual(await kit.run(result, "fine"), { at: "1970-01-01T00:00:00.000Z" });
      assert.deepEqual(await kit.run(step, "fine"), { value: { at: "1970-01-01T00:00:00.000Z" } });
      assert.equal(await kit.run(result, "nothing"), null);
      assert.deepEqual(await kit.run(anything, { at: new Date(0), gone: undefined }), {
        at: "1970-01-01T00:00:00.000Z",
      });
    });
  });

  test("what a schema makes of a payload is checked before it goes to an isolated process", async () => {
    const isolated = defineKind({
      name: "isolated",
      payload: z.object({ n: z.number().transform((n) => BigInt(n)) }),
      isolation: "process",
      module: new URL("./modules/work.ts", import.meta.url),
    });
    await withEngine({ kinds: [isolated] }, async ({ millrace }) => {
      const job = await millrace.submit(isolated, { n: 1 });
      await assert.rejects(job.wait({ timeoutMs: scaled(20_000) }), {
        message: /^The parsed payload cannot be stored as JSON: "n" is a BigInt\./,
      });
      assert.equal((await millrace.attempts(job.id)).length, 1);
    });
  });
});
