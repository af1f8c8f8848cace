import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Schedule } from "../../verbs/schedules.ts";
import { type OpenData, promise } from "../rig.ts";

const NIGHTLY = { tenant: "default", name: "nightly" };

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
      await rig.store.putSchedule(nightly, 0);
      await rig.store.putSchedule(hourly, 0);
      assert.deepEqual(await rig.store.schedules(), [hourly, nightly]);
      const edited = { ...nightly, cron: "0 4 * * *", paused: true };
      await rig.store.putSchedule(edited, 0);
      assert.deepEqual(await (await rig.another()).schedules(), [hourly, edited]);
      assert.equal(await rig.store.removeSchedule(NIGHTLY), true);
      assert.equal(await rig.store.removeSchedule(NIGHTLY), false);
      assert.deepEqual(await rig.store.schedules(), [hourly]);
    });

    promise(open, "a tick fires once over all instances, and the schedule moves on with it", async (rig) => {
      const b = await rig.another();
      const at = rig.clock.now();
      const schedule = scheduleOf({ nextAt: at });
      await rig.store.putSchedule(schedule, 0);
      const submission = { tenant: "t", jobs: [{ kind: "mail", payload: '"tick"' }] };
      const fired = await Promise.all([rig.store, b].map((store) => store.fire(NIGHTLY, at, at + 60_000, submission)));
      const winners = fired.filter((answer) => answer.fired);
      assert.equal(winners.length, 1);
      const jobId = winners[0]?.fired ? winners[0].jobId : undefined;
      assert.equal((await rig.find(jobId as string)).payload, '"tick"');
      assert.deepEqual(await rig.store.schedules(), [
        { ...schedule, nextAt: at + 60_000, lastAt: at, lastJobId: jobId },
      ]);
      assert.deepEqual(await b.fire(NIGHTLY, at, at + 60_000, submission), { fired: false });
      assert.equal(await rig.store.count({}), 1);
    });

    promise(open, "a tick that is let pass moves the schedule on without a job", async (rig) => {
      const at = rig.clock.now();
      await rig.store.putSchedule(scheduleOf({ nextAt: at }), 0);
      assert.deepEqual(await rig.store.fire(NIGHTLY, at, at + 1_000, undefined), { fired: true });
      assert.equal((await rig.store.schedules())[0]?.nextAt, at + 1_000);
      assert.equal(await rig.store.count({}), 0);
    });

    promise(open, "a fire that is refused says why and moves on all the same", async (rig) => {
      const at = rig.clock.now();
      await rig.store.putSchedule(scheduleOf({ nextAt: at, uniqueKey: "u" }), 0);
      await rig.submit({ uniqueKey: "u" });
      const answer = await rig.store.fire(NIGHTLY, at, at + 1_000, {
        tenant: "default",
        jobs: [{ kind: "mail", payload: "1", uniqueKey: "u" }],
      });
      assert.ok(answer.fired && answer.refused);
      assert.equal((await rig.store.schedules())[0]?.nextAt, at + 1_000);
    });

    promise(open, "an edit keeps when it last fired, and a removed schedule does not fire", async (rig) => {
      const at = rig.clock.now();
      await rig.store.putSchedule(scheduleOf({ nextAt: at }), 0);
      const fired = await rig.store.fire(NIGHTLY, at, at + 1, {
        tenant: "t",
        jobs: [{ kind: "mail", payload: "1" }],
      });
      await rig.store.putSchedule(scheduleOf({ nextAt: at + 5, cron: "1 1 * * *" }), 0);
      const [schedule] = await rig.store.schedules();
      assert.equal(schedule?.lastAt, at);
      assert.equal(schedule?.lastJobId, fired.fired ? fired.jobId : undefined);
      assert.equal(schedule?.nextAt, at + 5);
      await rig.store.removeSchedule(NIGHTLY);
      assert.deepEqual(await rig.store.fire(NIGHTLY, at + 5, at + 9, undefined), { fired: false });
    });

    promise(
      open,
      "a name belongs to its tenant: two tenants use the same one and leave each other alone",
      async (rig) => {
        const at = rig.clock.now();
        const [a, b] = ["a", "b"].map((tenant) => scheduleOf({ tenant, nextAt: at, cron: `${tenant} * * * *` })) as [
          Schedule,
          Schedule,
        ];
        await rig.store.putSchedule(a, 0);
        await rig.store.putSchedule(b, 0);
        assert.deepEqual(await rig.store.schedules({ name: "nightly" }), [a, b]);
        assert.deepEqual(await rig.store.schedules({ tenant: "b" }), [b]);
        await rig.store.fire({ tenant: "a", name: "nightly" }, at, at + 1_000, undefined);
        assert.deepEqual(await rig.store.schedules({ dueAt: at }), [b]);
        // A clock that follows the database's has fractions of a millisecond.
        assert.deepEqual(await rig.store.schedules({ dueAt: at + 0.5625 }), [b]);
        assert.equal(await rig.store.removeSchedule({ tenant: "a", name: "nightly" }), true);
        assert.deepEqual(await rig.store.schedules(), [b]);
      },
    );

    promise(
      open,
      "a tenant has as many as it may, also when they are put at once; others have their own",
      async (rig) => {
        const names = ["1", "2", "3", "4", "5"];
        const put = await Promise.all(names.map((name) => rig.store.putSchedule(scheduleOf({ name }), 3)));
        assert.equal(put.filter((each) => each).length, 3);
        assert.equal((await rig.store.schedules()).length, 3);
        const [first] = await rig.store.schedules();
        assert.equal(await rig.store.putSchedule({ ...(first as Schedule), paused: true }, 3), true);
        assert.equal(await rig.store.putSchedule(scheduleOf({ tenant: "another" }), 3), true);
      },
    );
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
