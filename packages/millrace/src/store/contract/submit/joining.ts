import assert from "node:assert/strict";
import { describe } from "node:test";
import { FOLLOW_AFTER_MS } from "../../codes.ts";
import type { NewJob, SubmitAnswer } from "../../verbs/submission.ts";
import { HOUR_MS, large, type OpenData, promise, type Rig } from "../rig.ts";

export function describeJoining(open: OpenData): void {
  describeFollowing(open);
  describe("a submission that joins", () => {
    promise(open, "is answered with the job that lives, wherever that stands, and stores nothing", async (rig) => {
      const jobId = await rig.submit({ uniqueKey: "u" });
      const join = async () => rig.offer({ uniqueKey: "u", ifUnique: "join" });
      const joined = { type: "accepted", jobIds: [jobId], at: rig.clock.now(), joined: [0] };
      assert.deepEqual(await join(), joined);
      const job = await rig.claimOne();
      assert.deepEqual(await join(), joined);
      await rig.complete(job);
      const fresh = await join();
      assert.ok(fresh.type === "accepted" && fresh.joined === undefined);
      assert.notEqual(fresh.jobIds[0], jobId);
      assert.equal(await rig.store.count({}), 2);
    });

    promise(open, "joins its own earlier job of the same key, beside others that are new", async (rig) => {
      const live = await rig.submit({ uniqueKey: "live" });
      const answer = await offerMany(rig, [
        { uniqueKey: "a", ifUnique: "join" },
        {},
        { uniqueKey: "live", ifUnique: "join" },
        { uniqueKey: "a", ifUnique: "join" },
      ]);
      assert.ok(answer.type === "accepted");
      const [a, plain, joined, again] = answer.jobIds;
      assert.deepEqual([joined, again, answer.joined], [live, a, [2, 3]]);
      assert.equal(new Set([a, plain, live]).size, 3);
      assert.equal(await rig.store.count({}), 3);
    });

    promise(open, "does not join a job of another tenant", async (rig) => {
      await rig.submit({ uniqueKey: "u", tenant: "a" });
      const answer = await rig.offer({ uniqueKey: "u", ifUnique: "join", tenant: "b" });
      assert.ok(answer.type === "accepted" && answer.joined === undefined);
    });

    promise(
      open,
      "takes nothing from the rate nor from the queue",
      async (rig) => {
        const jobId = await rig.submit({ uniqueKey: "u" });
        for (let i = 0; i < 3; i++) {
          const answer = await rig.offer({ uniqueKey: "u", ifUnique: "join" });
          assert.deepEqual(answer.type === "accepted" && answer.jobIds, [jobId]);
        }
        assert.equal((await rig.offer({ uniqueKey: "other", ifUnique: "join" })).type, "refused");
      },
      { limits: { maxNewJobsPerMinute: 1, queueMax: 1 } },
    );

    promise(open, "keeps its idempotency key with the job it joined", async (rig) => {
      const jobId = await rig.submit({ uniqueKey: "u" });
      const offer = () => offerMany(rig, [{ uniqueKey: "u", ifUnique: "join" }], { key: "i", fingerprint: "f" });
      assert.equal((await offer()).type, "accepted");
      await rig.complete(await rig.claimOne());
      const replay = await offer();
      assert.deepEqual(replay.type === "replayed" && [replay.jobIds, replay.joined], [[jobId], [0]]);
    });

    promise(open, "keeps a job from being cancelled by one who believes to be alone with it", async (rig) => {
      const alone = await rig.submit({ uniqueKey: "alone" });
      const joined = await rig.submit({ uniqueKey: "u" });
      await rig.offer({ uniqueKey: "u", ifUnique: "join" });
      const [first, second] = await rig.store.cancel([alone, joined], "gone", { unlessJoined: true });
      assert.equal(first, "done");
      assert.ok(typeof second === "object" && "conflict" in second);
      assert.deepEqual([await rig.standing(alone), await rig.standing(joined)], ["cancelled", "ready"]);
      assert.deepEqual(await rig.store.cancel([joined], "by hand"), ["done"]);
    });
  });

  describe("a job whose result is known", () => {
    promise(open, "is stored as completed: never claimed, no attempt, no room in the queue", async (rig) => {
      await keep(rig, "k");
      const answer = await rig.offer({ ...known("k", large("o")), payload: large("p"), uniqueKey: "u" });
      assert.ok(answer.type === "accepted");
      assert.deepEqual(answer.completed, [0]);
      const job = await rig.find(answer.jobIds[0] as string);
      assert.deepEqual(
        [job.standing, job.result, job.payload, job.attempt, job.finishedAt, job.startedAt],
        ["completed", large("o"), large("p"), 0, rig.clock.now(), undefined],
      );
      assert.deepEqual(await rig.history(job.id), []);
      assert.deepEqual(await rig.claim(9), []);
      assert.equal((await rig.offer({ uniqueKey: "u" })).type, "accepted");
    });

    promise(
      open,
      "is no matter for a full queue, but counts as a new job",
      async (rig) => {
        await keep(rig, "k");
        await rig.submit();
        assert.equal((await rig.offer()).type, "refused");
        assert.equal((await rig.offer(known("k"))).type, "accepted");
        const late = await rig.offer(known("k"));
        assert.equal(late.type === "refused" && late.code, "rate-limited");
      },
      { limits: { queueMax: 1, maxNewJobsPerMinute: 3 } },
    );

    promise(
      open,
      "keeps what it names from being evicted, and lets go of it when it is deleted",
      async (rig) => {
        await keep(rig, "k");
        const answer = await rig.offer(known("k"));
        rig.clock.advance(HOUR_MS - 1);
        await rig.store.prune({ limit: 9 });
        assert.ok(await rig.store.shared("k"));
        await rig.store.forget(answer.type === "accepted" ? answer.jobIds : []);
        await rig.store.prune({ limit: 9 });
        assert.equal(await rig.store.shared("k"), undefined);
      },
      { limits: { sharedKeepMs: 1 } },
    );

    promise(open, "is an ordinary job when what holds the result is gone", async (rig) => {
      const answer = await rig.offer({ ...known("gone"), uniqueKey: "u", ifUnique: "join" });
      assert.ok(answer.type === "accepted" && answer.completed === undefined);
      const again = await rig.offer({ ...known("gone"), uniqueKey: "u", ifUnique: "join" });
      assert.deepEqual(again.type === "accepted" && again.jobIds, answer.jobIds);
      assert.equal((await rig.claimOne()).lease.jobId, answer.jobIds[0]);
    });

    promise(open, "of several stages is shown in the last one", async (rig) => {
      await keep(rig, "k");
      const answer = await rig.offer({ ...known("k"), kind: "report" });
      assert.equal((await rig.find(answer.type === "accepted" ? (answer.jobIds[0] as string) : "")).stage, "judge");
    });
  });
}

