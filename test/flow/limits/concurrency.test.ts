// runtimes: bun or node
// Limits on running jobs as an application meets them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { defineKind, Millrace, sqlite, work } from "../../../packages/millrace/src/index.ts";
import { until } from "../../support/until.ts";
import { gate, untilState, withEngine } from "../support/engine.ts";

const payload = z.object({ account: z.string() });
const key = ({ account }: { account: string }) => account;
/** A kind whose jobs run until the gate opens. */
function gated(opened: Promise<void>, concurrency: object) {
  return defineKind({
    name: "transfer",
    payload,
    maxAttempts: 1,
    concurrency: { key, ...concurrency },
    run: async (ctx, { account }) => {
      await Promise.race([opened, new Promise((_, no) => ctx.signal.addEventListener("abort", no))]);
      if (account === "broken") throw new Error("no such account");
      return account;
    },
  });
}

describe("concurrency", () => {
  test("of one key one job runs, and explain says who holds the key", async () => {
    const { opened, open } = gate();
    const transfer = gated(opened, { perKey: 1 });
    await withEngine({ kinds: [transfer] }, async ({ millrace }) => {
      const first = await millrace.submit(transfer, { account: "a" });
      const second = await millrace.submit(transfer, { account: "a" });
      const other = await millrace.submit(transfer, { account: "b" }, { concurrencyKey: "a" });
      await untilState(millrace, first.id, "running");
      const { reasons } = await millrace.explain(second.id);
      assert.deepEqual(
        reasons.map(({ code, message }) => [code, message]),
        [["concurrency-key", `The job waits for its concurrency key "a". ${first.id} holds it.`]],
      );
      assert.deepEqual((await millrace.find(other.id))?.concurrencyKey, "a");
      assert.deepEqual(
        (await millrace.list({ waitsFor: "key:a" })).map(({ jobId }) => jobId),
        [other.id, second.id],
      );
      open();
      assert.deepEqual(await Promise.all([first.wait(), second.wait(), other.wait()]), ["a", "a", "b"]);
    });
  });

  test("jobs of flows, batches and schedules wait for their keys too", async () => {
    const { opened, open } = gate();
    const transfer = gated(opened, { perKey: 1 });
    await withEngine({ kinds: [transfer] }, async ({ millrace }) => {
      const first = await millrace.submit(transfer, { account: "a" });
      await untilState(millrace, first.id, "running");
      await millrace.flow((f) => void f.job("one", transfer, { account: "a" }));
      const batch = await millrace.batch();
      await batch.add(transfer, [{ account: "a" }]);
      await batch.seal();
      await millrace.schedules.put(transfer, { name: "often", cron: "* * * * * *", payload: { account: "a" } });
      await until("all wait for the key", async () => (await millrace.count({ waitsFor: "key:a" })) >= 3);
      assert.equal(await millrace.count({ status: "running" }), 1);
      await millrace.schedules.remove("often");
      open();
      await until("all have run", async () => (await millrace.count({ status: "pending" })) === 0);
    });
  });

  test("a dead letter of an ordered kind holds its key, health names it, and cancelling it passes the turn on", async () => {
    const { opened, open } = gate();
    open();
    const transfer = gated(opened, { ordered: true });
    await withEngine({ kinds: [transfer] }, async ({ millrace }) => {
      const dead = await millrace.submit(transfer, { account: "broken" }, { concurrencyKey: "k" });
      const next = await millrace.submit(transfer, { account: "a" }, { concurrencyKey: "k" });
      const failed = await untilState(millrace, dead.id, "failed");
      assert.deepEqual([failed.holdsKey, failed.concurrencyKey], [true, "k"]);
      const ofDead = await millrace.explain(dead.id);
      assert.equal(ofDead.reasons[1]?.message, 'It holds the concurrency key "k", and 1 job waits behind it.');
      const ofNext = await millrace.explain(next.id);
      assert.equal(
        ofNext.reasons[0]?.message,
        `The job waits for its concurrency key "k". ${dead.id} failed and holds it.`,
      );
      const { status, problems } = await millrace.health();
      assert.equal(status, "degraded");
      assert.deepEqual(problems, [
        `A failed job holds its concurrency key, and the jobs behind it wait: ${dead.id}. Revive, cancel or delete it.`,
      ]);
      await assert.rejects(millrace.submit(transfer, { account: "a" }, { priority: 1 }), {
        code: "invalid-request",
        message: 'Jobs of the kind "transfer" run in order, so they cannot have a priority.',
      });
      await millrace.job(dead.id).cancel();
      assert.equal(await next.wait(), "a");
      assert.equal((await millrace.health()).status, "ok");
    });
  });

  test("what an operator sets for a shared limit takes precedence, until it is reset", async () => {
    const { opened, open } = gate();
    const kinds = ["left", "right"].map((name) =>
      defineKind({ name, payload: z.null(), concurrency: { limits: ["gpu"] }, run: () => opened }),
    );
    const options = { kinds, limits: { gpu: { total: 2 } } };
    await withEngine(options, async ({ millrace, another }) => {
      for (let i = 0; i < 4; i++) for (const kind of kinds) await millrace.submit(kind, null);
      const running = (count: number) =>
        until(`${count} run`, async () => (await millrace.count({ status: "running" })) === count);
      await running(2);
      assert.deepEqual(await millrace.limits.shared.list(), [
        { name: "gpu", total: 2, defined: 2, kinds: ["left", "right"], running: 2 },
      ]);
      assert.equal((await millrace.limits.shared.set("gpu", 5)).total, 5);
      await running(5);
      await another({ limits: { gpu: { total: 1 } }, deployment: "newer" });
      assert.deepEqual(
        (await millrace.limits.shared.list()).map(({ total, defined, set }) => [total, defined, set]),
        [[5, 1, 5]],
      );
      const [waits] = await millrace.list({ status: "pending" });
      const { reasons } = await millrace.explain(waits?.jobId ?? "");
      assert.equal(reasons[0]?.message, 'The limit "gpu" is full: 5 jobs run, and the limit is 5.');
      assert.equal((await millrace.limits.shared.reset("gpu")).total, 1);
      await assert.rejects(millrace.limits.shared.set("cpu", 1), { code: "limit-unknown" });
      await assert.rejects(millrace.limits.shared.set("gpu", 0), { code: "invalid-request" });
      open();
      await until("all have run", async () => (await millrace.count({ status: "done" })) === 8);
    });
  });

  test("the key belongs to the contract, and the numbers to the worker", async () => {
    const contract = defineKind({ name: "post", payload, result: z.string(), concurrency: { key } });
    const worker = work(contract, { concurrency: { perKey: 2 } }).stage("run", { run: (_ctx, { account }) => account });
    await withEngine({ kinds: [contract], work: false }, async ({ millrace, another }) => {
      const jobs = await millrace.submitMany(contract, [{ account: "a" }, { account: "a" }]);
      await another({ kinds: [worker], work: true });
      assert.deepEqual(await Promise.all(jobs.map((job) => job.wait())), ["a", "a"]);
    });
  });

  test("what cannot be is refused where it is written", async () => {
    const run = () => null;
    const define = (concurrency: object) => () => defineKind({ name: "k", payload, concurrency, run });
    const invalid = (message: string) => ({ code: "kind-invalid", message: `The kind "k": ${message}` });
    assert.throws(define({ perKey: 1 }), invalid("concurrency.perKey needs concurrency.key."));
    assert.throws(define({ ordered: true }), invalid("concurrency.ordered needs concurrency.key."));
    assert.throws(
      define({ key, ordered: true, perKey: 2 }),
      invalid("concurrency.perKey must be 1 if concurrency.ordered is true."),
    );
    assert.throws(define({ key, ifFails: "skip" }), invalid("concurrency.ifFails needs concurrency.ordered."));
    assert.throws(define({ total: 0 }), { code: "kind-invalid" });
    const contract = defineKind({ name: "post", payload, result: z.string(), concurrency: { key } });
    assert.throws(() => work(contract, { concurrency: { ordered: true, perKey: 3 } }), { code: "kind-invalid" });
    const kind = defineKind({ name: "k", payload, concurrency: { limits: ["gpu"] }, run });
    await assert.rejects(Millrace.open({ store: sqlite(":memory:"), kinds: [kind] }), {
      code: "options-invalid",
      message: 'kind "k" uses the limit "gpu", which limits does not define.',
    });
    const plain = defineKind({ name: "plain", payload, run });
    await withEngine({ kinds: [plain] }, async ({ millrace }) => {
      await assert.rejects(millrace.submit(plain, { account: "a" }, { concurrencyKey: "a" }), {
        message: 'The kind "plain" has no concurrency key.',
      });
    });
  });
});
