import assert from "node:assert/strict";
import { describe } from "node:test";
import type { OutboxAnswer, OutboxRow } from "../../verbs/outbox/outboxes.ts";
import type { NewJob } from "../../verbs/submission.ts";
import { LEASE_MS, type OpenData, promise, type Rig } from "../rig.ts";

const SHOP = { name: "shop", label: "the shop", forMs: LEASE_MS };

export function describeOutboxes(open: OpenData): void {
  describe("an outbox", () => {
    promise(open, "is relayed by one holder at a time, and each next one has a higher token", async (rig) => {
      const a = await lease(rig, "a");
      assert.equal(await rig.store.leaseOutbox({ ...SHOP, holder: "b" }), undefined);
      assert.equal((await lease(rig, "a")).token, a.token);
      rig.clock.advance(LEASE_MS + 1);
      const b = await lease(rig, "b");
      assert.ok(b.token > a.token);
      assert.equal(await rig.store.leaseOutbox({ ...SHOP, holder: "a" }), undefined);
      await rig.store.leaveOutbox(b);
      assert.ok((await lease(rig, "a")).token > b.token);
    });

    promise(open, "has one job for each row, however often the row comes", async (rig) => {
      const held = await lease(rig, "a");
      const rows = [row("1"), row("2")];
      assert.deepEqual(await apply(rig, held, rows), { applied: ["1", "2"], later: [], stored: 2 });
      const again = await apply(rig, held, [...rows, row("3")]);
      assert.deepEqual({ ...again, applied: again.applied.sort() }, { applied: ["1", "2", "3"], later: [], stored: 1 });
      assert.equal(await rig.store.count({}), 3);
      assert.equal((await rig.claim(5)).length, 3);
    });

    promise(open, "forgets ids whose rows are deleted, and gives the others to the next holder", async (rig) => {
      const a = await lease(rig, "a");
      await apply(rig, a, [row("1"), row("2"), row("3")]);
      await apply(rig, a, [], ["1"]);
      rig.clock.advance(LEASE_MS + 1);
      const b = await rig.store.leaseOutbox({ ...SHOP, holder: "b" });
      assert.deepEqual(b?.applied.sort(), ["2", "3"]);
    });

    promise(open, "takes nothing from a holder whose lease has ended, nor forgets for it", async (rig) => {
      const a = await lease(rig, "a");
      await apply(rig, a, [row("1")]);
      rig.clock.advance(LEASE_MS + 1);
      assert.equal(await rig.store.applyOutbox(a, [row("2")], ["1"]), "lease-lost");
      const b = await lease(rig, "b");
      assert.equal(await rig.store.applyOutbox(a, [row("2")], ["1"]), "lease-lost");
      assert.deepEqual(await apply(rig, b, [row("1")]), { applied: ["1"], later: [], stored: 0 });
      assert.equal(await rig.store.count({}), 1);
    });

    promise(open, "makes dead letters of rows that are refused for good", async (rig) => {
      const held = await lease(rig, "a");
      await rig.submit({ uniqueKey: "u" });
      const failure = { code: "invalid-request", message: "The payload is not JSON.", permanent: true };
      const rows = [row("1", { uniqueKey: "u" }), { ...row("2"), failure }, row("3")];
      assert.deepEqual((await apply(rig, held, rows)).applied.sort(), ["1", "2", "3"]);
      const dead = await rig.store.list({ status: "failed" });
      assert.deepEqual(dead.map(({ failure }) => failure?.code).sort(), ["already-queued", "invalid-request"]);
      assert.equal((await rig.claim(5)).length, 2);
      // A dead letter that has no key of its own.
      for (const { id } of dead) await rig.store.forget([id]);
      assert.equal((await rig.offer({ uniqueKey: "u" })).type, "refused");
    });

    promise(
      open,
      "leaves rows that are refused for the moment, and takes those behind them",
      async (rig) => {
        const held = await lease(rig, "a");
        const first = await apply(rig, held, [row("1"), row("2"), row("3", {}, "other")]);
        assert.deepEqual([first.applied.sort(), first.later.map(({ id }) => id)], [["1", "3"], ["2"]]);
        rig.clock.advance(60_001);
        const later = await lease(rig, "a");
        assert.deepEqual((await apply(rig, later, [row("2")])).applied, ["2"]);
      },
      { limits: { maxNewJobsPerMinute: 1 } },
    );

    promise(open, "is shown with what its relay has seen", async (rig) => {
      await lease(rig, "a");
      await rig.store.leaseOutbox({ ...SHOP, holder: "a", seen: { waiting: 7, oldestMs: 90_000, trouble: "no" } });
      rig.clock.advance(1_000);
      assert.deepEqual(await rig.store.outboxes(), [
        { name: "shop", label: "the shop", waiting: 7, oldestMs: 90_000, trouble: "no", seenMs: 1_000 },
      ]);
      await rig.store.leaseOutbox({ ...SHOP, holder: "a", seen: { waiting: 0 } });
      assert.deepEqual(await rig.store.outboxes(), [{ name: "shop", label: "the shop", waiting: 0, seenMs: 0 }]);
    });
  });
}

async function lease(rig: Rig, holder: string) {
  const held = await rig.store.leaseOutbox({ ...SHOP, holder });
  assert.ok(held, `${holder} has the lease`);
  return held;
}

async function apply(
  rig: Rig,
  held: { name: string; token: number },
  rows: OutboxRow[],
  forget: string[] = [],
): Promise<OutboxAnswer> {
  const answer = await rig.store.applyOutbox({ name: held.name, token: held.token }, rows, forget);
  assert.ok(answer !== "lease-lost");
  return answer;
}

function row(id: string, job: Partial<NewJob> = {}, tenant = "default"): OutboxRow {
  return { id, submission: { tenant, jobs: [{ kind: "mail", payload: "{}", ...job }] } };
}
