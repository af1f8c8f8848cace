import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { DEFAULTS } from "../options/settings.ts";
import { statusOf } from "../report/status.ts";
import { moduleOf } from "./builder.ts";
import { defineKind } from "./define-kind.ts";
import { planOf, poolSettings } from "./settings.ts";
import { work } from "./work.ts";

const payload = z.object({ url: z.string() });
const run = () => 1;

describe("defining a kind", () => {
  test("a kind of one stage is as short as name, payload and run", () => {
    const kind = defineKind({ name: "thumb", payload, run });
    assert.deepEqual(
      kind.stages.map((stage) => stage.name),
      ["running"],
    );
    assert.deepEqual(defineKind({ name: "thumb", payload, stage: "rendering", run }).stages[0]?.name, "rendering");
  });

  test("a chain of stages leaves the kind it was made from as it was", () => {
    const base = defineKind({ name: "page", payload });
    const one = base.stage("fetch", { run });
    const two = one.stage("judge", { run });
    assert.deepEqual(
      [base, one, two].map((kind) => kind.stages.length),
      [0, 1, 2],
    );
    assert.deepEqual(
      two.stages.map((stage) => stage.name),
      ["fetch", "judge"],
    );
  });

  test("names that cannot be used are refused with what can", () => {
    for (const name of ["", "Thumb", "1st", "a b", "a/b", "x".repeat(65), "ä"]) {
      assert.throws(
        () => defineKind({ name, payload, run }),
        { code: "kind-invalid", message: /^Invalid kind name/ },
        name,
      );
      assert.throws(() => defineKind({ name: "k", payload, stage: name || "-", run }), { code: "kind-invalid" });
    }
  });

  test("a stage cannot be called like a status, nor like another stage", () => {
    for (const stage of [
      "pending",
      "not-started",
      "completed",
      "failed",
      "cancelled",
      "scheduled",
      "retrying",
      "done",
    ]) {
      assert.throws(() => defineKind({ name: "k", payload, stage, run }), /it is a job status/);
    }
    assert.throws(
      () => defineKind({ name: "k", payload }).stage("a", { run }).stage("a", { run }),
      /two stages with the name "a"/,
    );
  });

  test("an option that would be ignored is refused, also one of a stage at a kind of several", () => {
    const refused = (define: () => unknown, message: RegExp) =>
      assert.throws(define, { code: "kind-invalid", message }, String(message));
    refused(
      () => defineKind({ name: "k", payload, run, procesors: 3 } as never),
      /^Unknown option "procesors" for kind "k"\. Did you mean "processors"\?$/,
    );
    refused(
      () => defineKind({ name: "k", payload, processors: 3 } as never),
      /^"processors" is an option of a stage, not of kind "k"\.$/,
    );
    const staged = defineKind({ name: "k", payload });
    refused(
      () => staged.stage("a", { run, timeout: 3 } as never),
      /^Unknown option "timeout" for stage "k\/a"\. Did you mean "timeoutMs"\?$/,
    );
    assert.equal(defineKind({ name: "k", payload, run, processors: undefined } as never).stages.length, 1);
  });

  test("the work of a contract is one stage or a chain, as a kind is", () => {
    const contract = defineKind({ name: "k", payload, result: z.number() });
    const one = work(contract, { keep: "none", processors: 3, run });
    assert.deepEqual(
      [one.keep, one.stages.map(({ name, processors }) => [name, processors])],
      ["none", [["running", 3]]],
    );
    assert.equal(work(contract, { stage: "adding", run }).stages[0]?.name, "adding");
    assert.equal(work(contract).stage("add", { run }).stages[0]?.name, "add");
    assert.equal(contract.stages.length, 0);

    const refused = (define: () => unknown, message: RegExp) =>
      assert.throws(define, { code: "kind-invalid", message }, String(message));
    refused(
      () => work(contract, { processors: 3 } as never),
      /^"processors" is an option of a stage, not of kind "k"\.$/,
    );
    refused(
      () => work(contract, { run, procesors: 3 } as never),
      /^Unknown option "procesors" for work\("k"\)\. Did you mean "processors"\?$/,
    );
    refused(() => work(contract, { run, uniqueKey: () => "" } as never), /^Unknown option "uniqueKey" for work\("k"\)/);
    refused(
      () => (one as never as typeof contract & { stage(): void }).stage(),
      /has a run function, so it cannot have/,
    );
  });

  test("numbers must be whole and above 0", () => {
    for (const settings of [{ processors: 0 }, { timeoutMs: -1 }, { maxAttempts: 1.5 }, { processors: Number.NaN }]) {
      assert.throws(() => defineKind({ name: "k", payload, run, ...settings }), /must be a whole number above 0/);
    }
  });

  test("an isolated stage needs a module, as an address or with its types", () => {
    const url = new URL("file:///work.ts");
    for (const module of [url, moduleOf<{ default: () => number }>(url)]) {
      assert.deepEqual(defineKind({ name: "k", payload, isolation: "process", module }).stages[0]?.work, {
        in: "process",
        module: url,
      });
    }
    assert.throws(
      () => defineKind({ name: "k", payload }).stage("s", { isolation: "process" } as never),
      /needs a module/,
    );
    assert.throws(() => defineKind({ name: "k", payload }).stage("s", {} as never), /needs a run function/);
  });
});

