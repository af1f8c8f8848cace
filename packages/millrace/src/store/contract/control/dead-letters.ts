import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Failure } from "../../../job/failure.ts";
import type { Store } from "../../store.ts";
import type { JobFilter } from "../../verbs/job-filter.ts";
import { failureOf, type JobSpec, MAIL, type OpenData, promise, type Rig } from "../rig.ts";

export function describeDeadLetters(open: OpenData): void {
  describe("dead letters", () => {
    promise(
      open,
      "are not made of failures whose code the kind counts as one of the input",
      async (rig) => {
        const timedOut = await rig.running();
        await rig.fail(timedOut, { code: "timed-out", permanent: true });
        const late = await rig.submit({ expiresInMs: 10 });
        rig.clock.advance(20);
        await rig.store.beat();
        const broken = await rig.running();
        await rig.fail(broken, { code: "broken", permanent: true });
        const standings = [timedOut.lease.jobId, late, broken.lease.jobId].map((jobId) => rig.standing(jobId));
        assert.deepEqual(await Promise.all(standings), ["rejected", "rejected", "failed"]);
        const { jobs } = await rig.store.deadLetters({}, { limit: 10, offset: 0 });
        assert.deepEqual(
          jobs.map(({ id }) => id),
          [broken.lease.jobId],
        );
      },
      { plans: [{ ...MAIL, retention: { ...MAIL.retention, inputFailures: ["timed-out", "backpressure"] } }] },
    );

    promise(open, "are listed newest failure first, in pages, with how many there are", async (rig) => {
      const { store, clock } = rig;
      const early = await rig.running();
      clock.advance(1_000);
      const b = await dead(rig);
      clock.advance(1_000);
      await store.settle(early.lease, { type: "failed", failure: { code: "c", message: "m", permanent: true } });
      clock.advance(1_000);
      const c = await dead(rig);
      await rig.submit();
      assert.deepEqual(await listed(store, {}, { limit: 2, offset: 0 }), { ids: [c, early.lease.jobId], total: 3 });
      assert.deepEqual(await listed(store, {}, { limit: 2, offset: 2 }), { ids: [b], total: 3 });
    });

    promise(open, "leave out failures of the input, revived ones and what has not failed", async (rig) => {
      const { store } = rig;
      await dead(rig, {}, { input: true });
      const revived = await dead(rig);
      await store.revive(revived, { from: "start" });
      assert.deepEqual(await listed(store, {}), { ids: [], total: 0 });
      assert.deepEqual(await listed(store, { standings: ["ready"] }), { ids: [], total: 0 });
    });

    promise(open, "are found by every filter, the failure's own among them", async (rig) => {
      const { store } = rig;
      const a = await dead(
        rig,
        { tenant: "a", tags: ["x"], payload: '"needle"' },
        { code: "timed-out", message: "Too slow." },
      );
      const b = await dead(rig, { tenant: "b", kind: "report" }, { message: "Not found." });
      const cases: [JobFilter, string[]][] = [
        [{ tenant: "a" }, [a]],
        [{ kind: "report" }, [b]],
        [{ stage: "fetch" }, [b]],
        [{ tag: "x" }, [a]],
        [{ search: "needle" }, [a]],
        [{ search: "Not found" }, [b]],
        [{ failureCode: "timed-out" }, [a]],
        [{ failureCode: "timed" }, []],
        [{ failureMessage: "Not found." }, [b]],
        [{ failureMessage: "Not found" }, []],
        [{ ids: [a, "job_00000000", "nonsense"] }, [a]],
        [{ ids: [] }, []],
      ];
      for (const [filter, ids] of cases) {
        assert.deepEqual(await listed(store, filter), { ids, total: ids.length }, JSON.stringify(filter));
        assert.deepEqual(await store.listIds({ ...filter, standings: ["failed"] }, 10), ids, JSON.stringify(filter));
      }
    });

    promise(open, "are grouped by kind, stage and failure, the most frequent first", async (rig) => {
      const { store, clock } = rig;
      const startAt = clock.now();
      await dead(rig, {}, { message: "Rare." });
      await dead(rig, { tenant: "other" }, { message: "Often." });
      clock.advance(5_000);
      const last = await dead(rig, {}, { message: "Often." });
      clock.advance(5_000);
      const report = await dead(rig, { kind: "report" }, { message: "Often." });
      const often = { kind: "mail", stage: "running", code: "broken", message: "Often." };
      const groups = await store.deadLetterGroups({});
      assert.deepEqual(groups[0], { ...often, count: 2, firstAt: startAt, lastAt: startAt + 5_000, sample: last });
      assert.deepEqual(
        groups
          .slice(1)
          .map(({ kind, stage, message, count, sample }) => [kind, stage, message, count, sample === report]),
        [
          ["report", "fetch", "Often.", 1, true],
          ["mail", "running", "Rare.", 1, false],
        ],
      );
      assert.equal((await store.deadLetterGroups({ tenant: "other" }))[0]?.count, 1);
      assert.deepEqual(await store.deadLetterGroups({ tenant: "nobody" }), []);
    });

    promise(open, "are counted by cause, whatever ids, numbers and quoted values their messages have", async (rig) => {
      const { store, clock } = rig;
      const startAt = clock.now();
      for (let i = 0; i < 120; i++) await dead(rig, {}, { message: `Order ORD-${1_000 + (i % 60)}: no stock left` });
      clock.advance(5_000);
      const last = await dead(rig, { tenant: "other" }, { message: 'Order "X": no stock left' });
      const report = await dead(rig, { kind: "report" }, { message: "Order ORD-1: no stock left" });
      for (let i = 0; i < 110; i++)
        await dead(rig, {}, { message: `Fault ${"abcdefghijk"[i % 11]}${"lmnopqrstu"[i % 10]}.` });
      const causes = await store.deadLetterCauses({});
      assert.equal(causes.length, 113, "all causes, not the first hundred");
      const ofStock = causes.filter(({ pattern }) => pattern.includes("stock")).sort((a, b) => b.count - a.count);
      const facts = ofStock.map(({ kind, stage, code, pattern, count, variants, firstAt, lastAt, sample }) => {
        return [`${kind}/${stage}`, code, pattern, count, variants, firstAt, lastAt, sample];
      });
      assert.deepEqual(facts[0]?.slice(0, 7), [
        "mail/running",
        "broken",
        "Order <id>: no stock left",
        120,
        60,
        startAt,
        startAt,
      ]);
      assert.deepEqual(
        facts.slice(1).sort(),
        [
          ["mail/running", "broken", "Order <value>: no stock left", 1, 1, startAt + 5_000, startAt + 5_000, last],
          ["report/fetch", "broken", "Order <id>: no stock left", 1, 1, startAt + 5_000, startAt + 5_000, report],
        ].sort(),
      );
      const [stock] = ofStock;
      const fingerprint = stock?.fingerprint as string;
      assert.equal(stock?.message, "Order ORD-1059: no stock left");
      assert.deepEqual(await store.deadLetterCauses({ fingerprint }), [stock], "a filter counts alike");
      assert.deepEqual(
        (await store.deadLetterCauses({ tenant: "other" })).map(({ count, sample }) => [count, sample]),
        [[1, last]],
      );
      assert.equal(await store.count({ fingerprint }), 120);
      assert.equal((await store.listIds({ fingerprint, standings: ["failed"] }, 1_000)).length, 120);
      assert.deepEqual(await listed(store, { fingerprint: "nonsense" }), { ids: [], total: 0 });
      const [job] = await store.find([report]);
      assert.equal(job?.fingerprint, ofStock.find(({ kind }) => kind === "report")?.fingerprint);
    });

    promise(open, "have a cause only as long as they are dead letters", async (rig) => {
      const { store } = rig;
      const [revived, input] = [await dead(rig), await dead(rig, {}, { input: true })];
      const retried = await rig.running();
      await store.revive(revived, { from: "start" });
      assert.deepEqual(await store.deadLetterCauses({}), []);
      await rig.fail(retried, { message: "Try again." });
      const fingerprints = (await store.find([input, retried.lease.jobId])).map(({ fingerprint }) => fingerprint);
      assert.deepEqual(fingerprints, [undefined, undefined]);
      assert.equal(await store.markCauses({ limit: 10 }), 0);
    });

    promise(open, "of an older process are counted alike, and get their causes in batches", async (rig) => {
      const { store } = rig;
      for (let i = 0; i < 5; i++) await dead(rig, {}, { message: `Order ${i}: no stock left` });
      await dead(rig, {}, { message: "No paint." });
      const all = async () => (await store.deadLetterCauses({})).sort((a, b) => b.count - a.count);
      const marked = await all();
      for (const earlier of [undefined, "0-0123456789abcdef-01234567", "2-0123456789abcdef-01234567"]) {
        await rig.data.forgetCauses(earlier);
        assert.deepEqual(await all(), marked);
        assert.deepEqual((await store.deadLetterCauses({ kind: "mail" })).length, 2);
        assert.deepEqual([await store.markCauses({ limit: 4 }), await store.markCauses({ limit: 4 })], [4, 2]);
        assert.equal(await store.markCauses({ limit: 4 }), 0);
        assert.deepEqual(await all(), marked);
        assert.equal(await store.count({ fingerprint: marked[0]?.fingerprint as string }), 5);
      }
    });

    promise(open, "come in a hundred groups at most", async (rig) => {
      const { store } = rig;
      for (let i = 0; i < 105; i++) await dead(rig, {}, { message: `Line ${i}` });
      assert.equal((await store.deadLetterGroups({})).length, 100);
    });

    promise(open, "are revived at a set pace by delays: scheduled, then ready in turn", async (rig) => {
      const { store, clock } = rig;
      const ids = [await dead(rig), await dead(rig)];
      const revived: string[] = [];
      for (const [i, id] of ids.entries()) {
        const answer = await store.revive(id, { from: "failed-stage", delayMs: i * 1_000 });
        assert.ok(typeof answer === "object" && "revived" in answer);
        revived.push(answer.revived);
      }
      const standings = async () => (await store.find(revived)).map((job) => job.standing);
      assert.deepEqual(await standings(), ["ready", "scheduled"]);
      assert.equal((await store.find([revived[1] as string]))[0]?.runAt, clock.now() + 1_000);
      clock.advance(1_000);
      const { jobs } = await store.claim({ kind: "mail", stage: "running", slots: [0, 1], suspects: 0 });
      assert.deepEqual(
        jobs.map((job) => job.lease.jobId),
        revived,
      );
    });
  });

  describe("acts on many", () => {
    promise(open, "get the matching ids oldest first, no more than asked for", async (rig) => {
      const { store } = rig;
      const ids = [
        await rig.submit({ tenant: "a" }),
        await rig.submit({ tenant: "b" }),
        await rig.submit({ tenant: "a" }),
      ];
      assert.deepEqual(await store.listIds({}, 10), ids);
      assert.deepEqual(await store.listIds({}, 2), ids.slice(0, 2));
      assert.deepEqual(await store.listIds({ tenant: "a", standings: ["ready"] }, 10), [ids[0], ids[2]]);
      assert.deepEqual(await store.listIds({ ids: [ids[1] as string], tenant: "a" }, 10), []);
    });
  });

  describe("a search", () => {
    promise(open, "looks into payloads and results too large for the row", async (rig) => {
      const { store } = rig;
      const filler = "x".repeat(5_000);
      const payload = await rig.submit({ payload: JSON.stringify(`${filler}hay-1`) });
      const done = await rig.running({ priority: -1 });
      await store.settle(done.lease, { type: "completed", result: JSON.stringify(`${filler}hay-2`) });
      const found = async (search: string) => (await store.list({ search })).map((job) => job.id);
      assert.deepEqual(await found("hay-1"), [payload]);
      assert.deepEqual(await found("hay-2"), [done.lease.jobId]);
      assert.deepEqual(await found("hay-3"), []);
      assert.equal(await store.count({ search: "hay-" }), 2);
    });

    promise(open, "takes a job's id, for its own tenant alone", async (rig) => {
      const { store } = rig;
      const id = await rig.submit({ tenant: "a" });
      await rig.submit({ tenant: "b" });
      assert.deepEqual(
        (await store.list({ search: id })).map((job) => job.id),
        [id],
      );
      assert.deepEqual(await store.list({ search: id, tenant: "b" }), []);
    });
  });
}

async function listed(store: Store, filter: JobFilter, page = { limit: 50, offset: 0 }) {
  const { jobs, total } = await store.deadLetters(filter, page);
  return { ids: jobs.map((job) => job.id), total };
}

/** Submits, claims and fails for good. */
async function dead(rig: Rig, job: JobSpec = {}, failure: Partial<Failure> = {}): Promise<string> {
  const running = await rig.running({ priority: -1, ...job });
  await rig.fail(running, failureOf({ permanent: true, ...failure }));
  return running.lease.jobId;
}
