import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Outcome } from "../../../job/lifecycle.ts";
import type { FollowUps } from "../../verbs/follow-ups.ts";
import { failureOf, HOUR_MS, large, type OpenData, planOf, promise, type Rig } from "../rig.ts";

const DONE: Outcome = { type: "completed", result: "1" };
const NEXT = { kind: "mail", payload: '"next"' };
const FORGETFUL = planOf("mail", ["running"], { retention: { finishedMs: "none", deadLetterMs: HOUR_MS } });

/** What the store has of jobs beside the one that settles, by payload. */
async function others(rig: Rig, jobId: string): Promise<string[]> {
  const jobs = await rig.store.list({ limit: 100 });
  return jobs.filter(({ id }) => id !== jobId).map(({ payload, standing }) => `${payload} ${standing}`);
}

async function settle(rig: Rig, job: { lease: Parameters<Rig["store"]["settle"]>[0] }, followUps: FollowUps) {
  return rig.store.settle(job.lease, DONE, followUps);
}

export function describeFollowUps(open: OpenData): void {
  describe("follow-ups of a settlement", () => {
    promise(open, "are stored with the outcome: jobs that can be claimed, and steps", async (rig) => {
      const job = await rig.running({ tenant: "acme" });
      const answer = await settle(rig, job, {
        steps: [{ name: "sum", value: "42" }],
        jobs: [NEXT, { kind: "report", payload: '"later"', delayMs: 60_000 }],
      });
      assert.ok(answer.written === "written" && answer.jobIds?.length === 2, JSON.stringify(answer));
      assert.equal(answer.standing, "completed");
      const [next, later] = await rig.store.find(answer.jobIds);
      assert.deepEqual([next?.payload, next?.tenant, next?.standing], ['"next"', "acme", "ready"]);
      assert.deepEqual([later?.kind, later?.tenant, later?.standing], ["report", "acme", "scheduled"]);
      assert.deepEqual(await rig.claimIds(5), [next?.id]);
      const steps = await rig.store.steps(job.lease.jobId);
      assert.deepEqual(
        steps.map(({ stage, name, value }) => [stage, name, value]),
        [["running", "sum", "42"]],
      );
    });

    promise(open, "go with every outcome, also with one that ends no job", async (rig) => {
      const retried: Outcome = { type: "failed", failure: failureOf() };
      const deferred: Outcome = { type: "deferred", delayMs: 1_000 };
      const waiting: Outcome = { type: "waiting", waits: [{ type: "sleep", name: "night", timeoutMs: 1_000 }] };
      for (const outcome of [retried, deferred, waiting]) {
        const job = await rig.running();
        const answer = await rig.store.settle(job.lease, outcome, { jobs: [NEXT], steps: [{ name: "a", value: "1" }] });
        assert.ok(answer.written === "written" && answer.standing === "scheduled", JSON.stringify(answer));
        assert.deepEqual(await rig.claimIds(5), answer.jobIds);
        const steps = await rig.store.steps(job.lease.jobId);
        assert.deepEqual(
          steps.map(({ stage, name }) => [stage, name]),
          [["running", "a"]],
        );
      }
    });

    promise(open, "of a stage belong to that stage, and the next stage starts in the same commit", async (rig) => {
      const job = await rig.running({ kind: "report" });
      const answer = await settle(rig, job, { steps: [{ name: "a", value: "1" }], jobs: [NEXT] });
      assert.ok(answer.written === "written" && answer.nextStage === "form");
      assert.deepEqual(
        (await rig.store.steps(job.lease.jobId)).map(({ stage }) => stage),
        ["fetch"],
      );
      const [formed] = await rig.claim(1, { kind: "report", stage: "form" });
      assert.equal(formed?.hasSteps, true);
      assert.deepEqual(await rig.store.storedSteps(formed?.lease as never), []);
    });

    promise(open, "can keep the ids of their jobs in a step", async (rig) => {
      const job = await rig.running();
      const answer = await settle(rig, job, { steps: [{ name: "ids", jobIds: true }], jobs: [NEXT, NEXT] });
      assert.ok(answer.written === "written");
      const [step] = await rig.store.steps(job.lease.jobId);
      assert.deepEqual(JSON.parse(step?.value as string), answer.jobIds);
    });

    promise(open, "of a lost lease are not written", async (rig) => {
      const job = await rig.running();
      await rig.store.cancel([job.lease.jobId], "no more");
      const followUps: FollowUps = { steps: [{ name: "a", value: "1" }], jobs: [NEXT] };
      assert.deepEqual(await settle(rig, job, followUps), { written: "lease-lost" });
      assert.deepEqual(await others(rig, job.lease.jobId), []);
      assert.deepEqual(await rig.store.steps(job.lease.jobId), []);
    });

    promise(open, "are written once, though the settle is asked for twice", async (rig) => {
      const job = await rig.running();
      const answers = await Promise.all([settle(rig, job, { jobs: [NEXT] }), settle(rig, job, { jobs: [NEXT] })]);
      assert.deepEqual(answers.map(({ written }) => written).sort(), ["lease-lost", "written"]);
      assert.deepEqual(await others(rig, job.lease.jobId), ['"next" ready']);
    });

    promise(
      open,
      "that are refused keep the whole settlement from being written, and the lease goes on",
      async (rig) => {
        const owner = await rig.submit({ uniqueKey: "k", priority: 10 });
        await rig.store.cancel([await rig.submit()], "out of the way");
        const job = await rig.running({ priority: -10 });
        const steps = [{ name: "a", value: "1" }];
        const taken = await settle(rig, job, { steps, jobs: [NEXT, { ...NEXT, uniqueKey: "k" }] });
        assert.deepEqual(taken, {
          ...{
            written: "refused",
            code: "already-queued",
            message: 'A job with the unique key "k" is already waiting.',
            jobId: owner,
          },
        });
        const unknown = await settle(rig, job, { steps, jobs: [NEXT, { kind: "nothing", payload: "1" }] });
        assert.deepEqual(unknown, { written: "refused", code: "kind-unknown", message: 'Unknown kind "nothing".' });
        assert.equal(await rig.standing(job.lease.jobId), "running");
        assert.deepEqual(await rig.store.steps(job.lease.jobId), []);
        assert.deepEqual((await others(rig, job.lease.jobId)).sort(), ["{} cancelled", "{} ready"]);
        assert.deepEqual(await rig.complete(job), { written: "written", standing: "completed" });
      },
    );

    promise(
      open,
      "are refused for a step name that has another value; the same value is the same step",
      async (rig) => {
        const job = await rig.running();
        await rig.store.saveStep(job.lease, "a", "1");
        const refused = { written: "refused", code: "step-name-reused", message: 'The step "a" is already stored.' };
        assert.deepEqual(await settle(rig, job, { steps: [{ name: "a", value: "2" }], jobs: [NEXT] }), refused);
        const twice: FollowUps = {
          steps: [
            { name: "b", value: "1" },
            { name: "b", value: "2" },
          ],
        };
        assert.deepEqual(await settle(rig, job, twice), {
          ...refused,
          message: 'The step "b" is already stored.',
        });
        assert.deepEqual(await others(rig, job.lease.jobId), []);
        const answer = await settle(rig, job, { steps: [{ name: "a", value: "1" }] });
        assert.deepEqual(answer, { written: "written", standing: "completed" });
      },
    );

    promise(open, "may join a live job, and may take over the unique key of the job that ends", async (rig) => {
      const joined = await rig.submit({ uniqueKey: "other", delayMs: 1_000 });
      const job = await rig.running({ uniqueKey: "k" });
      const failed: Outcome = { type: "failed", failure: failureOf() };
      const heir: FollowUps = {
        jobs: [
          { ...NEXT, uniqueKey: "k" },
          { ...NEXT, uniqueKey: "other", ifUnique: "join" },
        ],
      };
      const refused = await rig.store.settle(job.lease, failed, heir);
      assert.equal(refused.written, "refused", "a job that is retried keeps its key");
      const answer = await settle(rig, job, heir);
      assert.ok(answer.written === "written", JSON.stringify(answer));
      assert.equal(answer.jobIds?.[1], joined);
      const again = await rig.offer({ uniqueKey: "k" });
      assert.ok(again.type === "refused" && again.jobId === answer.jobIds?.[0]);
    });

    promise(
      open,
      "pass the limits of queue, rate and tenant, and count toward them",
      async (rig) => {
        const job = await rig.running();
        const answer = await settle(rig, job, { jobs: [NEXT, NEXT, NEXT] });
        assert.ok(answer.written === "written" && answer.jobIds?.length === 3, JSON.stringify(answer));
        const refused = await rig.offer();
        assert.ok(refused.type === "refused");
        assert.equal(refused.code, "rate-limited");
        rig.clock.advance(60_001);
        assert.equal(((await rig.offer()) as { code?: string }).code, "backpressure");
      },
      { limits: { queueMax: 2, maxNewJobsPerMinute: 2, maxConcurrentPerTenant: 1, tenantOverflow: "reject" } },
    );

    promise(
      open,
      "outlive a job of which nothing is kept; its steps go with it",
      async (rig) => {
        const job = await rig.running();
        const answer = await settle(rig, job, { steps: [{ name: "a", value: "1" }], jobs: [NEXT] });
        assert.ok(answer.written === "written" && answer.forgotten === true, JSON.stringify(answer));
        assert.deepEqual(await rig.store.find([job.lease.jobId]), []);
        assert.deepEqual(await others(rig, job.lease.jobId), ['"next" ready']);
      },
      { plans: [FORGETFUL] },
    );

    promise(open, "of many jobs that end at once go each with its own", async (rig) => {
      for (let i = 0; i < 6; i++) await rig.submit({ tenant: i % 2 === 0 ? "a" : "b" });
      const jobs = await rig.claim(6);
      const answers = await Promise.all(
        jobs.map((job, i) =>
          i === 5
            ? rig.complete(job)
            : settle(rig, job, {
                steps: [{ name: "n", value: String(i) }],
                jobs: i === 4 ? [{ kind: "nothing", payload: "1" }] : [{ kind: "mail", payload: String(i) }],
              }),
        ),
      );
      assert.deepEqual(
        answers.map(({ written }) => written),
        ["written", "written", "written", "written", "refused", "written"],
      );
      for (const [i, answer] of answers.entries()) {
        if (answer.written !== "written" || answer.jobIds === undefined) continue;
        const [follower] = await rig.store.find(answer.jobIds);
        assert.deepEqual([follower?.payload, follower?.tenant], [String(i), jobs[i]?.tenant]);
        const [step] = await rig.store.steps(jobs[i]?.lease.jobId as string);
        assert.equal(step?.value, String(i));
      }
      await rig.complete(jobs[4] as never);
    });

    promise(open, "can be large, and nothing is an empty list of them", async (rig) => {
      const job = await rig.running();
      const answer = await settle(rig, job, {
        steps: [{ name: "a", value: large("s") }],
        jobs: [{ kind: "mail", payload: large("p") }],
      });
      assert.ok(answer.written === "written");
      const [next] = await rig.store.find(answer.jobIds ?? []);
      assert.equal(next?.payload, large("p"));
      const other = await rig.claimOne();
      assert.deepEqual(await settle(rig, other, { steps: [], jobs: [] }), {
        written: "written",
        standing: "completed",
      });
    });
  });
}
