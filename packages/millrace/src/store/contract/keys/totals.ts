// Limits on the running jobs of a kind, and limits that kinds share.

import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import { failureOf, HOUR_MS, type OpenData, planOf, promise } from "../rig.ts";
import { keyed, payloads, submitKeyed } from "./support.ts";

const TOTAL = { plans: [planOf("mail", ["running"], { concurrency: { total: 2 } })] };
const MAIL_AND_REPORT = ["mail", "report"].map((name) =>
  planOf(name, name === "mail" ? ["running"] : ["fetch", "form"], { concurrency: { limits: ["gpu"] } }),
);

export function describeTotals(open: OpenData): void {
  describe("limits on running jobs", () => {
    promise(
      open,
      "a kind runs as many jobs as its total allows, over all processes and tenants",
      async (rig) => {
        const b = await rig.another();
        for (const tenant of ["x", "y", "z"]) await rig.submit({ tenant });
        const [first, second] = [...(await rig.claim(1)), ...(await rig.claim(5, {}, b))] as [ClaimedJob, ClaimedJob];
        // Of tenants that had no turn yet, any may come first.
        assert.notEqual(first.tenant, second.tenant);
        assert.deepEqual(await rig.claim(5), []);
        await rig.settle(second, { type: "failed", failure: failureOf(), retryAfterMs: HOUR_MS }, b);
        assert.equal((await rig.claim(5)).length, 1);
        assert.deepEqual(await rig.claim(5, {}, b), []);
      },
      TOTAL,
    );

    promise(
      open,
      "a total and a number per key hold together",
      async (rig) => {
        await submitKeyed(rig, ["a", "a", "b", "c"]);
        const jobs = await rig.claim(10);
        assert.deepEqual(payloads(jobs), ["a", "b"]);
        await rig.complete(jobs[1] as ClaimedJob);
        assert.deepEqual(payloads(await rig.claim(10)), ["c"]);
      },
      keyed({ total: 2, perKey: 1 }),
    );

    promise(
      open,
      "the places of a process that died are free again once",
      async (rig) => {
        for (let i = 0; i < 5; i++) await rig.submit();
        assert.equal((await rig.die(5)).length, 2);
        assert.equal((await rig.claim(5)).length, 2);
        assert.deepEqual(await rig.claim(5), []);
      },
      TOTAL,
    );

    promise(
      open,
      "kinds share a limit, and its number is that of the highest deployment",
      async (rig) => {
        await rig.store.register(MAIL_AND_REPORT, { limits: { gpu: { total: 3 } }, deployment: "v1" });
        for (let i = 0; i < 4; i++) {
          await rig.submit();
          await rig.submit({ kind: "report" });
        }
        assert.equal((await rig.claim(2)).length, 2);
        const reports = await rig.claim(5, { kind: "report" });
        assert.equal(reports.length, 1);
        assert.deepEqual(await rig.claim(5), []);
        await rig.complete(reports[0] as ClaimedJob);
        assert.equal((await rig.claim(5, { kind: "report", stage: "form" })).length, 1, "at its next stage");
        assert.deepEqual(await rig.claim(5), []);
        const newer = await rig.another();
        await newer.register(MAIL_AND_REPORT, { limits: { gpu: { total: 4 } }, deployment: "v2" });
        await rig.store.register(MAIL_AND_REPORT, { limits: { gpu: { total: 9 } }, deployment: "v1" });
        assert.equal((await rig.claim(5)).length, 1, "the older deployment changes nothing");
      },
      { plans: MAIL_AND_REPORT },
    );
  });
}
