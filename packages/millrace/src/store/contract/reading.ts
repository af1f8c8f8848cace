import assert from "node:assert/strict";
import { describe } from "node:test";
import type { JobFilter } from "../verbs/job-filter.ts";
import { large, type OpenData, promise, type Rig } from "./rig.ts";

export function describeReading(open: OpenData): void {
  describe("reading", () => {
    promise(open, "a list is newest first, in pages by cursor or offset that neither miss nor repeat", async (rig) => {
      const ids: string[] = [];
      for (let i = 0; i < 7; i++) ids.unshift(await rig.submit());
      assert.deepEqual(await listed(rig, {}), ids);
      assert.deepEqual(await listed(rig, { limit: 3 }), ids.slice(0, 3));
      assert.deepEqual(await listed(rig, { limit: 3, offset: 3 }), ids.slice(3, 6));
      const first = await listed(rig, { limit: 3 });
      await rig.submit();
      assert.deepEqual(await listed(rig, { limit: 3, beforeId: first[2] as string }), ids.slice(3, 6));
      assert.equal((await listed(rig, { beforeId: "nonsense" })).length, 0);
    });

    promise(open, "fifty are listed where nobody says how many", async (rig) => {
      await rig.store.submit([
        { tenant: "a", jobs: Array.from({ length: 60 }, () => ({ kind: "mail", payload: "1" })) },
      ]);
      assert.equal((await rig.store.list({})).length, 50);
      assert.equal(await rig.store.count({}), 60);
    });

    promise(open, "every filter finds its own, alone and with others, and counts alike", async (rig) => {
      const start = rig.clock.now();
      const mail = await rig.submit({ tenant: "a", tags: ["red", "big"], payload: '"needle"' });
      rig.clock.advance(1_000);
      const report = await rig.submit({ tenant: "b", kind: "report", tags: ["red"], payload: '"hay"' });
      rig.clock.advance(1_000);
      const later = await rig.submit({ tenant: "a", delayMs: 60_000 });
      await rig.complete(await rig.claimOne({ kind: "report" }), '"out"');
      const cases: [JobFilter, string[]][] = [
        [{ tenant: "a" }, [later, mail]],
        [{ tenant: "nobody" }, []],
        [{ kind: "mail" }, [later, mail]],
        [{ kind: "nothing" }, []],
        [{ kind: "report", stage: "form" }, [report]],
        [{ stage: "form" }, [report]],
        [{ stage: "fetch" }, []],
        [{ tag: "red" }, [report, mail]],
        [{ tag: "big" }, [mail]],
        [{ tag: "re" }, []],
        [{ standings: ["scheduled"] }, [later]],
        [{ standings: ["ready", "scheduled"] }, [later, report, mail]],
        [{ standings: [] }, []],
        [{ sinceAt: start + 1_000 }, [later, report]],
        [{ untilAt: start + 1_000 }, [mail]],
        [{ sinceAt: start + 1_000, untilAt: start + 2_000 }, [report]],
        [{ search: "needle" }, [mail]],
        [{ search: "out" }, [report]],
        [{ search: "%" }, []],
        [{ tenant: "a", tag: "red", kind: "mail", standings: ["ready"], search: "need" }, [mail]],
      ];
      for (const [filter, expected] of cases) {
        assert.deepEqual(await listed(rig, filter), expected, JSON.stringify(filter));
        assert.equal(await rig.store.count(filter), expected.length, JSON.stringify(filter));
      }
    });

    promise(open, "a search finds what is said in payloads, results and failures, whatever their size", async (rig) => {
      const big = await rig.submit({ payload: large("payload") });
      const result = await rig.running({ priority: -1 });
      await rig.complete(result, large("outcome"));
      const dead = await rig.running({ priority: -1 });
      await rig.fail(dead, { message: 'Quite impossible: "no".', permanent: true });
      assert.deepEqual(await listed(rig, { search: "payloadpayload" }), [big]);
      assert.deepEqual(await listed(rig, { search: "outcomeoutcome" }), [result.lease.jobId]);
      assert.deepEqual(await listed(rig, { search: "Quite impossible" }), [dead.lease.jobId]);
      assert.deepEqual(await listed(rig, { search: 'impossible: "no"' }), [dead.lease.jobId], "as it is shown");
      assert.deepEqual(await listed(rig, { search: 'impossible: \\"no\\"' }), [dead.lease.jobId], "as it is kept");
    });

    promise(open, "retrying means pending with attempts behind it", async (rig) => {
      await rig.submit();
      const retried = await rig.running({ priority: -1 });
      assert.deepEqual(await listed(rig, { retrying: true }), []);
      await rig.fail(retried);
      assert.deepEqual(await listed(rig, { retrying: true }), [retried.lease.jobId]);
      rig.clock.advance(1_000);
      await rig.kill(await rig.claimOne());
      assert.deepEqual(await listed(rig, { retrying: true }), []);
    });

    promise(
      open,
      "several jobs are found at once, in the order asked, without those that are not there",
      async (rig) => {
        const [a, b] = [await rig.submit(), await rig.submit()];
        const found = await rig.store.find([b, "job_00000000", a, "x"]);
        assert.deepEqual(
          found.map((job) => job.id),
          [b, a],
        );
      },
    );

    promise(open, "kinds are counted by stage and standing", async (rig) => {
      for (let i = 0; i < 2; i++) await rig.submit({ kind: "report" });
      await rig.complete(await rig.claimOne({ kind: "report" }));
      await rig.submit({ kind: "report", delayMs: 5 });
      const kinds = await rig.store.kinds();
      assert.deepEqual(
        kinds.map(({ kind, paused }) => [kind, paused]),
        [
          ["mail", false],
          ["report", false],
        ],
      );
      const report = kinds[1]?.stages.map(({ stage, position, counts }) => [
        stage,
        position,
        counts.ready,
        counts.scheduled,
      ]);
      assert.deepEqual(report, [
        ["fetch", 0, 1, 1],
        ["form", 1, 1, 0],
        ["judge", 2, 0, 0],
      ]);
    });

    promise(open, "the size of the store is told in bytes", async (rig) => {
      const { databaseBytes, walBytes } = await rig.store.size();
      assert.ok(databaseBytes > 0);
      assert.ok(walBytes >= 0);
    });
  });
}

async function listed(rig: Rig, filter: JobFilter): Promise<string[]> {
  return (await rig.store.list(filter)).map((job) => job.id);
}
