import assert from "node:assert/strict";
import { describe, mock } from "node:test";
import type { PublishAnswer } from "../../verbs/waits.ts";
import { HOUR_MS, type OpenData, promise, type Rig } from "../rig.ts";
import { DAY_MS, eventOn, resumed, SECOND_MS, waiting } from "./support.ts";

interface Options {
  tenant?: string;
  keepMs?: number;
  key?: string;
}

function tell(rig: Rig, topic: string, fields: Record<string, unknown>, options: Options = {}): Promise<PublishAnswer> {
  return rig.store.publish({
    tenant: "default",
    topic,
    fields: JSON.stringify(fields),
    keepMs: HOUR_MS,
    ...options,
  });
}

const MANY = 250;

/** How many events the store reads meanwhile: it parses the fields of each. */
async function countingEvents(work: () => Promise<void>): Promise<number> {
  const parse = mock.method(JSON, "parse");
  try {
    await work();
    return parse.mock.calls.filter(({ arguments: [text] }) => String(text).includes('"orderId":')).length;
  } finally {
    parse.mock.restore();
  }
}

export function describeEvents(open: OpenData): void {
  describe("an event", () => {
    promise(open, "wakes every job that waits for its topic and matches its fields, and no other", async (rig) => {
      const mine = await waiting(rig, [eventOn("order.paid", { orderId: 7 })]);
      const other = await waiting(rig, [eventOn("order.paid", { orderId: 8 })]);
      const any = await waiting(rig, [eventOn("order.paid")]);
      const typed = await waiting(rig, [eventOn("order.paid", { orderId: "7" })]);
      const both = await waiting(rig, [eventOn("order.paid", { orderId: 7, ok: true })]);
      await waiting(rig, [eventOn("order.sent", { orderId: 7 })]);
      await waiting(rig, [eventOn("order.paid", { missing: 1 })]);
      const published = await tell(rig, "order.paid", { orderId: 7, ok: true, more: [1] });
      assert.deepEqual((await rig.claimIds(10)).sort(), [mine, any, both].sort());
      assert.equal(published.repeated, false);
      for (const jobId of [other, typed]) assert.equal(await rig.standing(jobId), "scheduled");
    });

    promise(open, "gives its fields, and is given to a wait once", async (rig) => {
      const jobId = await waiting(rig, [eventOn("order.paid", { orderId: 7 })]);
      await tell(rig, "order.paid", { orderId: 7, amount: 10 });
      const { job, waits } = await resumed(rig, jobId);
      assert.deepEqual(waits, ['event order.paid answered {"orderId":7,"amount":10}']);
      const second = { ...eventOn("order.paid", { orderId: 7 }), name: "order.paid#2" };
      await rig.settle(job, { type: "waiting", waits: [second] });
      assert.deepEqual(await rig.claimIds(), [], "the job has had this event");
      await tell(rig, "order.paid", { orderId: 7, amount: 20 });
      assert.match((await resumed(rig, jobId)).waits[1] ?? "", /"amount":20/);
    });

    promise(open, "is kept for a wait that begins later, for as long as it says", async (rig) => {
      const first = await rig.running();
      const second = await rig.running();
      await tell(rig, "ready", { n: 1 }, { keepMs: 10 * SECOND_MS });
      rig.clock.advance(10 * SECOND_MS - 1);
      await rig.settle(first, { type: "waiting", waits: [eventOn("ready")] });
      assert.deepEqual((await resumed(rig, first.lease.jobId)).waits, ['event ready answered {"n":1}']);
      rig.clock.advance(1);
      await rig.settle(second, { type: "waiting", waits: [eventOn("ready")] });
      assert.deepEqual(await rig.claimIds(), []);
    });

    promise(open, "from before the job was submitted is taken only if the wait says since when", async (rig) => {
      const publishedAt = rig.clock.now();
      await tell(rig, "ready", { n: 1 });
      rig.clock.advance(SECOND_MS);
      const late = await waiting(rig, [eventOn("ready")]);
      assert.equal(await rig.standing(late), "scheduled");
      const since = await waiting(rig, [eventOn("ready", {}, publishedAt)]);
      assert.equal(await rig.standing(since), "ready");
    });

    promise(open, "is taken oldest first", async (rig) => {
      const job = await rig.running();
      for (const n of [1, 2]) await tell(rig, "tick", { n });
      await rig.settle(job, { type: "waiting", waits: [eventOn("tick")] });
      assert.deepEqual((await resumed(rig, job.lease.jobId)).waits, ['event tick answered {"n":1}']);
    });

    promise(open, "is found among many of its topic without a look at the others", async (rig) => {
      for (let n = 0; n < MANY; n++) await tell(rig, "order.paid", { orderId: n, customer: "ada" });
      const begin = async (match: Record<string, string | number>, { finds }: { finds: boolean }) => {
        const jobId = await waiting(rig, [eventOn("order.paid", match, 0)]);
        assert.deepEqual(await rig.claimIds(10), finds ? [jobId] : []);
      };
      const read = await countingEvents(async () => {
        await begin({ customer: "ada", orderId: MANY - 1 }, { finds: true });
        await begin({ orderId: MANY }, { finds: false });
        await begin({}, { finds: true });
      });
      assert.ok(read <= MANY / 10, `${read} of ${MANY} events were read`);
    });

    promise(open, "of many fields is found like any other, the oldest first", async (rig) => {
      const fields = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`field${n}`, n]));
      await tell(rig, "order.paid", { ...fields, orderId: 7, n: 1 });
      await tell(rig, "order.paid", { orderId: 7, n: 2 });
      await tell(rig, "order.paid", { ...fields, orderId: 7, n: 3 });
      for (const n of [1, 2, 3]) {
        const wait = { ...eventOn("order.paid", { orderId: 7 }, 0), name: `order.paid#${n}` };
        const jobId = await waiting(rig, [wait], { tenant: "default" });
        const { job, waits } = await resumed(rig, jobId);
        assert.match(waits[0] ?? "", /"n":1\}/, "each job gets the oldest one that it has not had");
        for (const next of [2, 3]) {
          const again = { ...eventOn("order.paid", { orderId: 7 }, 0), name: `order.paid#${n}${next}` };
          await rig.settle(next === 2 ? job : await rig.claimOne(), { type: "waiting", waits: [again] });
        }
        const last = await resumed(rig, jobId);
        assert.match(last.waits.join(" "), /"n":1\}.*"n":2\}.*"n":3\}/);
        await rig.complete(last.job, "1");
      }
    });

    promise(open, "never leaves its tenant", async (rig) => {
      const jobId = await waiting(rig, [eventOn("ready")], { tenant: "a" });
      await tell(rig, "ready", {}, { tenant: "b" });
      assert.equal(await rig.standing(jobId), "scheduled");
      await tell(rig, "ready", {}, { tenant: "a" });
      assert.equal(await rig.standing(jobId), "ready");
    });

    promise(open, "published twice under one key is one event", async (rig) => {
      const job = await rig.running();
      await tell(rig, "ready", { n: 1 }, { key: "k" });
      assert.deepEqual(await tell(rig, "ready", { n: 1 }, { key: "k" }), { woken: 0, repeated: true });
      await rig.settle(job, { type: "waiting", waits: [eventOn("ready")] });
      const { job: again } = await resumed(rig, job.lease.jobId);
      await rig.settle(again, { type: "waiting", waits: [{ ...eventOn("ready"), name: "ready#2" }] });
      assert.deepEqual(await rig.claimIds(), []);
    });

    promise(open, "is deleted after its time", async (rig) => {
      await tell(rig, "ready", {}, { keepMs: SECOND_MS });
      rig.clock.advance(SECOND_MS);
      const { deleted } = await rig.store.prune({ limit: 100 });
      assert.equal(deleted, 1);
      assert.equal((await rig.store.prune({ limit: 100 })).deleted, 0);
    });

    promise(
      open,
      "is refused above the limit of its tenant until others have expired, and a repeated one never is",
      async (rig) => {
        await tell(rig, "paid", { n: 1 }, { keepMs: DAY_MS, key: "first" });
        await tell(rig, "paid", { n: 2 }, { keepMs: 1_000 });
        const third = () => tell(rig, "paid", { n: 3 });
        await assert.rejects(third(), { code: "too-many-events" });
        assert.equal((await tell(rig, "paid", { n: 1 }, { keepMs: DAY_MS, key: "first" })).repeated, true);
        await tell(rig, "paid", { n: 1 }, { tenant: "other" });
        rig.clock.advance(20_000);
        await rig.store.prune({ limit: 100 });
        assert.equal((await third()).repeated, false);
      },
      { limits: { maxEventsPerTenant: 2 } },
    );

    promise(open, "published in the instant in which the wait begins is not missed", async (rig) => {
      const publisher = await rig.another();
      for (let n = 0; n < 25; n++) {
        const job = await rig.running();
        const fields = JSON.stringify({ n });
        await Promise.all([
          rig.settle(job, { type: "waiting", waits: [eventOn("paid", { n })] }),
          publisher.publish({ tenant: "default", topic: "paid", fields, keepMs: HOUR_MS }),
        ]);
        const { job: woken, waits } = await resumed(rig, job.lease.jobId);
        assert.deepEqual(waits, [`event paid answered ${fields}`]);
        await rig.complete(woken);
      }
    });
  });
}
