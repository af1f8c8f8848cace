import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind } from "../job/kind/define-kind.ts";
import type { SubmitOptions } from "../job/options/submit-options.ts";
import { checkKey, checkTenant, fingerprintOf, prepareJob, refusal } from "./submit.ts";

const kind = defineKind({
  name: "page",
  payload: z.object({ url: z.string().transform((url) => url.toLowerCase()), depth: z.number().default(1) }),
  uniqueKey: ({ url }) => url,
  run: () => 1,
});
const prepare = (payload: unknown, options: SubmitOptions = {}) => prepareJob(kind, payload, options);

describe("preparing a submission", () => {
  test("the payload is stored as given, its unique key comes from the parsed one", async () => {
    assert.deepEqual(await prepare({ url: "HTTP://X" }), {
      kind: "page",
      payload: '{"url":"HTTP://X"}',
      uniqueKey: "http://x",
    });
  });

  test("a submission can name its unique key, unless its kind is debounced or throttled", async () => {
    const plain = defineKind({ name: "plain", payload: z.object({}), run: () => 1 });
    assert.equal((await prepare({ url: "x" }, { uniqueKey: "own" })).uniqueKey, "own");
    assert.equal((await prepareJob(plain, {}, { uniqueKey: "own" })).uniqueKey, "own");
    for (const uniqueKey of ["", "x".repeat(256), "\0", "\ud800", 7 as never]) {
      await assert.rejects(prepareJob(plain, {}, { uniqueKey }), { code: "invalid-request" });
    }
    const rule = { key: () => "k" };
    const debounced = defineKind({ name: "d", payload: z.object({}), debounce: { ...rule, waitMs: 1 }, run: () => 1 });
    const throttled = defineKind({ name: "t", payload: z.object({}), throttle: { ...rule, perMs: 1 }, run: () => 1 });
    await assert.rejects(
      prepareJob(debounced, {}, { uniqueKey: "own" }),
      /"d" is debounced, so its jobs take no unique/,
    );
    await assert.rejects(
      prepareJob(throttled, {}, { uniqueKey: "own" }),
      /"t" is throttled, so its jobs take no unique/,
    );
  });

  test("options that are set are passed on, those that are not are not", async () => {
    const runAt = new Date("2026-01-01T00:00:00Z");
    const job = await prepare(
      { url: "x" },
      { priority: 0, runAt, maxAttempts: 2, timeoutMs: 3, expiresInMs: 4, tags: ["a"], traceId: "t" },
    );
    const { payload: _payload, uniqueKey: _key, kind: _kind, ...options } = job;
    assert.deepEqual(options, {
      priority: 0,
      runAt: runAt.getTime(),
      maxAttempts: 2,
      timeoutMs: 3,
      expiresInMs: 4,
      tags: ["a"],
      traceId: "t",
    });
  });

  test("a payload that does not fit is refused with every path", async () => {
    const error = await prepare({ url: 5, depth: "x" }).catch((thrown) => thrown);
    assert.equal(error.code, "invalid-request");
    assert.match(error.message, /does not fit the kind "page" at "url"/);
    assert.deepEqual(
      error.details.issues.map((issue: { path: string }) => issue.path),
      ["url", "depth"],
    );
  });

  test("a payload above a mebibyte, or that no store can keep, is refused", async () => {
    await assert.rejects(prepare({ url: "x".repeat(1_048_577) }), { code: "too-large" });
    await assert.rejects(prepare({ url: "\u0000" }), { code: "invalid-request" });
  });

  test("options out of range are refused by name", async () => {
    const wrong: [SubmitOptions, RegExp][] = [
      [{ priority: 1.5 }, /^priority must be a whole number/],
      [{ priority: 2_000_000 }, /^priority/],
      [{ delayMs: -1 }, /^delayMs/],
      [{ maxAttempts: 0 }, /^maxAttempts/],
      [{ timeoutMs: 0 }, /^timeoutMs/],
      [{ expiresInMs: 0 }, /^expiresInMs/],
      [{ delayMs: Number.NaN }, /^delayMs/],
      [{ runAt: new Date(Number.NaN) }, /runAt must be a valid Date/],
      [{ runAt: new Date(), delayMs: 5 }, /runAt or delayMs, not both/],
      [{ tags: Array.from({ length: 21 }, () => "t") }, /tags must be at most 20/],
      [{ tags: [""] }, /tags must be at most 20/],
      [{ tags: ["x".repeat(65)] }, /tags must be at most 20/],
    ];
    for (const [options, message] of wrong)
      await assert.rejects(prepare({ url: "x" }, options), { code: "invalid-request", message });
  });

  test("an asynchronous schema works as well", async () => {
    const later = defineKind({ name: "k", payload: z.string().refine(async (text) => text === "ok"), run: () => 1 });
    assert.equal((await prepareJob(later, "ok", {})).payload, '"ok"');
    await assert.rejects(prepareJob(later, "no", {}), { code: "invalid-request" });
  });
});

describe("the fingerprint of a request", () => {
  const job = { kind: "k", payload: '{"a":1,"b":{"c":2,"d":3}}' };

  test("it is the same whatever the order of fields, and whoever traces it", () => {
    const other = { payload: '{"b":{"d":3,"c":2},"a":1}', traceId: "t", kind: "k" };
    assert.equal(fingerprintOf([job]), fingerprintOf([other]));
  });

  test("it differs with any value, option, order of items or number of jobs", () => {
    const others = [
      [{ ...job, payload: '{"a":1,"b":{"c":2,"d":4}}' }],
      [{ ...job, priority: 1 }],
      [{ ...job, tags: ["x", "y"] }],
      [{ ...job, tags: ["y", "x"] }],
      [{ ...job, kind: "l" }],
      [job, job],
      [],
    ];
    const seen = new Set([job].concat().map((each) => fingerprintOf([each])));
    for (const jobs of others) seen.add(fingerprintOf(jobs));
    assert.equal(seen.size, others.length + 1);
  });
});

describe("names and keys", () => {
  test("a tenant's name is checked", () => {
    for (const tenant of ["default", "a", "A.b:c-d_9", "x".repeat(64)]) assert.equal(checkTenant(tenant), tenant);
    for (const tenant of ["", "*", "a b", "-a", "x".repeat(65), "ä", "a/b"])
      assert.throws(() => checkTenant(tenant), { code: "invalid-request" });
  });

  test("a key is 1 to 255 characters that every store can keep", () => {
    for (const key of ["k", "🙂", "x".repeat(255)]) assert.equal(checkKey(key, "key"), key);
    for (const key of ["", "x".repeat(256), "\0", "\ud800", undefined, 5])
      assert.throws(() => checkKey(key as string, "key"), { code: "invalid-request" });
  });

  test("a refusal is an error with its code, its next step and what is in the way", () => {
    const error = refusal({ type: "refused", code: "already-queued", message: "m", jobId: "job_1" });
    assert.equal(error.code, "already-queued");
    assert.ok(error.hint);
    assert.deepEqual(error.details, { jobId: "job_1" });
    assert.deepEqual(refusal({ type: "refused", code: "rate-limited", message: "m", retryAfterMs: 5 }).details, {
      limit: "rate",
      retryAfterMs: 5,
    });
    const full = refusal({ type: "refused", code: "backpressure", message: "m", retryAfterMs: 1_500 }, 600);
    assert.equal(full.hint, "Submit again in 2 s, or submit fewer jobs at once: these are 600.");
  });
});
