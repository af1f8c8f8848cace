// The last submission of a unique key wins: it changes the job that waits for its first claim.

import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Job } from "../../../job/job.ts";
import type { SubmitAnswer } from "../../verbs/submission.ts";
import { large, type OpenData, promise } from "../rig.ts";
import { EXTEND, offerMany, REPLACE, wayOf } from "./way-of.ts";

export function describeChanges(open: OpenData): void {
  describe("a submission that replaces", () => {
    promise(open, "changes payload and time of a job that was never claimed, and keeps its id", async (rig) => {
      const jobId = await rig.submit({ ...REPLACE, payload: '"a"', priority: 3, tags: ["old"] });
      const answer = await rig.offer({ ...REPLACE, payload: '"b"', delayMs: 500, priority: 9, tags: ["new"] });
      const at = rig.clock.now();
      assert.deepEqual(answer, { type: "accepted", jobIds: [jobId], at, joined: [0], ways: { 0: "replaced" } });
      const changed = await rig.find(jobId);
      assert.deepEqual([changed.payload, changed.runAt, changed.standing], ['"b"', at + 500, "scheduled"]);
      assert.deepEqual([changed.priority, changed.tags], [3, ["old"]], "the rest stays");
      assert.equal((await rig.claim(1)).length, 0);
      assert.equal(wayOf(await rig.offer({ ...REPLACE, payload: '"c"' })), "replaced");
      const job = await rig.claimOne();
      assert.deepEqual([job.lease.jobId, job.payload], [jobId, '"c"']);
      await rig.complete(job);
      assert.equal(await rig.store.count({}), 1);
    });

    promise(open, "changes the time alone where it extends", async (rig) => {
      const jobId = await rig.submit({ ...EXTEND, payload: '"first"', delayMs: 100 });
      const answer = await rig.offer({ ...EXTEND, payload: '"second"', delayMs: 400 });
      assert.deepEqual([answer.type === "accepted" && answer.jobIds, wayOf(answer)], [[jobId], "extended"]);
      rig.clock.advance(100);
      assert.equal((await rig.claim(1)).length, 0);
      rig.clock.advance(300);
      const job = await rig.claimOne();
      assert.equal(job.payload, '"first"');
    });

    promise(open, "replaces a large payload by a small one, and a small by a large", async (rig) => {
      const jobId = await rig.submit({ ...REPLACE, payload: large("a") });
      await rig.submit({ ...REPLACE, payload: '"small"' });
      assert.equal((await rig.find(jobId)).payload, '"small"');
      await rig.submit({ ...REPLACE, payload: large("b") });
      assert.equal((await rig.find(jobId)).payload, large("b"));
      await rig.submit({ ...REPLACE, payload: large("c") });
      const job = await rig.claimOne();
      assert.equal(job.payload, large("c"));
      await rig.complete(job);
    });

    promise(open, "is counted from the first submission where it must start by a time", async (rig) => {
      const start = rig.clock.now();
      const debounce = { ...REPLACE, delayMs: 400, latestMs: 1_000 };
      const jobId = await rig.submit(debounce);
      for (const [waitMs, runAt] of [
        [300, 700],
        [300, 1_000],
        [300, 1_000],
      ] as const) {
        rig.clock.advance(waitMs);
        await rig.submit(debounce);
        assert.equal((await rig.find(jobId)).runAt, start + runAt);
      }
      rig.clock.advance(100);
      assert.equal((await rig.claimOne()).lease.jobId, jobId);
    });

    promise(open, "moves the time by which the job must start along, and counts its deadline again", async (rig) => {
      const start = rig.clock.now();
      const jobId = await rig.submit({ ...REPLACE, delayMs: 100, expiresInMs: 50, deadlineMs: 1_000 });
      rig.clock.advance(90);
      await rig.submit({ ...REPLACE, delayMs: 100, deadlineMs: 2_000 });
      const { expiresAt, deadlineAt } = (await rig.find(jobId)) as Job & { deadlineAt?: number };
      assert.deepEqual([expiresAt, deadlineAt], [start + 190 + 50, start + 90 + 2_000]);
    });

    promise(
      open,
      "takes nothing from the rate nor from the queue",
      async (rig) => {
        const jobId = await rig.submit(REPLACE);
        for (let i = 0; i < 3; i++) assert.equal(await rig.submit(REPLACE), jobId);
        assert.equal((await rig.offer({ ...REPLACE, uniqueKey: "other" })).type, "refused");
      },
      { limits: { maxNewJobsPerMinute: 1, queueMax: 1 } },
    );

    promise(open, "knows other kinds, other tenants and other keys from its own", async (rig) => {
      const first = await rig.submit(REPLACE);
      const others = [
        { ...REPLACE, tenant: "b" },
        { ...REPLACE, kind: "report" },
        { ...REPLACE, uniqueKey: "v" },
      ];
      for (const other of others) {
        const answer = await rig.offer(other);
        assert.ok(answer.type === "accepted" && answer.ways === undefined && answer.jobIds[0] !== first);
      }
    });

    promise(open, "replaces an earlier job of its own submission", async (rig) => {
      const answer = await offerMany(rig, [
        { ...REPLACE, payload: "1" },
        { payload: "2" },
        { ...REPLACE, payload: "3", delayMs: 10 },
      ]);
      assert.ok(answer.type === "accepted");
      const [first, , last] = answer.jobIds;
      assert.equal(first, last);
      assert.deepEqual([answer.joined, answer.ways], [[2], { 2: "replaced" }]);
      assert.equal((await rig.find(first as string)).payload, "3");
      assert.equal(await rig.store.count({}), 2);
    });

    promise(open, "is decided in order among submissions that arrive together", async (rig) => {
      const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => rig.offer({ ...REPLACE, payload: String(n) })));
      const ids = new Set(answers.flatMap((answer) => (answer.type === "accepted" ? answer.jobIds : [])));
      assert.equal(ids.size, 1);
      assert.deepEqual(answers.map(wayOf), ["new", "replaced", "replaced", "replaced", "replaced"]);
      assert.equal((await rig.claimOne()).payload, "5");
    });

    promise(open, "answers a repeated idempotency key with the first answer", async (rig) => {
      const offer = (n: string) =>
        offerMany(rig, [{ ...REPLACE, payload: n }], { key: `i${n}`, fingerprint: "f" }) as Promise<SubmitAnswer>;
      await rig.submit(REPLACE);
      const [first, second] = [await offer("1"), await offer("2")];
      assert.deepEqual([wayOf(first), wayOf(second)], ["replaced", "replaced"]);
      const again = await offer("1");
      assert.ok(again.type === "replayed");
      assert.deepEqual(
        [again.jobIds, again.joined, again.ways],
        [(second as { jobIds: string[] }).jobIds, [0], { 0: "replaced" }],
      );
      assert.equal((await rig.claimOne()).payload, "2", "a replay changes nothing");
    });

    promise(open, "leaves a job that is cancelled unless another caller waits for it", async (rig) => {
      const jobId = await rig.submit(REPLACE);
      await rig.submit(REPLACE);
      const [answer] = await rig.store.cancel([jobId], "mine", { unlessJoined: true });
      assert.ok(typeof answer === "object" && "conflict" in answer);
    });

    promise(open, "treats a job that others run before as one that works", async (rig) => {
      const flow = await rig.store.submitFlow({
        tenant: "default",
        jobs: [
          { kind: "mail", payload: '"a"' },
          { kind: "mail", payload: '"b"', uniqueKey: "u" },
        ],
        places: [
          { name: "a", after: [], when: "completed" },
          { name: "b", after: [0], when: "completed" },
        ],
      });
      assert.ok(flow.type === "accepted");
      assert.equal(wayOf(await rig.offer({ ...REPLACE, payload: '"c"' })), "follows");
      await rig.complete(await rig.claimOne());
      const second = await rig.claimOne();
      assert.equal(second.payload, '"b"');
      await rig.complete(second);
      assert.equal((await rig.claimOne()).payload, '"c"');
    });
  });
}
