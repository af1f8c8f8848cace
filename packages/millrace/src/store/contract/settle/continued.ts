import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Outcome } from "../../../job/lifecycle.ts";
import { type OpenData, promise } from "../rig.ts";

const CONTINUED: Outcome = { type: "continued", payload: '"again"' };

export function describeContinued(open: OpenData): void {
  describe("a job that continues as new", () => {
    promise(open, "completes, and its successor is stored in the same commit, once", async (rig) => {
      const job = await rig.running({ tenant: "acme", priority: 3, tags: ["a"] });
      const answer = await rig.store.settle(job.lease, CONTINUED);
      assert.ok(answer.written === "written" && answer.jobIds?.length === 1, JSON.stringify(answer));
      assert.equal(answer.standing, "completed");
      const [next] = await rig.store.find(answer.jobIds);
      assert.deepEqual([next?.payload, next?.tenant, next?.priority, next?.tags], ['"again"', "acme", 3, ["a"]]);
      assert.deepEqual(await rig.store.settle(job.lease, CONTINUED), { written: "lease-lost" });
      assert.equal((await rig.store.list({ limit: 10 })).length, 2);
    });
  });
}
