// runtimes: bun
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { Moment, QueryBool, QueryInt } from "../../api/common.ts";
import { jobRoutes } from "../../api/job.ts";
import { inWords, issuesOf } from "./issues.ts";

function told(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value, { error: inWords });
  assert.ok(error);
  return issuesOf(error).map(({ path, message }) => `${path}: ${message}`);
}

const submit = jobRoutes.submit.body as z.ZodType;

test("what is wrong is said in words, with the path", () => {
  assert.deepEqual(told(submit, { kind: 5, priority: 1e99, foo: 1 }), [
    "kind: must be a string, not a number",
    "payload: is missing",
    "priority: must be at most 1000000",
    "foo: is not a known field",
  ]);
  assert.deepEqual(told(submit, { payload: 1, priority: 0.5, tags: ["", "a".repeat(65)], runAt: "soon" }), [
    "priority: must be a whole number",
    "runAt: must be a time like 2026-11-15T10:00:00Z",
    "tags.0: must not be empty",
    "tags.1: must have at most 64 characters",
  ]);
  assert.deepEqual(told(QueryInt(1, 30), "31"), [": must be at most 30"]);
  assert.deepEqual(told(QueryBool, "maybe"), [": must be one of true, false"]);
  assert.deepEqual(told(Moment, null), [": must be a string, not null"]);
});

test("of one job or an array, the fault of what was sent is told", () => {
  const one = { payload: 1 };
  assert.deepEqual(told(submit, Array(1_001).fill(one)), [": must have at most 1000 entries"]);
  assert.deepEqual(told(submit, []), [": must have at least 1 entry"]);
  assert.deepEqual(told(submit, [one, { bad: 1 }]), ["1.payload: is missing", "1.bad: is not a known field"]);
  assert.deepEqual(told(submit, null), [": must be an object or an array, not null"]);
});

test("a format that is none names those there are", () => {
  const page = z.strictObject({ format: z.literal("page"), title: z.string() });
  const letter = z.strictObject({ format: z.literal("letter"), to: z.string() });
  const either = z.discriminatedUnion("format", [page, letter]);
  assert.deepEqual(told(either, { format: "poster", title: "a" }), ["format: must be one of page, letter"]);
});
