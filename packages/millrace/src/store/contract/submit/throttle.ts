// The first submission of a throttle key stands for all others until a moment.

import assert from "node:assert/strict";
import { describe } from "node:test";
import type { SubmitAnswer } from "../../verbs/submission.ts";
import { type OpenData, promise } from "../rig.ts";

const THROTTLED = { throttle: { key: "t", perMs: 1_000 } };

export function describeThrottle(open: OpenData): void {
  describe("a throttled submission", () => {
    promise(open, "is answered with the first job until its time is over, even if that has ended", async (rig) => {
      const first = await rig.submit(THROTTLED);
      assert.deepEqual(idsAndJoined(await rig.offer(THROTTLED)), [[first], [0]]);
      await rig.complete(await rig.claimOne());
      rig.clock.advance(999);
      assert.deepEqual(idsAndJoined(await rig.offer(THROTTLED)), [[first], [0]]);
      rig.clock.advance(1);
      const [[second], joined] = idsAndJoined(await rig.offer(THROTTLED));
      assert.notEqual(second, first);
      assert.equal(joined, undefined);
      assert.equal(await rig.store.count({}), 2);
    });

    promise(open, "runs beside a first one that takes longer", async (rig) => {
      const first = await rig.running(THROTTLED);
      rig.clock.advance(1_000);
      const second = await rig.running(THROTTLED);
      assert.notEqual(first.lease.jobId, second.lease.jobId);
    });

    promise(open, "is answered with an id that is forgotten", async (rig) => {
      const first = await rig.submit(THROTTLED);
      await rig.complete(await rig.claimOne());
      assert.deepEqual(await rig.store.forget([first]), ["done"]);
      assert.deepEqual(idsAndJoined(await rig.offer(THROTTLED)), [[first], [0]]);
    });

    promise(open, "is decided in order within a submission and among those that arrive together", async (rig) => {
      const plain = { kind: "mail", payload: "{}" };
      const job = { ...plain, ...THROTTLED };
      const [answer] = await rig.store.submit([{ tenant: "default", jobs: [job, plain, job] }]);
      assert.ok(answer?.type === "accepted");
      assert.equal(answer.jobIds[0], answer.jobIds[2]);
      assert.deepEqual(answer.joined, [2]);
      const together = await Promise.all([1, 2, 3].map(() => rig.offer({ throttle: { key: "v", perMs: 1_000 } })));
      assert.equal(new Set(together.flatMap((each) => idsAndJoined(each)[0])).size, 1);
    });

    promise(open, "knows other kinds, other tenants and other keys from its own", async (rig) => {
      const ids = [
        await rig.submit(THROTTLED),
        await rig.submit({ ...THROTTLED, tenant: "b" }),
        await rig.submit({ ...THROTTLED, kind: "report" }),
        await rig.submit({ throttle: { key: "other", perMs: 1_000 } }),
        await rig.submit({ uniqueKey: "t" }),
      ];
      assert.equal(new Set(ids).size, 5);
    });

    promise(
      open,
      "takes nothing from the rate, and leaves nothing behind if it is refused",
      async (rig) => {
        const first = await rig.submit(THROTTLED);
        assert.deepEqual(idsAndJoined(await rig.offer(THROTTLED)), [[first], [0]]);
        const other = { throttle: { key: "other", perMs: 600_000 } };
        assert.equal((await rig.offer(other)).type, "refused");
        rig.clock.advance(60_001);
        assert.equal(idsAndJoined(await rig.offer(other))[1], undefined);
      },
      { limits: { maxNewJobsPerMinute: 1 } },
    );

    promise(open, "is forgotten by upkeep when its time is over", async (rig) => {
      await rig.submit(THROTTLED);
      rig.clock.advance(1_001);
      const { deleted } = await rig.store.prune({ limit: 100 });
      assert.equal(deleted, 1);
    });
  });
}

function idsAndJoined(answer: SubmitAnswer): [string[], number[] | undefined] {
  assert.ok(answer.type === "accepted", JSON.stringify(answer));
  return [answer.jobIds, answer.joined];
}