function known(share: string, result = "1"): Pick<NewJob, "completed"> {
  return { completed: { result, share } };
}

/** Shared by a job that is no longer there. */
async function keep(rig: Rig, key: string): Promise<void> {
  const job = await rig.running();
  const artifact = { key, contentType: "text/plain", bytes: new Uint8Array([1]), info: "{}" };
  await rig.store.share(job.lease, artifact, { named: false });
  await rig.complete(job);
  await rig.store.forget([job.lease.jobId]);
}

async function offerMany(
  rig: Rig,
  jobs: Partial<NewJob>[],
  idempotency?: { key: string; fingerprint: string },
): Promise<SubmitAnswer> {
  const [answer] = await rig.store.submit([
    {
      tenant: "default",
      jobs: jobs.map((job) => ({ kind: "mail", payload: "{}", ...job })),
      ...(idempotency && { idempotency }),
    },
  ]);
  assert.ok(answer);
  return answer;
}

const FOLLOW = { uniqueKey: "u", ifUnique: "follow" } as const;

function describeFollowing(open: OpenData): void {
  describe("a submission that follows", () => {
    promise(open, "has a job of its own, and the first one alone has the key", async (rig) => {
      const first = await rig.submit(FOLLOW);
      const second = await rig.submit(FOLLOW);
      assert.notEqual(first, second);
      assert.equal(await rig.store.count({}), 2);
      const leader = await rig.claimOne();
      assert.equal(leader.lease.jobId, first);
      assert.equal(await rig.store.acquireUnique(leader.lease, "u"), "held");
      assert.equal((await rig.claim(1)).length, 0, "the second waits");
      rig.clock.advance(FOLLOW_AFTER_MS);
      const follower = await rig.claimOne();
      assert.equal(follower.lease.jobId, second);
      const behind = { jobId: first, waitedMs: FOLLOW_AFTER_MS };
      assert.deepEqual(await rig.store.acquireUnique(follower.lease, "u"), behind);
    });

    promise(open, "gets the key when the job that had it is completed, cancelled or failed", async (rig) => {
      for (const end of ["completed", "cancelled", "failed"] as const) {
        const uniqueKey = end;
        const first = await rig.submit({ ...FOLLOW, uniqueKey });
        await rig.submit({ ...FOLLOW, uniqueKey });
        rig.clock.advance(FOLLOW_AFTER_MS);
        const [leader, follower] = [await rig.claimOne(), await rig.claimOne()];
        const behind = { jobId: first, waitedMs: FOLLOW_AFTER_MS };
        assert.deepEqual(await rig.store.acquireUnique(follower.lease, uniqueKey), behind);
        if (end === "completed") await rig.complete(leader);
        else if (end === "cancelled") await rig.store.cancel([first], "mine");
        else await rig.fail(leader, { permanent: true });
        assert.equal(await rig.store.acquireUnique(follower.lease, uniqueKey), "taken");
        assert.equal(await rig.store.acquireUnique(follower.lease, uniqueKey), "held");
        // A job that took the key keeps others away like one that was submitted with it, and gives it back at its end.
        assert.deepEqual((await rig.offer({ uniqueKey })).type, "refused");
        await rig.complete(follower);
        assert.deepEqual((await rig.offer({ uniqueKey })).type, "accepted");
        await rig.complete(await rig.claimOne());
      }
    });

    promise(open, "follows an earlier job of its own submission, and no job of another tenant", async (rig) => {
      const answer = await offerMany(rig, [FOLLOW, FOLLOW]);
      assert.ok(answer.type === "accepted" && answer.joined === undefined);
      assert.equal(new Set(answer.jobIds).size, 2);
      const elsewhere = await rig.submit({ ...FOLLOW, tenant: "other" });
      rig.clock.advance(FOLLOW_AFTER_MS);
      const claimed = [await rig.claimOne(), await rig.claimOne(), await rig.claimOne()];
      const other = claimed.find(({ lease }) => lease.jobId === elsewhere);
      assert.ok(other !== undefined);
      assert.equal(await rig.store.acquireUnique(other.lease, "u"), "held");
    });

    promise(open, "gets no key by a lease that is lost", async (rig) => {
      await rig.submit({});
      const job = await rig.claimOne();
      await rig.store.cancel([job.lease.jobId], "gone");
      assert.equal(await rig.store.acquireUnique(job.lease, "u"), "lease-lost");
      assert.equal((await rig.offer({ uniqueKey: "u" })).type, "accepted");
    });

    promise(
      open,
      "takes from the rate like any other",
      async (rig) => {
        await rig.submit(FOLLOW);
        assert.equal((await rig.offer(FOLLOW)).type, "refused");
      },
      { limits: { maxNewJobsPerMinute: 1 } },
    );
  });
}
