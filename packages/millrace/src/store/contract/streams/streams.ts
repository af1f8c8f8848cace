import assert from "node:assert/strict";
import { describe } from "node:test";
import { HOUR_MS, type OpenData, promise } from "../rig.ts";
import { sleepFor } from "../waits/support.ts";
import { append, chunks, entries, ofStep, shown } from "./support.ts";

const SECOND_MS = 1_000;

export function describeStreams(open: OpenData): void {
  describe("a stream", () => {
    promise(open, "has chunks with growing numbers, and ends with the state of its job", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      assert.deepEqual(await entries(rig, jobId, "answer"), [], "nothing is written yet");
      await append(rig, job, chunks("answer", "a", { b: 2 }), chunks("log", "x"));
      await append(rig, job, chunks("answer", null));
      assert.deepEqual(await entries(rig, jobId, "answer"), ['1 "a"', '2 {"b":2}', "3 null"]);
      assert.deepEqual(await entries(rig, jobId, "answer", 1), ['2 {"b":2}', "3 null"]);
      await rig.complete(job);
      assert.deepEqual(await entries(rig, jobId, "answer", 2), ["3 null", "end completed"]);
      assert.deepEqual(await entries(rig, jobId, "log"), ['1 "x"', "end completed"]);
      const streams = await rig.store.streams(jobId);
      assert.deepEqual(
        streams.map(({ name, last }) => [name, last]),
        [
          ["answer", 3],
          ["log", 1],
        ],
      );
      assert.equal(await rig.store.readStream("job_00000000", "answer", 0), undefined);
    });

    promise(open, "takes nothing from an attempt that lost its lease, and a repeated write once", async (rig) => {
      const job = await rig.running();
      const write = { writer: "me", seq: 1, parts: [chunks("answer", "a")] };
      assert.equal(await rig.store.appendStreams(job.lease, write), "written");
      assert.equal(await rig.store.appendStreams(job.lease, write), "written");
      await rig.store.appendStreams(job.lease, { ...write, seq: 2, parts: [chunks("answer", "b")] });
      assert.deepEqual(await entries(rig, job.lease.jobId, "answer"), ['1 "a"', '2 "b"']);
      await rig.fail(job);
      const late = { ...write, seq: 3, parts: [chunks("answer", "late")] };
      assert.equal(await rig.store.appendStreams(job.lease, late), "lease-lost");
      assert.equal(await rig.store.openStreams(job.lease), "lease-lost");
    });

    promise(open, "starts again after a failure, in the commit that ends the attempt", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      await append(rig, job, chunks("answer", "half", "done"));
      await rig.fail(job);
      assert.deepEqual(await entries(rig, jobId, "answer"), ["3 restart 0"], "what was taken back is gone");
      rig.clock.advance(HOUR_MS / 2);
      const again = await rig.claimOne();
      assert.equal(again.workflow?.hasStreams, true);
      assert.deepEqual(await rig.store.openStreams(again.lease), [{ name: "answer", outside: 0, hidden: [] }]);
      await append(rig, again, chunks("answer", "whole"));
      await rig.complete(again);
      assert.deepEqual(await entries(rig, jobId, "answer"), ["3 restart 0", '4 "whole"', "end completed"]);
      assert.deepEqual(await entries(rig, jobId, "answer", 1), ["3 restart 0", '4 "whole"', "end completed"]);
    });

    promise(open, "starts again after the death of its process, and after a hand-over", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      await append(rig, job, chunks("answer", "a"));
      await rig.crash(job);
      assert.deepEqual(await entries(rig, jobId, "answer"), ["2 restart 0"]);
      const again = await rig.claimOne();
      await append(rig, again, chunks("answer", "b"));
      await rig.settle(again, { type: "released" });
      assert.deepEqual(await entries(rig, jobId, "answer"), ["2 restart 0", "4 restart 0"]);
    });

    promise(open, "keeps the chunks of stored steps over a failure", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      await append(rig, job, ofStep("turn 1", "answer", "one"), ofStep("turn 2", "answer", "tw"));
      await rig.store.saveStep(job.lease, "turn 1", "1");
      await rig.fail(job);
      assert.deepEqual(await entries(rig, jobId, "answer"), ['1 "one"', "3 restart 1"]);
      rig.clock.advance(HOUR_MS / 2);
      const again = await rig.claimOne();
      assert.deepEqual(await rig.store.openStreams(again.lease), [{ name: "answer", outside: 0, hidden: [] }]);
      await append(rig, again, ofStep("turn 2", "answer", "two"));
      assert.deepEqual(await shown(rig, jobId, "answer"), ["one", "two"]);
    });

    promise(
      open,
      "shows a stored step again where the code comes to it, if something before it is written anew",
      async (rig) => {
        const job = await rig.running();
        const { jobId } = job.lease;
        const open = async (lease: typeof job.lease) => {
          const streams = await rig.store.openStreams(lease);
          assert.ok(streams !== "lease-lost");
          return streams;
        };
        await append(rig, job, chunks("answer", "title"), ofStep("turn 1", "answer", "o", "ne"), chunks("answer", "x"));
        await rig.store.saveStep(job.lease, "turn 1", "1");
        await rig.fail(job);
        assert.deepEqual(await shown(rig, jobId, "answer"), []);
        rig.clock.advance(HOUR_MS / 2);
        const second = await rig.claimOne();
        assert.deepEqual(await open(second.lease), [{ name: "answer", outside: 0, hidden: ["turn 1"] }]);
        // It fails before it comes there: readers have nothing to take back.
        const before = await entries(rig, jobId, "answer");
        await rig.fail(second);
        assert.deepEqual(await entries(rig, jobId, "answer"), before);
        rig.clock.advance(HOUR_MS / 2);
        const third = await rig.claimOne();
        await append(rig, third, chunks("answer", "Title"), { stream: "answer", show: "turn 1" });
        assert.deepEqual(await open(third.lease), [{ name: "answer", outside: 1, hidden: [] }]);
        assert.deepEqual(await shown(rig, jobId, "answer"), ["Title", "o", "ne"]);
        await append(rig, third, chunks("answer", "end"));
        await rig.complete(third);
        assert.deepEqual(await shown(rig, jobId, "answer"), ["Title", "o", "ne", "end"]);
      },
    );

    promise(open, "goes on after a wait, which repeats nothing", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      await append(rig, job, chunks("answer", "a", "b"), ofStep("s", "answer", "c"));
      await rig.settle(job, { type: "waiting", waits: [sleepFor(SECOND_MS)] });
      rig.clock.advance(SECOND_MS);
      const again = await rig.claimOne();
      assert.deepEqual(await rig.store.openStreams(again.lease), [{ name: "answer", outside: 2, hidden: [] }]);
      await append(rig, again, chunks("answer", "d"));
      assert.deepEqual(await entries(rig, jobId, "answer"), ['1 "a"', '2 "b"', '3 "c"', '4 "d"']);
    });

    promise(open, "keeps what earlier stages wrote when a later one fails", async (rig) => {
      const first = await rig.running({ kind: "report" });
      const { jobId } = first.lease;
      await append(rig, first, chunks("answer", "fetched"));
      await rig.complete(first);
      const second = await rig.claimOne({ kind: "report", stage: "form" });
      assert.deepEqual(await rig.store.openStreams(second.lease), [{ name: "answer", outside: 0, hidden: [] }]);
      await append(rig, second, chunks("answer", "half"));
      await rig.fail(second);
      assert.deepEqual(await entries(rig, jobId, "answer"), ['1 "fetched"', "3 restart 1"]);
    });

    promise(
      open,
      "keeps its chunks when its job fails for good, and a revived job takes the stored ones along",
      async (rig) => {
        const job = await rig.running();
        const { jobId } = job.lease;
        await append(rig, job, ofStep("turn 1", "answer", "one"), chunks("answer", "half"));
        await rig.store.saveStep(job.lease, "turn 1", "1");
        await rig.fail(job, { permanent: true });
        assert.deepEqual(await entries(rig, jobId, "answer"), ['1 "one"', '2 "half"', "end failed"]);
        const revived = await rig.store.revive(jobId, { from: "failed-stage" });
        assert.ok(typeof revived === "object" && "revived" in revived);
        assert.deepEqual(await entries(rig, revived.revived, "answer"), ['1 "one"', "3 restart 1"]);
        const fresh = await rig.claimOne();
        await append(rig, fresh, chunks("answer", "two"));
        assert.deepEqual(await shown(rig, revived.revived, "answer"), ["one", "two"]);
      },
    );

    promise(
      open,
      "has a bound for each job and each tenant, and says so",
      async (rig) => {
        const job = await rig.running();
        assert.equal(await append(rig, job, chunks("answer", "0123456789")), "written");
        const refused = await append(rig, job, chunks("answer", "x".repeat(90)));
        assert.deepEqual(refused, { refused: "The streams of a job hold at most 100 bytes." });
        const other = await rig.running();
        assert.equal(await append(rig, other, chunks("answer", "x".repeat(80))), "written");
        rig.clock.advance(11_000);
        const third = await rig.running();
        assert.deepEqual(await append(rig, third, chunks("answer", "x".repeat(80))), {
          refused: "The streams of a tenant hold at most 150 bytes.",
        });
        const stranger = await rig.running({ tenant: "other" });
        assert.equal(await append(rig, stranger, chunks("answer", "x".repeat(80))), "written");
        const names = Array.from({ length: 33 }, (_, i) => chunks(`s${i}`, 1));
        assert.deepEqual(await append(rig, stranger, ...names.slice(0, 33)), {
          refused: "A job has at most 32 streams.",
        });
      },
      { limits: { maxStreamBytesPerJob: 100, maxStreamBytesPerTenant: 150 }, leaseMs: 60_000 },
    );

    promise(open, "is read in pages, however long it is", async (rig) => {
      const job = await rig.running();
      const many = Array.from({ length: 30 }, (_, i) => `${i} ${"x".repeat(30_000)}`);
      await append(rig, job, chunks("answer", ...many));
      const page = await rig.store.readStream(job.lease.jobId, "answer", 0);
      assert.ok(page && page.entries.length < 30);
      assert.deepEqual(await shown(rig, job.lease.jobId, "answer"), many);
    });

    promise(open, "leaves with its job", async (rig) => {
      const job = await rig.running();
      await append(rig, job, chunks("answer", "a"));
      await rig.complete(job);
      rig.clock.advance(HOUR_MS + 1);
      await rig.store.prune({ limit: 10 });
      assert.deepEqual(await rig.store.streams(job.lease.jobId), []);
      const forgotten = await rig.running();
      await append(rig, forgotten, chunks("answer", "a"));
      await rig.complete(forgotten);
      assert.deepEqual(await rig.store.forget([forgotten.lease.jobId]), ["done"]);
      assert.deepEqual(await rig.store.streams(forgotten.lease.jobId), []);
    });

    promise(open, "is part of a backup", async (rig) => {
      const job = await rig.running();
      await append(rig, job, chunks("answer", "a"));
      const { path, open: openCopy } = rig.data.backup();
      await rig.store.backup(path);
      const copy = await openCopy(rig.instanceOptions());
      try {
        assert.equal((await copy.readStream(job.lease.jobId, "answer", 0))?.entries.length, 1);
      } finally {
        await copy.close();
      }
    });

    promise(open, "shows in the pulse of its job, like progress, log lines, steps and signals", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      const seen = new Set<string>();
      const pulse = async () => {
        const [found] = await rig.store.pulses([jobId, "job_00000000"]);
        const version = JSON.stringify(found);
        assert.ok(found && !seen.has(version), "it has changed");
        seen.add(version);
        const [same] = await rig.store.pulses([jobId]);
        assert.deepEqual(same, found);
      };
      await pulse();
      await append(rig, job, chunks("answer", "a"));
      await pulse();
      await rig.store.note(job.lease, { progress: { value: 0.5 } });
      await pulse();
      await rig.store.note(job.lease, { logs: [{ at: 1, level: "info", message: "hello" }] });
      await pulse();
      await rig.store.saveStep(job.lease, "s", "1");
      await pulse();
      const now = rig.clock.now();
      assert.deepEqual(await rig.store.savedSteps(jobId, now), [{ stage: "running", name: "s", savedAt: now }]);
      assert.deepEqual(await rig.store.savedSteps(jobId, now + 1), []);
      await rig.store.signal({ target: { jobId }, name: "go", value: "1" });
      await pulse();
      await rig.complete(job);
      await pulse();
    });
  });
}
