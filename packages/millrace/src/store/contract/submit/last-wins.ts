// The last submission of a unique key wins: it changes the job that waits, or follows the one that works.

import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Job } from "../../../job/job.ts";
import type { NewJob, SubmitAnswer } from "../../verbs/submission.ts";
import { large, type OpenData, promise, type Rig } from "../rig.ts";

const REPLACE = { uniqueKey: "u", ifUnique: "replace" } as const;
const EXTEND = { uniqueKey: "u", ifUnique: "extend" } as const;

export function describeLastWins(open: OpenData): void {
  describeChanges(open);
  describeFollowers(open);
  describeEndsOfLeaders(open);
}

function describeChanges(open: OpenData): void {
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

function describeFollowers(open: OpenData): void {
  describe("a submission behind a job that works", () => {
    promise(open, "is stored as its follower and starts when it has ended", async (rig) => {
      const leader = await rig.running(REPLACE);
      const answer = await rig.offer({ ...REPLACE, payload: '"next"' });
      assert.ok(answer.type === "accepted");
      const [follower] = answer.jobIds as [string];
      assert.notEqual(follower, leader.lease.jobId);
      assert.deepEqual([answer.joined, answer.ways], [undefined, { 0: "follows" }]);
      const waiting = await rig.find(follower);
      assert.equal(waiting.standing, "scheduled");
      assert.deepEqual(waiting.waitsFor, [{ type: "leader", since: rig.clock.now() }]);
      assert.deepEqual(await ids(rig, "leader"), [follower]);
      assert.equal((await rig.claim(1)).length, 0);
      await rig.complete(leader);
      const job = await rig.claimOne();
      assert.deepEqual([job.lease.jobId, job.payload], [follower, '"next"']);
      assert.equal((await rig.find(follower)).waitsFor, undefined);
      assert.equal((await rig.offer({ uniqueKey: "u" })).type, "refused", "it has the key now");
      await rig.complete(job);
      assert.equal((await rig.offer({ uniqueKey: "u" })).type, "accepted");
    });

    promise(open, "replaces the follower that waits, of which there is one", async (rig) => {
      const leader = await rig.running(REPLACE);
      const follower = await rig.submit({ ...REPLACE, payload: "1" });
      for (const n of ["2", "3"]) {
        const answer = await rig.offer({ ...REPLACE, payload: n });
        assert.deepEqual([answer.type === "accepted" && answer.jobIds, wayOf(answer)], [[follower], "replaced"]);
      }
      assert.equal(wayOf(await rig.offer({ ...EXTEND, payload: "4", delayMs: 100 })), "extended");
      await rig.complete(leader);
      assert.equal((await rig.claim(1)).length, 0, "not before its own time");
      rig.clock.advance(100);
      const job = await rig.claimOne();
      assert.deepEqual([job.lease.jobId, job.payload], [follower, "3"]);
      assert.equal(await rig.store.count({}), 2);
    });

    promise(
      open,
      "starts not before its own time, and by the time at the latest that the first one had",
      async (rig) => {
        const start = rig.clock.now();
        const leader = await rig.running(REPLACE);
        const debounce = { ...REPLACE, delayMs: 400, latestMs: 600 };
        const follower = await rig.submit(debounce);
        rig.clock.advance(300);
        await rig.submit(debounce);
        await rig.complete(leader);
        assert.equal((await rig.find(follower)).runAt, start + 600);
        await rig.submit(debounce);
        assert.equal((await rig.find(follower)).runAt, start + 600, "also once it has the key");
        rig.clock.advance(300);
        assert.equal((await rig.claimOne()).lease.jobId, follower);
      },
    );

    promise(open, "follows a job that is retried, deferred, held or asleep", async (rig) => {
      const holds = {
        retried: (job) => rig.fail(job),
        deferred: (job) => rig.settle(job, { type: "deferred", runAt: rig.clock.now() + 1_000 }),
        held: (job) => rig.settle(job, { type: "held", reason: "look" }),
        asleep: (job) =>
          rig.settle(job, { type: "waiting", waits: [{ type: "sleep", name: "nap", timeoutMs: 1_000 }] }),
      } satisfies Record<string, (job: Awaited<ReturnType<Rig["running"]>>) => Promise<unknown>>;
      for (const [uniqueKey, rest] of Object.entries(holds)) {
        const leader = await rig.running({ ...REPLACE, uniqueKey });
        await rest(leader);
        const follower = await rig.offer({ ...REPLACE, uniqueKey });
        assert.equal(wayOf(follower), "follows", uniqueKey);
        await rig.store.cancel([leader.lease.jobId], "over");
        const job = await rig.claimOne();
        assert.deepEqual([job.lease.jobId], follower.type === "accepted" && follower.jobIds);
        await rig.complete(job);
      }
    });

    promise(
      open,
      "counts toward the rate",
      async (rig) => {
        await rig.running(REPLACE);
        assert.equal((await rig.offer(REPLACE)).type, "refused");
      },
      { limits: { maxNewJobsPerMinute: 1 } },
    );

    promise(open, "joins and refuses by the job that works", async (rig) => {
      const leader = await rig.running(REPLACE);
      await rig.submit(REPLACE);
      const joined = await rig.offer({ uniqueKey: "u", ifUnique: "join" });
      assert.deepEqual(joined.type === "accepted" && joined.jobIds, [leader.lease.jobId]);
      const refused = await rig.offer({ uniqueKey: "u" });
      assert.deepEqual(refused.type === "refused" && [refused.code, refused.jobId], [
        "already-processing",
        leader.lease.jobId,
      ]);
    });

    promise(open, "fails if it has not started in time, and leaves its place", async (rig) => {
      const leader = await rig.running(REPLACE);
      const late = await rig.submit({ ...REPLACE, expiresInMs: 100 });
      rig.clock.advance(101);
      await rig.store.beat();
      const job = await rig.find(late);
      assert.deepEqual([job.standing, job.failure?.code], ["failed", "backpressure"]);
      const next = await rig.offer(REPLACE);
      assert.ok(next.type === "accepted" && next.jobIds[0] !== late);
      assert.equal(wayOf(next), "follows");
      await rig.complete(leader);
      assert.deepEqual([(await rig.claimOne()).lease.jobId], next.jobIds);
    });

    promise(open, "can be cancelled, and the next one takes its place", async (rig) => {
      const leader = await rig.running(REPLACE);
      const follower = await rig.submit(REPLACE);
      assert.deepEqual(await rig.store.cancel([follower], "not needed"), ["done"]);
      await rig.complete(leader);
      assert.equal((await rig.claim(1)).length, 0);
      assert.equal(wayOf(await rig.offer(REPLACE)), "new");
    });

    promise(open, "refuses the revival of the job it followed", async (rig) => {
      const leader = await rig.running(REPLACE);
      await rig.submit({ ...REPLACE, delayMs: 1_000 });
      await rig.kill(leader);
      const revived = await rig.store.revive(leader.lease.jobId, { from: "failed-stage", uniqueKey: "u" });
      assert.ok(typeof revived === "object" && "conflict" in revived);
      assert.equal(revived.code, "already-queued");
    });

    promise(open, "follows a revived job from its failed stage, which goes on with what it stored", async (rig) => {
      const leader = await rig.running(REPLACE);
      await rig.kill(leader);
      const revived = await rig.store.revive(leader.lease.jobId, { from: "failed-stage", uniqueKey: "u" });
      assert.ok(typeof revived === "object" && "revived" in revived);
      assert.equal(wayOf(await rig.offer(REPLACE)), "follows");
      await rig.complete(await rig.claimOne());
      assert.equal((await rig.claim(1)).length, 1);
    });
  });
}

function describeEndsOfLeaders(open: OpenData): void {
  describe("the follower of a job", () => {
    type Leader = Awaited<ReturnType<Rig["running"]>>;
    const ends: Record<string, (rig: Rig, leader: Leader) => Promise<unknown>> = {
      "is completed": (rig, leader) => rig.complete(leader),
      fails: (rig, leader) => rig.kill(leader),
      "is cancelled": (rig, { lease }) => rig.store.cancel([lease.jobId], "stop"),
      "is past its deadline": async (rig) => {
        rig.clock.advance(10_001);
        await rig.store.beat();
      },
      "dies with its process too often": async (rig, leader) => {
        await rig.crash(leader);
        for (let i = 0; i < 2; i++) {
          rig.clock.advance(300_000);
          await rig.crash(await rig.claimOne());
        }
      },
    };
    for (const [way, end] of Object.entries(ends)) {
      promise(open, `starts when that ${way}`, async (rig) => {
        const isLate = way === "is past its deadline";
        const leader = await rig.running({ ...REPLACE, ...(isLate && { deadlineMs: 10_000 }) });
        const follower = await rig.submit({ ...REPLACE, payload: '"next"' });
        await end(rig, leader);
        const job = await rig.claimOne();
        assert.deepEqual([job.lease.jobId, job.payload], [follower, '"next"']);
      });
    }

    promise(open, "starts when a job ends that keeps nothing", async (rig) => {
      const leader = await rig.running({ ...REPLACE, kind: "report" });
      const follower = await rig.submit({ ...REPLACE, kind: "report" });
      await rig.store.cancel([leader.lease.jobId], "stop");
      assert.equal((await rig.claimOne({ kind: "report" })).lease.jobId, follower);
    });

    promise(open, "is passed on to the job that continues as new", async (rig) => {
      const first = await rig.running(REPLACE);
      const follower = await rig.submit({ ...REPLACE, payload: '"next"' });
      const settled = await rig.settle(first, { type: "continued", payload: '"more"' });
      assert.ok(settled.written === "written" && settled.successor !== undefined);
      const replaced = await rig.offer({ ...REPLACE, payload: '"last"' });
      assert.deepEqual([replaced.type === "accepted" && replaced.jobIds, wayOf(replaced)], [[follower], "replaced"]);
      const successor = await rig.claimOne();
      assert.deepEqual([successor.lease.jobId, successor.payload], [settled.successor, '"more"']);
      await rig.complete(successor);
      const job = await rig.claimOne();
      assert.deepEqual([job.lease.jobId, job.payload], [follower, '"last"']);
    });

    promise(open, "does not replace a job that continued as new and was not claimed yet", async (rig) => {
      const first = await rig.running(REPLACE);
      await rig.settle(first, { type: "continued", payload: '"more"' });
      assert.equal(wayOf(await rig.offer({ ...REPLACE, payload: '"next"' })), "follows");
      assert.equal((await rig.claimOne()).payload, '"more"');
    });

    promise(open, "waits for a job that takes the key over while it runs", async (rig) => {
      const job = await rig.running({});
      assert.equal(await rig.store.acquireUnique(job.lease, "u"), "taken");
      const follower = await rig.offer(REPLACE);
      assert.equal(wayOf(follower), "follows");
      await rig.complete(job);
      assert.deepEqual([(await rig.claimOne()).lease.jobId], follower.type === "accepted" && follower.jobIds);
    });

    promise(open, "is replaced by a job that the end of its leader submits", async (rig) => {
      const leader = await rig.running(REPLACE);
      const follower = await rig.submit({ ...REPLACE, payload: '"next"' });
      const jobs: NewJob[] = [{ kind: "mail", payload: '"last"', ...REPLACE }];
      const settled = await rig.store.settle(leader.lease, { type: "completed", output: "null" }, { jobs });
      assert.deepEqual(settled.written === "written" && settled.jobIds, [follower]);
      const job = await rig.claimOne();
      assert.deepEqual([job.lease.jobId, job.payload], [follower, '"last"']);
    });

    promise(open, "keeps the key from a job that the end of its leader submits", async (rig) => {
      const leader = await rig.running(REPLACE);
      await rig.submit({ ...REPLACE, delayMs: 1_000 });
      const jobs: NewJob[] = [{ kind: "mail", payload: "{}", uniqueKey: "u" }];
      const settled = await rig.store.settle(leader.lease, { type: "completed", output: "null" }, { jobs });
      assert.equal(settled.written, "refused");
      await rig.complete(leader);
    });

    promise(
      open,
      "has the key of a job that a submission at its end wants to replace, once that is free",
      async (rig) => {
        const leader = await rig.running(REPLACE);
        const jobs: NewJob[] = [{ kind: "mail", payload: '"again"', ...REPLACE }];
        const settled = await rig.store.settle(leader.lease, { type: "completed", output: "null" }, { jobs });
        assert.ok(settled.written === "written");
        const job = await rig.claimOne();
        assert.deepEqual([[job.lease.jobId], job.payload], [settled.jobIds, '"again"']);
      },
    );

    promise(open, "starts in another process, which hears of it", async (rig) => {
      const other = await rig.another();
      const leader = await rig.running(REPLACE, other);
      const follower = await rig.submit(REPLACE);
      await rig.complete(leader, "null", other);
      assert.equal((await rig.claimOne()).lease.jobId, follower);
    });
  });
}

function wayOf(answer: SubmitAnswer): string {
  assert.ok(answer.type !== "refused", JSON.stringify(answer));
  return answer.ways?.[0] ?? (answer.joined?.includes(0) ? "joined" : "new");
}

async function ids(rig: Rig, waitsFor: string): Promise<string[]> {
  return (await rig.store.list({ waitsFor, limit: 10 })).map(({ id }) => id);
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
