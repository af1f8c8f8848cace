// Why a job does not run: every reason, on the store that is given.

import assert from "node:assert/strict";
import { describe } from "node:test";
import { explain } from "../../../packages/millrace/src/engine/look/explain.ts";
import type { Explanation } from "../../../packages/millrace/src/job/report/explanation.ts";
import type { NewWait } from "../../../packages/millrace/src/job/wait.ts";
import {
  MAIL,
  type OpenData,
  planOf,
  promise,
  REPORT,
  type Rig,
} from "../../../packages/millrace/src/store/contract/rig.ts";

async function explained(rig: Rig, jobId: string, by = rig.store): Promise<Explanation> {
  const facts = await by.circumstances(jobId);
  assert.ok(facts, "the job is there");
  return explain(facts);
}

async function codes(rig: Rig, jobId: string, by = rig.store): Promise<string[]> {
  return (await explained(rig, jobId, by)).reasons.map(({ code }) => code);
}

async function first(rig: Rig, jobId: string) {
  const { reasons, next } = await explained(rig, jobId);
  return { ...reasons[0], next };
}

const later = (rig: Rig, ms: number) => new Date(rig.clock.now() + ms).toISOString();

export function describeExplain(name: string, open: OpenData): void {
  describe(`why a job does not run, on ${name}`, () => {
    promise(open, "an unknown job has no circumstances", async (rig) => {
      assert.equal(await rig.store.circumstances("job_0000000000"), undefined);
      assert.equal(await rig.store.circumstances("nonsense"), undefined);
    });

    promise(open, "a job that can run at once says so", async (rig) => {
      const jobId = await rig.submit();
      assert.deepEqual(await explained(rig, jobId), {
        jobId,
        state: "pending",
        reasons: [{ code: "ready", message: "The job is ready. A worker claims it within a second." }],
      });
    });

    promise(open, "a running job says since when, where and in which attempt", async (rig) => {
      const job = await rig.running();
      const { state, reasons } = await explained(rig, job.lease.jobId);
      assert.equal(state, "running");
      assert.partialDeepStrictEqual(reasons, [
        { code: "running", details: { stage: "running", attempt: 1, startedAt: later(rig, 0) } },
      ]);
      assert.match(String(reasons[0]?.details?.["processor"]), /#0$/);
      assert.match(
        reasons[0]?.message ?? "",
        /^The job has been running since .* \(stage "running", attempt 1 of 3\)\.$/,
      );
    });

    promise(open, "a job whose process stopped renewing its lease says that it waits to be taken back", async (rig) => {
      await rig.submit();
      const [jobId = ""] = await rig.claimIds(1, {}, await rig.another());
      assert.deepEqual(await codes(rig, jobId), ["running"]);
      rig.clock.advance(rig.leaseMs + 1);
      assert.equal((await first(rig, jobId)).code, "lease-expired");
    });

    promise(open, "a finished job says how it ended, and how to submit its work again", async (rig) => {
      const done = await rig.running();
      await rig.complete(done);
      assert.match((await first(rig, done.lease.jobId)).message ?? "", /^The job completed at 20.*Z\.$/);
      const dead = await rig.running();
      await rig.kill(dead);
      const failed = await first(rig, dead.lease.jobId);
      assert.deepEqual([failed.code, failed.details], ["failed", { failure: "broken" }]);
      assert.match(failed.message ?? "", /: It broke\.$/);
      assert.equal(failed.next, `Submit its work again: millrace jobs retry ${dead.lease.jobId}`);
      const cancelled = await rig.submit();
      await rig.store.cancel([cancelled], "Not needed");
      assert.match((await first(rig, cancelled)).message ?? "", /^The job was cancelled at .*: Not needed\.$/);
      const revived = await rig.store.revive(dead.lease.jobId, { from: "start" });
      assert.ok(typeof revived === "object" && "revived" in revived);
      assert.equal((await first(rig, dead.lease.jobId)).next, `Job ${revived.revived} continues its work.`);
    });

    promise(open, "a job that waits says for what, since when, and what to do", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      const since = later(rig, 0);
      const waits: NewWait[] = [
        { type: "signal", name: "paid#2", timeoutMs: 60_000 },
        { type: "sleep", name: "limit", timeoutMs: 90_000 },
      ];
      await rig.settle(job, { type: "waiting", waits });
      const { reasons, next } = await explained(rig, jobId);
      assert.deepEqual(reasons, [
        {
          code: "waiting",
          message:
            `The job has been waiting for the signal "paid" since ${since}. It gives up at ${later(rig, 60_000)}. ` +
            `The job has been sleeping ("limit") since ${since}. It wakes at ${later(rig, 90_000)}. Any one of them wakes the job.`,
          until: later(rig, 60_000),
          details: { jobId, waits: 2, types: "signal, sleep" },
        },
      ]);
      assert.equal(next, `Send the signal: millrace jobs signal ${jobId} paid`);
    });

    promise(open, "a held job says what it is held for, until when, and how to release it", async (rig) => {
      const job = await rig.running();
      await rig.settle(job, { type: "held", reason: "needs approval", timeoutMs: 60_000 });
      const { jobId } = job.lease;
      assert.deepEqual(await first(rig, jobId), {
        code: "held",
        message: `The job is held: needs approval. It fails at ${later(rig, 60_000)} unless it is released.`,
        until: later(rig, 60_000),
        next: `Release the job: millrace jobs release ${jobId}`,
      });
      await rig.store.setPaused("mail", true);
      assert.deepEqual(await codes(rig, jobId), ["held", "paused"]);
      await rig.store.setPaused("mail", false);
      await rig.store.release(jobId);
      assert.deepEqual(await codes(rig, jobId), ["ready"]);
    });

    promise(open, "a job of a paused kind says so first, before its place in the queue", async (rig) => {
      await rig.submit();
      const jobId = await rig.submit();
      await rig.store.setPaused("mail", true);
      assert.deepEqual(await codes(rig, jobId), ["paused", "queued"]);
      assert.equal((await first(rig, jobId)).next, "Resume the kind: millrace resume mail");
    });

    promise(
      open,
      "a job that waits for a worker says whether none ever was, none lives, or all are stopping",
      async (rig) => {
        const web = await rig.another();
        await web.register([planOf("letter", [])], { work: false });
        const jobId = await rig.submit({ kind: "letter" }, web);
        assert.deepEqual((await first(rig, jobId)).message, 'Kind "letter" has never had a worker.');
        const worker = await rig.worker(planOf("letter", ["print"]));
        assert.deepEqual(await codes(rig, jobId), ["ready"]);
        await worker.drain();
        assert.match(
          (await first(rig, jobId)).message ?? "",
          /^No living worker.* 1 worker that served it is stopping\.$/,
        );
        await worker.close();
        assert.deepEqual(await explained(rig, jobId), {
          jobId,
          state: "pending",
          reasons: [
            {
              code: "no-worker",
              message: 'No living worker serves stage "print" of kind "letter".',
              details: { kind: "letter", stage: "print" },
            },
          ],
          next: "Start a process that has this kind with this stage: millrace work --load <file>, or Millrace.open().",
        });
      },
    );

    promise(open, "a job at a stage that newer workers have renamed is served by them", async (rig) => {
      const old = await rig.worker(planOf("letter", ["print"]), "v1");
      const jobId = await rig.submit({ kind: "letter" }, old);
      await old.close();
      assert.deepEqual(await codes(rig, jobId), ["no-worker"]);
      const renamed = planOf("letter", ["press"]);
      for (const stage of renamed.stages) stage.renamedFrom = ["print"];
      await rig.worker(renamed, "v2");
      assert.deepEqual(await codes(rig, jobId), ["ready"]);
    });

    promise(open, "a pinned job names its deployment, and how to give it to another", async (rig) => {
      const pinned = planOf("letter", ["print"], { pinned: true });
      const old = await rig.worker(pinned, "v1");
      const jobId = await rig.submit({ kind: "letter" }, old);
      await rig.worker(planOf("letter", ["print", "post"], { pinned: true }), "v2");
      assert.deepEqual(await codes(rig, jobId), ["ready"]);
      await old.close();
      const { code, message, next, details } = await first(rig, jobId);
      assert.deepEqual(
        [code, message, details],
        ["pinned", 'The job is pinned to deployment "v1", which has no living worker.', { deployment: "v1" }],
      );
      assert.match(next ?? "", /millrace deployments unpin v1$/);
      assert.equal(await rig.store.unpin("v1"), "done");
      // The plan of the newest deployment has the same first stage, and its worker takes the job.
      assert.deepEqual(await codes(rig, jobId), ["ready"]);
    });

    promise(open, "a job whose plan needs a newer engine says which level", async (rig) => {
      const jobId = await rig.submit();
      await rig.data.raiseNeeds("mail");
      const { code, details } = await first(rig, jobId);
      assert.equal(code, "plan-too-new");
      assert.ok(Number(details?.["needs"]) > Number(details?.["level"]));
    });

    promise(open, "a delayed job says until when, and counts as waiting once that has come", async (rig) => {
      const jobId = await rig.submit({ delayMs: 60_000 });
      assert.deepEqual(await first(rig, jobId), {
        code: "delayed",
        message: `The job is scheduled for ${later(rig, 60_000)}.`,
        until: later(rig, 60_000),
        next: undefined,
      });
      rig.clock.advance(60_000);
      await rig.store.beat();
      assert.deepEqual(await codes(rig, jobId), ["ready"]);
    });

    promise(open, "a job that is retried says which attempt failed and when the next one starts", async (rig) => {
      const job = await rig.running();
      await rig.fail(job, { message: "Mail server away" });
      const { code, message, until, details } = await first(rig, job.lease.jobId);
      assert.deepEqual([code, details], ["retrying", { attempt: 1, maxAttempts: 3, failure: "broken" }]);
      assert.equal(message, `Attempt 1 of 3 failed: Mail server away. The next attempt starts at ${until}.`);
      assert.equal(Date.parse(until ?? ""), (await rig.find(job.lease.jobId)).runAt);
    });

    promise(open, "a deferred job gives the reason of its processor, though an attempt failed before", async (rig) => {
      const job = await rig.running();
      const { jobId } = job.lease;
      await rig.fail(job);
      rig.clock.advance(300_000);
      await rig.settle(await rig.claimOne(), { type: "deferred", delayMs: 5_000, reason: "the bank is closed" });
      assert.deepEqual(await first(rig, jobId), {
        code: "deferred",
        message: `The processor deferred the job until ${later(rig, 5_000)}: the bank is closed.`,
        until: later(rig, 5_000),
        next: undefined,
      });
      assert.equal((await rig.find(jobId)).heldFor, undefined);
      rig.clock.advance(5_000);
      await rig.settle(await rig.claimOne(), { type: "deferred", delayMs: 5_000 });
      assert.equal((await first(rig, jobId)).message, `The processor deferred the job until ${later(rig, 5_000)}.`);
    });

    promise(open, "a job that waits for a limiter names it", async (rig) => {
      await rig.store.setLimiters([{ name: "bank", count: 1, perMs: 10_000 }]);
      const job = await rig.running();
      assert.equal(await rig.store.take(job.lease, "bank", 1), "taken");
      const taken = await rig.store.take(job.lease, "bank", 1);
      assert.ok(typeof taken === "object");
      await rig.settle(job, { type: "deferred", runAt: taken.retryAt, reason: 'limiter "bank"' });
      const { code, details, until } = await first(rig, job.lease.jobId);
      assert.deepEqual([code, details], ["limiter", { limiter: "bank" }]);
      assert.equal(Date.parse(until ?? ""), taken.retryAt);
    });

    promise(open, "a suspect says how many processes died, and how many suspects come first", async (rig) => {
      const [one = "", two = ""] = await rig.suspects(2);
      assert.deepEqual(await codes(rig, one), ["suspect"]);
      assert.deepEqual((await first(rig, one)).details, { crashes: 2 });
      assert.deepEqual(await codes(rig, two), ["suspect", "queued"]);
    });

    promise(
      open,
      "a job in the queue counts the jobs of its tenant before it, by priority and then by time",
      async (rig) => {
        const jobs = [await rig.submit(), await rig.submit(), await rig.submit()];
        await rig.submit({ tenant: "other" });
        await rig.submit({ priority: -1 });
        const { message, details } = await first(rig, jobs[2] ?? "");
        assert.deepEqual([message, details], ['3 jobs of tenant "default" come first.', { ahead: 3 }]);
        assert.equal((await first(rig, jobs[0] ?? "")).message, '1 job of tenant "default" comes first.');
        await rig.claim(3);
        assert.deepEqual(await codes(rig, jobs[1] ?? ""), ["ready"]);
      },
    );

    promise(
      open,
      "a job of a tenant at its limit says so, by the limit that its workers told and not by the asker's own",
      async (rig) => {
        const bounded = planOf("letter", ["print"], { limits: { queueMax: 0, maxConcurrentPerTenant: 1 } });
        const worker = await rig.worker(bounded);
        const running = await rig.submit({ kind: "letter", tenant: "a" }, worker);
        const jobId = await rig.submit({ kind: "letter", tenant: "a" }, worker);
        const other = await rig.submit({ kind: "letter", tenant: "b" }, worker);
        assert.deepEqual(await rig.claimIds(1, { kind: "letter", stage: "print" }, worker), [running]);
        const { code, message, details } = await first(rig, jobId);
        assert.deepEqual([code, details], ["tenant-limit", { running: 1, limit: 1 }]);
        assert.equal(message, 'Tenant "a" runs 1 job, which is its limit.');
        assert.deepEqual(await codes(rig, other), ["ready"]);
      },
    );

    promise(open, "a job of a tenant at the limit of its own says so, whatever its workers told", async (rig) => {
      const bounded = planOf("letter", ["print"], { limits: { queueMax: 0, maxConcurrentPerTenant: 9 } });
      const worker = await rig.worker(bounded);
      await rig.store.putTenantLimits("a", { concurrency: 1, overflow: "queue" });
      const running = await rig.submit({ kind: "letter", tenant: "a" }, worker);
      const jobId = await rig.submit({ kind: "letter", tenant: "a" }, worker);
      assert.deepEqual(await rig.claimIds(1, { kind: "letter", stage: "print" }, worker), [running]);
      const { code, message, details } = await first(rig, jobId);
      assert.deepEqual([code, details], ["tenant-limit", { running: 1, limit: 1, limitOf: "tenant" }]);
      assert.equal(message, 'Tenant "a" runs 1 job, and its own limit is 1.');
      await rig.store.putTenantLimits("a", { concurrency: 0 });
      assert.deepEqual(await codes(rig, jobId), ["ready"]);
    });

    promise(open, "a job whose stage has no free processor says how many are busy", async (rig) => {
      const plan = planOf("letter", ["print"]);
      for (const stage of plan.stages) stage.processors = 2;
      const worker = await rig.worker(plan);
      for (let i = 0; i < 3; i++) await rig.submit({ kind: "letter" }, worker);
      const last = await rig.submit({ kind: "letter" }, worker);
      await rig.claim(1, { kind: "letter", stage: "print" }, worker);
      assert.deepEqual(await codes(rig, last), ["queued"]);
      await rig.claim(1, { kind: "letter", stage: "print" }, worker);
      assert.deepEqual(await codes(rig, last), ["processors-busy", "queued"]);
      const { message, details } = await first(rig, last);
      assert.equal(message, 'All processors of stage "print" are busy (2 in 1 process).');
      assert.deepEqual(details, { processors: 2 });
    });

    promise(open, "a job of a paced stage says when the next one may start", async (rig) => {
      const pace = { count: 1, perMs: 10_000 };
      const plan = planOf("letter", ["print"]);
      for (const stage of plan.stages) stage.pace = pace;
      const worker = await rig.worker(plan);
      await rig.submit({ kind: "letter" }, worker);
      const jobId = await rig.submit({ kind: "letter" }, worker);
      await rig.claim(1, { kind: "letter", stage: "print", pace }, worker);
      const startedAt = rig.clock.now();
      rig.clock.advance(4_000);
      const { code, until, details } = await first(rig, jobId);
      assert.deepEqual([code, details], ["paced", pace]);
      assert.equal(Date.parse(until ?? ""), startedAt + 10_000);
      rig.clock.advance(6_000);
      assert.deepEqual(await codes(rig, jobId), ["ready"]);
    });

    promise(
      open,
      "a job whose next stage is full says so",
      async (rig) => {
        for (let i = 0; i < 2; i++) {
          await rig.submit({ kind: "report" });
          await rig.complete(await rig.claimOne({ kind: "report" }));
        }
        const jobId = await rig.submit({ kind: "report" });
        assert.deepEqual(await rig.claimIds(1, { kind: "report" }), []);
        const { code, details } = await first(rig, jobId);
        assert.deepEqual([code, details], ["next-stage-full", { stage: "form", ready: 2, queueMax: 2 }]);
        await rig.claimOne({ kind: "report", stage: "form" });
        assert.deepEqual(await codes(rig, jobId), ["ready"]);
      },
      { plans: [MAIL, REPORT], limits: { queueMax: 2 } },
    );
  });
}
