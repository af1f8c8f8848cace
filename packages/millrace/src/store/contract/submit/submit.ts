import assert from "node:assert/strict";
import { describe } from "node:test";
import type { SubmitAnswer } from "../../verbs/submission.ts";
import { large, MAIL, type OpenData, promise, REPORT } from "../rig.ts";

export function describeSubmit(open: OpenData): void {
  describe("submit", () => {
    promise(open, "an accepted job is there with all it was given", async (rig) => {
      const now = rig.clock.now();
      const jobId = await rig.submit({
        tenant: "acme",
        payload: '{"to":"you"}',
        priority: -5,
        delayMs: 2_000,
        maxAttempts: 7,
        timeoutMs: 900,
        expiresInMs: 60_000,
        tags: ["a", "b"],
        traceId: "t-1",
      });
      assert.deepEqual((await rig.store.find([jobId]))[0], {
        id: jobId,
        kind: "mail",
        stage: "running",
        stages: ["running"],
        tenant: "acme",
        standing: "scheduled",
        payload: '{"to":"you"}',
        priority: -5,
        tags: ["a", "b"],
        traceId: "t-1",
        createdAt: now,
        updatedAt: now,
        runAt: now + 2_000,
        expiresAt: now + 62_000,
        attempt: 0,
        maxAttempts: 7,
        failures: 0,
        failuresTotal: 0,
        crashes: 0,
      });
    });

    promise(open, "a refusal names the kind that is unknown, whatever stands before it", async (rig) => {
      const jobs = [
        { kind: "mail", payload: "{}", uniqueKey: "k" },
        { kind: "nothing", payload: "{}" },
      ];
      const [answer] = await rig.store.submit([{ tenant: "default", jobs }]);
      assert.deepEqual(answer, { type: "refused", code: "kind-unknown", message: 'Unknown kind "nothing".' });
    });

    promise(open, "without options a job may run now, with the kind's attempts", async (rig) => {
      const job = await rig.find(await rig.submit());
      assert.equal(job.standing, "ready");
      assert.equal(job.runAt, rig.clock.now());
      assert.equal(job.maxAttempts, 3);
      assert.deepEqual(job.tags, []);
    });

    promise(open, "what one instance submits another sees at once", async (rig) => {
      const b = await rig.another();
      const jobId = await rig.submit();
      assert.equal((await rig.find(jobId, b)).standing, "ready");
      assert.equal((await rig.claimOne({}, b)).lease.jobId, jobId);
    });

    promise(open, "submissions side by side are answered while another process registers its kinds", async (rig) => {
      const jobs = Array.from({ length: 600 }, () => ({ kind: "mail", payload: "1" }));
      const b = await rig.another();
      for (let round = 0; round < 3; round++) {
        // Each of them chose a plan before the registration, and must choose again.
        await b.register([MAIL, REPORT]);
        const answers: Promise<SubmitAnswer[]>[] = [];
        for (let i = 0; i < 4; i++) {
          answers.push(rig.store.submit([{ tenant: "a", jobs }]));
          await new Promise((resolve) => setImmediate(resolve));
        }
        const late = AbortSignal.timeout(20_000);
        const hangs = new Promise<never>((_, reject) => {
          late.onabort = () => reject(new Error("the submissions are not answered"));
        });
        for (const [answer] of await Promise.race([Promise.all(answers), hangs]))
          assert.equal(answer?.type, "accepted");
      }
    });

    promise(open, "a submission of several jobs keeps their order", async (rig) => {
      const jobs = ["1", "2", "3"].map((payload) => ({ kind: "mail", payload }));
      const [answer] = await rig.store.submit([{ tenant: "a", jobs }]);
      const found = await rig.store.find((answer as { jobIds: string[] }).jobIds);
      assert.deepEqual(
        found.map((job) => job.payload),
        ["1", "2", "3"],
      );
    });

    promise(open, "one refused job refuses its submission whole, and none of its neighbours", async (rig) => {
      const [first, second, third] = await rig.store.submit([
        { tenant: "a", jobs: [{ kind: "mail", payload: "1" }] },
        {
          tenant: "a",
          jobs: [
            { kind: "mail", payload: "2" },
            { kind: "nobody", payload: "3" },
          ],
        },
        { tenant: "a", jobs: [{ kind: "mail", payload: "4" }] },
      ]);
      assert.equal(first?.type, "accepted");
      assert.equal(second?.type === "refused" && second.code, "kind-unknown");
      assert.equal(third?.type, "accepted");
      assert.deepEqual(
        (await rig.store.list({})).map((job) => job.payload),
        ["4", "1"],
      );
    });

    promise(open, "a kind that another instance registered can be submitted", async (rig) => {
      const b = await rig.another();
      assert.equal((await rig.find(await rig.submit({ kind: "report" }, b))).stage, "fetch");
    });

    promise(open, "a payload comes back to the letter, whatever its size", async (rig) => {
      for (const payload of [
        "null",
        '"äöü 🙂 \\" \\\\ "',
        `{"b":1,"a":2}`,
        large("x"),
        JSON.stringify("🙂".repeat(2_000)),
        JSON.stringify("x".repeat(998)),
        JSON.stringify("x".repeat(999)),
      ]) {
        const jobId = await rig.submit({ payload });
        assert.equal((await rig.find(jobId)).payload, payload);
        const job = await rig.claimOne();
        assert.equal(job.payload, payload);
        await rig.complete(job);
      }
    });

    promise(open, "a moment in the past means now", async (rig) => {
      const jobId = await rig.submit({ runAt: rig.clock.now() - 5_000 });
      assert.equal(await rig.standing(jobId), "ready");
      assert.equal((await rig.claimOne()).lease.jobId, jobId);
    });

    promise(open, "a submission without jobs is accepted and empty", async (rig) => {
      const at = rig.clock.now();
      assert.deepEqual(await rig.store.submit([{ tenant: "a", jobs: [] }]), [{ type: "accepted", jobIds: [], at }]);
    });
  });
}
