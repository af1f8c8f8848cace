import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineKind } from "../../index.ts";
import { samplePayload } from "./sample-payload.ts";

const of = (payload: z.ZodType, examples: unknown[] = []) =>
  samplePayload(defineKind({ name: "tried", payload, examples: examples as never[], run: () => null }));

test("the sample is the first example of the kind", async () => {
  assert.deepEqual(await of(z.object({ text: z.string() }), [{ text: "mine" }]), { text: "mine" });
});

test("without an example the sample has the required fields of the schema", async () => {
  const payload = z.object({
    email: z.email(),
    site: z.url(),
    name: z.string().min(8),
    size: z.enum(["small", "large"]),
    count: z.int().min(3),
    price: z.number().positive(),
    lines: z.array(z.object({ ok: z.boolean() })).min(1),
    type: z.literal("order"),
    note: z.string().optional(),
    either: z.union([z.number(), z.string()]),
  });
  assert.deepEqual(await of(payload), {
    email: "ada@example.org",
    site: "https://example.com",
    name: "hellooooo".slice(0, 8),
    size: "small",
    count: 3,
    price: 1,
    lines: [{ ok: true }],
    type: "order",
    either: 1,
  });
});

test("there is no sample if the schema refuses it, cannot be shown as JSON Schema, or throws", async () => {
  assert.equal(await of(z.object({ code: z.string().regex(/^\d{4}$/) })), undefined);
  const foreign = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } } as const;
  assert.equal(await samplePayload({ schema: foreign as never, examples: [] }), undefined);
  assert.equal(
    await of(
      z.object({ a: z.string() }).refine(() => {
        throw new Error("broken");
      }),
    ),
    undefined,
  );
});
