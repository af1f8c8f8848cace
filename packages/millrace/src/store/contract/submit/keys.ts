import assert from "node:assert/strict";
import { describe } from "node:test";
import type { SubmitAnswer } from "../../verbs/submission.ts";
import { HOUR_MS, type OpenData, promise, type Rig } from "../rig.ts";

export function describeKeys(open: OpenData): void {
  describe("unique keys", () => {
    promise(open, "a second submission is refused with where the first one is, and its id", async (rig) => {
      const jobId = await rig.submit({ kind: "report", uniqueKey: "weekly" });
      const refusal = async () => {
        const answer = await rig.offer({ kind: "report", uniqueKey: "weekly" });
        assert.equal(answer.type === "refused" && answer.jobId, jobId);
        return answer.type === "refused" && answer.code;
      };
      assert.equal(await refusal(), "already-queued");
      const fetch = await rig.claimOne({ kind: "report" });
      assert.equal(await refusal(), "already-processing");
      await rig.complete(fetch);
      assert.equal(await refusal(), "in-other-stage");
      const form = await rig.claimOne({ kind: "report", stage: "form" });
      assert.equal(await refusal(), "already-processing");
      await rig.fail(form);
      assert.equal(await refusal(), "in-other-stage");
    });

    promise(open, "the key is free once the job is finished, however it ended", async (rig) => {
      for (const end of ["completed", "completed large", "failed", "rejected", "cancelled"] as const) {
        const job = await rig.running({ uniqueKey: "u" });
        if (end === "completed") await rig.complete(job);
        if (end === "completed large") await rig.complete(job, JSON.stringify("x".repeat(3_000)));
        if (end === "failed") await rig.kill(job);
        if (end === "rejected") await rig.fail(job, { permanent: true, input: true });
        if (end === "cancelled") await rig.store.cancel([job.lease.jobId], "x");
      }
      assert.equal((await rig.offer({ uniqueKey: "u" })).type, "accepted");
    });

    promise(open, "a job keeps its key while it is held, deferred, retried or suspect", async (rig) => {
      const jobId = await rig.submit({ uniqueKey: "u" });
      for (const outcome of [
        { type: "deferred", delayMs: 1 },
        { type: "crashed", failure: { code: "c", message: "c", permanent: false } },
        { type: "released" },
        { type: "held", reason: "r" },
      ] as const) {
        await rig.settle(await rig.claimOne(), outcome);
        const answer = await rig.offer({ uniqueKey: "u" });
        assert.equal(answer.type === "refused" && answer.code, "already-queued", outcome.type);
        rig.clock.advance(1_000);
      }
      assert.equal(await rig.standing(jobId), "held");
    });

    promise(open, "keys of different tenants and kinds do not meet", async (rig) => {
      for (const job of [{ tenant: "a" }, { tenant: "b" }, { kind: "report", tenant: "a" }]) {
        assert.equal((await rig.offer({ ...job, uniqueKey: "u" })).type, "accepted");
      }
    });

    promise(open, "a key that stands twice in one submission is refused, and nothing of it stored", async (rig) => {
      const jobs = [1, 2].map((n) => ({ kind: "mail", payload: String(n), uniqueKey: "u" }));
      const [answer] = await rig.store.submit([{ tenant: "a", jobs }]);
      assert.equal(answer?.type === "refused" && answer.code, "already-queued");
      assert.equal(await rig.store.count({}), 0);
      const answers = await rig.store.submit(jobs.map((job) => ({ tenant: "a", jobs: [job] })));
      assert.deepEqual(
        answers.map(({ type }) => type),
        ["accepted", "refused"],
      );
    });

    promise(open, "of two instances that submit the same key one is refused", async (rig) => {
      const b = await rig.another();
      const answers = await Promise.all([rig.offer({ uniqueKey: "u" }), rig.offer({ uniqueKey: "u" }, b)]);
      assert.deepEqual(answers.map(({ type }) => type).sort(), ["accepted", "refused"]);
    });
  });

  describe("idempotency keys", () => {
    promise(open, "the same key and body get the first answer's jobs again, from any instance", async (rig) => {
      const first = await keyed(rig, "k", "body", 2);
      assert.equal(first.type, "accepted");
      for (const by of [rig.store, await rig.another()]) {
        assert.deepEqual(await keyed(rig, "k", "body", 2, by), { ...first, type: "replayed" });
      }
      assert.equal(await rig.store.count({}), 2);
    });

    promise(open, "the same key with another body is refused", async (rig) => {
      const first = await keyed(rig, "k", "one");
      const second = await keyed(rig, "k", "two");
      assert.equal(second.type === "refused" && second.code, "idempotency-conflict");
      assert.equal(second.type === "refused" && second.jobId, idsOf(first)[0]);
    });

    promise(open, "keys belong to their tenant", async (rig) => {
      await keyed(rig, "k", "one");
      const other = await rig.store.submit([
        { tenant: "other", jobs: [{ kind: "mail", payload: "1" }], idempotency: { key: "k", fingerprint: "two" } },
      ]);
      assert.equal(other[0]?.type, "accepted");
    });

    promise(
      open,
      "a replay comes before every limit and counts against none",
      async (rig) => {
        await rig.running();
        const first = await keyed(rig, "k", "one");
        const refused = await keyed(rig, "other", "one");
        assert.equal(refused.type === "refused" && refused.code, "rate-limited");
        for (let i = 0; i < 5; i++) assert.deepEqual(await keyed(rig, "k", "one"), { ...first, type: "replayed" });
        rig.clock.advance(60_000);
        assert.equal((await keyed(rig, "other", "one")).type, "accepted", "replays took none of the minute");
      },
      { limits: { maxNewJobsPerMinute: 2, queueMax: 2 } },
    );

    promise(open, "a replay works when its job is running, done or gone", async (rig) => {
      const first = await keyed(rig, "k", "one");
      const job = await rig.claimOne();
      assert.equal((await keyed(rig, "k", "one")).type, "replayed");
      await rig.complete(job);
      assert.equal((await keyed(rig, "k", "one")).type, "replayed");
      rig.clock.advance(2 * HOUR_MS);
      assert.equal((await rig.store.prune({ limit: 100 })).deleted, 1);
      assert.deepEqual(await rig.store.find([job.lease.jobId]), []);
      assert.deepEqual(await keyed(rig, "k", "one"), { ...first, type: "replayed" });
    });

    promise(open, "a key is kept for 24 hours and is free afterwards", async (rig) => {
      await keyed(rig, "k", "one");
      rig.clock.advance(24 * HOUR_MS - 1);
      await rig.store.prune({ limit: 100 });
      assert.equal((await keyed(rig, "k", "one")).type, "replayed");
      rig.clock.advance(1);
      assert.equal((await keyed(rig, "k", "two")).type, "accepted");
    });

    promise(open, "a refused submission leaves its key free", async (rig) => {
      await rig.submit({ uniqueKey: "u" });
      const idempotency = { key: "k", fingerprint: "one" };
      const jobs = [{ kind: "mail", payload: "1", uniqueKey: "u" }];
      const [refused] = await rig.store.submit([{ tenant: "default", jobs, idempotency }]);
      assert.equal(refused?.type, "refused");
      assert.equal((await keyed(rig, "k", "two")).type, "accepted");
    });

    promise(open, "two submissions of one key in the same call are one job", async (rig) => {
      const one = {
        tenant: "default",
        jobs: [{ kind: "mail", payload: "1" }],
        idempotency: { key: "k", fingerprint: "f" },
      };
      const [first, second] = await rig.store.submit([one, one]);
      assert.equal(first?.type, "accepted");
      assert.deepEqual(second, { ...first, type: "replayed" });
    });
  });
}

async function keyed(rig: Rig, key: string, fingerprint: string, count = 1, by = rig.store): Promise<SubmitAnswer> {
  const jobs = Array.from({ length: count }, () => ({ kind: "mail", payload: "1" }));
  const [answer] = await by.submit([{ tenant: "default", jobs, idempotency: { key, fingerprint } }]);
  return answer as SubmitAnswer;
}

function idsOf(answer: SubmitAnswer): string[] {
  return answer.type === "refused" ? [] : answer.jobIds;
}
