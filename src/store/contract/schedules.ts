import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Schedule } from "../store.ts";
import { type OpenData, promise } from "./rig.ts";

export function describeSchedules(open: OpenData): void {
  describe("schedules", () => {
    promise(open, "a schedule is kept as it was put, replaced under its name, and removed", async (rig) => {
      const nightly = scheduleOf({
        name: "nightly",
        nextAt: rig.clock.now() + 1_000,
        priority: 2,
        tags: ["t"],
        uniqueKey: "u",
      });
      const hourly = scheduleOf({ name: "hourly", nextAt: rig.clock.now() + 2_000 });
      await rig.store.putSchedule(nightly);
      await rig.store.putSchedule(hourly);
      assert.deepEqual(await rig.store.schedules(), [hourly, nightly]);
      const edited = { ...nightly, cron: "0 4 * * *", paused: true };
      await rig.store.putSchedule(edited);
      assert.deepEqual(await (await rig.another()).schedules(), [hourly, edited]);
      assert.equal(await rig.store.removeSchedule("nightly"), true);
      assert.equal(await rig.store.removeSchedule("nightly"), false);
      assert.deepEqual(await rig.store.schedules(), [hourly]);
    });

    promise(open, "a tick fires once over all instances, and the schedule moves on with it", async (rig) => {
      const b = await rig.another();
      const at = rig.clock.now();
      const schedule = scheduleOf({ nextAt: at });
      await rig.store.putSchedule(schedule);
      const submission = { tenant: "t", jobs: [{ kind: "mail", payload: '"tick"' }] };
      const fired = await Promise.all(
        [rig.store, b].map((store) => store.fire("nightly", at, at + 60_000, submission)),
      );
      const winners = fired.filter((answer) => answer.fired);
      assert.equal(winners.length, 1);
      const jobId = winners[0]?.fired ? winners[0].jobId : undefined;
      assert.equal((await rig.find(jobId as string)).payload, '"tick"');
      assert.deepEqual(await rig.store.schedules(), [
        { ...schedule, nextAt: at + 60_000, lastAt: at, lastJobId: jobId },
      ]);
      assert.deepEqual(await b.fire("nightly", at, at + 60_000, submission), { fired: false });
      assert.equal(await rig.store.count({}), 1);
    });

    promise(open, "a tick that is let pass moves the schedule on without a job", async (rig) => {
      const at = rig.clock.now();
      await rig.store.putSchedule(scheduleOf({ nextAt: at }));
      assert.deepEqual(await rig.store.fire("nightly", at, at + 1_000, undefined), { fired: true });
      assert.equal((await rig.store.schedules())[0]?.nextAt, at + 1_000);
      assert.equal(await rig.store.count({}), 0);
    });

    promise(open, "a fire that is refused says why and moves on all the same", async (rig) => {
      const at = rig.clock.now();
      await rig.store.putSchedule(scheduleOf({ nextAt: at, uniqueKey: "u" }));
      await rig.submit({ uniqueKey: "u" });
      const answer = await rig.store.fire("nightly", at, at + 1_000, {
        tenant: "default",
        jobs: [{ kind: "mail", payload: "1", uniqueKey: "u" }],
      });
      assert.ok(answer.fired && answer.refused);
      assert.equal((await rig.store.schedules())[0]?.nextAt, at + 1_000);
    });

    promise(open, "an edit keeps when it last fired, and a removed schedule does not fire", async (rig) => {
      const at = rig.clock.now();
      await rig.store.putSchedule(scheduleOf({ nextAt: at }));
      const fired = await rig.store.fire("nightly", at, at + 1, {
        tenant: "t",
        jobs: [{ kind: "mail", payload: "1" }],
      });
      await rig.store.putSchedule(scheduleOf({ nextAt: at + 5, cron: "1 1 * * *" }));
      const [schedule] = await rig.store.schedules();
      assert.equal(schedule?.lastAt, at);
      assert.equal(schedule?.lastJobId, fired.fired ? fired.jobId : undefined);
      assert.equal(schedule?.nextAt, at + 5);
      await rig.store.removeSchedule("nightly");
      assert.deepEqual(await rig.store.fire("nightly", at + 5, at + 9, undefined), { fired: false });
    });
  });
}

function scheduleOf(more: Partial<Schedule>): Schedule {
  return {
    name: "nightly",
    cron: "0 3 * * *",
    timeZone: "Europe/Berlin",
    kind: "mail",
    tenant: "default",
    payload: '{"a":1}',
    overlap: "skip",
    missed: "once",
    paused: false,
    nextAt: 0,
    ...more,
  };
}
