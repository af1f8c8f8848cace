import assert from "node:assert/strict";
import { describe } from "node:test";
import type { NewWait } from "../../../job/wait.ts";
import { type OpenData, promise } from "../rig.ts";
import { resumed, SECOND_MS, waiting } from "./support.ts";

const DETAILS = JSON.stringify({ title: "Ship 7?", choices: ["yes", "no"], details: null, audience: [] });

function approval(name = "ship", timeoutMs?: number): NewWait {
  return { type: "approval", name, details: DETAILS, ...(timeoutMs !== undefined && { timeoutMs }) };
}

export function describeApprovals(open: OpenData): void {
  describe("an approval", () => {
    promise(open, "is listed while it is open, and its decision wakes the job", async (rig) => {
      const jobId = await waiting(rig, [approval()]);
      const [listed] = await rig.store.approvals({ limit: 10 });
      assert.ok(listed);
      assert.deepEqual([listed.jobId, listed.kind, listed.name, listed.details], [jobId, "mail", "ship", DETAILS]);
      assert.match(listed.id, /^apr_[0-9A-Za-z]{8}$/);
      const decision = { approval: listed.id, choice: "yes", by: "ann", comment: "go" };
      const decided = await rig.store.decideApproval(decision);
      assert.deepEqual(decided, { type: "decided", jobId, name: "ship", tenant: "default" });
      const { waits } = await resumed(rig, jobId);
      const at = new Date(rig.clock.now()).toISOString();
      assert.deepEqual(waits, [
        `approval ship answered ${JSON.stringify({ choice: "yes", by: "ann", at, comment: "go" })}`,
      ]);
      assert.deepEqual(await rig.store.approvals({ limit: 10 }), []);
    });

    promise(open, "is decided once", async (rig) => {
      await waiting(rig, [approval()]);
      const [{ id } = { id: "" }] = await rig.store.approvals({ limit: 1 });
      await rig.store.decideApproval({ approval: id, choice: "yes", by: "ann" });
      const second = await rig.store.decideApproval({ approval: id, choice: "no", by: "bob" });
      assert.equal(second.type, "conflict");
      assert.equal((await rig.store.findApproval(id))?.isOpen, false);
    });

    promise(open, "takes only its choices, and no decision after its time", async (rig) => {
      await waiting(rig, [approval("ship", SECOND_MS)]);
      const [{ id } = { id: "" }] = await rig.store.approvals({ limit: 1 });
      const wrong = await rig.store.decideApproval({ approval: id, choice: "maybe", by: "ann" });
      assert.deepEqual(wrong, { type: "invalid", message: "The choice must be one of: yes, no." });
      rig.clock.advance(SECOND_MS);
      const late = await rig.store.decideApproval({ approval: id, choice: "yes", by: "ann" });
      assert.equal(late.type, "conflict");
      assert.deepEqual((await resumed(rig, (await rig.store.findApproval(id))?.jobId ?? "")).waits, [
        "approval ship timed-out",
      ]);
    });

    promise(open, "of another tenant is not found, and lists are pages by tenant and job", async (rig) => {
      const a = await waiting(rig, [approval("one"), approval("two")], { tenant: "a" });
      await waiting(rig, [approval()], { tenant: "b" });
      const ofA = await rig.store.approvals({ tenant: "a", limit: 1 });
      assert.deepEqual(
        ofA.map(({ name }) => name),
        ["one"],
      );
      const next = await rig.store.approvals({ tenant: "a", limit: 5, afterId: ofA[0]?.id ?? "" });
      assert.deepEqual(
        next.map(({ name }) => name),
        ["two"],
      );
      assert.equal((await rig.store.approvals({ jobId: a, limit: 5 })).length, 2);
      const decision = { approval: ofA[0]?.id ?? "", choice: "yes", by: "x", tenant: "b" };
      assert.deepEqual(await rig.store.decideApproval(decision), { type: "not-found" });
      assert.deepEqual(await rig.store.decideApproval({ ...decision, approval: "apr_nonsense" }), {
        type: "not-found",
      });
    });

    promise(open, "of a cancelled job is closed", async (rig) => {
      const jobId = await waiting(rig, [approval()]);
      const [{ id } = { id: "" }] = await rig.store.approvals({ limit: 1 });
      await rig.store.cancel([jobId], "No.");
      assert.deepEqual(await rig.store.approvals({ limit: 1 }), []);
      assert.equal((await rig.store.decideApproval({ approval: id, choice: "yes", by: "ann" })).type, "conflict");
    });
  });
}