describe("settings of a kind", () => {
  test("an operator's setting goes before the code's, the code's before the default", () => {
    const kind = defineKind({ name: "k", payload })
      .stage("a", { run, processors: 3, timeoutMs: 7 })
      .stage("b", { run });
    const [a, b] = kind.stages as never as [(typeof kind.stages)[0], (typeof kind.stages)[0]];
    assert.deepEqual(poolSettings(kind, a, DEFAULTS), { size: 3, timeoutMs: 7, pace: undefined });
    assert.deepEqual(poolSettings(kind, b, DEFAULTS), { size: 10, timeoutMs: 300_000, pace: undefined });
    const pools = { "k/a": { size: 6, timeoutMs: 9 }, "k/b": { pace: { count: 3, perMs: 5_000 } } };
    assert.deepEqual(poolSettings(kind, a, { ...DEFAULTS, pools }), { size: 6, timeoutMs: 9, pace: undefined });
    assert.deepEqual(poolSettings(kind, b, { ...DEFAULTS, pools }).pace, { count: 3, perMs: 5_000 });
  });

  test("the plan for the store carries attempts, crashes, pauses, processors, pace, limits and retention", () => {
    const kind = defineKind({ name: "k", payload, keep: "none", maxCrashes: 9, retention: { deadLetterMs: 5 } })
      .stage("a", { run, maxAttempts: 7, retry: { baseMs: 1 } })
      .stage("b", { run, processors: 2, pace: { count: 3, perMs: 5_000 } });
    const retry = { baseMs: 1_000, maxMs: 300_000 };
    assert.deepEqual(planOf(kind, { ...DEFAULTS, queueMax: 4 }), {
      name: "k",
      limits: { queueMax: 4, maxConcurrentPerTenant: 0 },
      stages: [
        { name: "a", processors: 10, maxAttempts: 7, maxCrashes: 9, retry: { ...retry, baseMs: 1 } },
        { name: "b", processors: 2, pace: { count: 3, perMs: 5_000 }, maxAttempts: 3, maxCrashes: 9, retry },
      ],
      retention: { finishedMs: "none", deadLetterMs: 5 },
    });
  });
});

describe("the status people see", () => {
  const one = { stage: "rendering", stages: ["rendering"], attempt: 0 };
  const many = { stage: "fetch", stages: ["fetch", "judge"], attempt: 0 };

  test("a kind of one stage is pending, then its stage's own word, then its end", () => {
    for (const standing of ["ready", "scheduled", "suspect", "held"] as const)
      assert.equal(statusOf({ ...one, standing }), "pending");
    assert.equal(statusOf({ ...one, standing: "running", startedAt: 1 }), "rendering");
    assert.equal(statusOf({ ...one, standing: "ready", startedAt: 1 }), "pending");
    for (const standing of ["completed", "failed", "cancelled"] as const)
      assert.equal(statusOf({ ...one, standing }), standing);
    assert.equal(statusOf({ ...one, standing: "rejected" }), "failed");
  });

  test("a kind of several stages is not-started until first claimed, then in its stage, waiting or running", () => {
    assert.equal(statusOf({ ...many, standing: "ready" }), "not-started");
    assert.equal(statusOf({ ...many, standing: "running", startedAt: 1 }), "fetch");
    assert.equal(statusOf({ ...many, standing: "scheduled", startedAt: 1 }), "fetch");
    assert.equal(statusOf({ ...many, stage: "judge", standing: "ready", startedAt: 1 }), "judge");
    assert.equal(statusOf({ ...many, stage: "judge", standing: "completed", startedAt: 1 }), "completed");
  });
});
