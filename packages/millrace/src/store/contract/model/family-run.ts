// Random lives of a parent with children, steps to undo and a batch, from a seed, on the store and on the model. Attempts are given up
// at any border between two commits, as by a crash, and go on in others.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ClaimedJob } from "../../../job/lease.ts";
import { CHILD_KIND, claimChildren, endsOf, endWords, start } from "../children/support.ts";
import { HOUR_MS, MAIL, type OpenData, REPORT, Rig } from "../rig.ts";
import { FamilyModel, hasEnded, type ModelMember } from "./family-model.ts";

type Command =
  | { do: "start"; count: number; mode: "fail" | "collect" }
  | { do: "end"; pick: number; how: "complete" | "fail" | "release" | "cancel" }
  | { do: "add"; count: number }
  | { do: "undo"; count: number }
  | { do: "step" | "suspend" | "fail" | "cancel" | "claim" | "give-up" | "work" | "seal" };

const command = <Name extends Command["do"]>(name: Name) => fc.record({ do: fc.constant(name) });
const commands = fc.oneof(
  {
    arbitrary: fc.record({
      do: fc.constant("start" as const),
      count: fc.nat({ max: 3 }),
      mode: fc.constantFrom("fail" as const, "collect" as const),
    }),
    weight: 6,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      pick: fc.nat({ max: 5 }),
      how: fc.constantFrom(
        "complete" as const,
        "complete" as const,
        "fail" as const,
        "release" as const,
        "cancel" as const,
      ),
    }),
    weight: 14,
  },
  { arbitrary: fc.record({ do: fc.constant("add" as const), count: fc.integer({ min: 1, max: 2 }) }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant("undo" as const), count: fc.nat({ max: 2 }) }), weight: 8 },
  { arbitrary: command("step"), weight: 5 },
  { arbitrary: command("suspend"), weight: 8 },
  { arbitrary: command("fail"), weight: 2 },
  { arbitrary: command("cancel"), weight: 1 },
  { arbitrary: command("claim"), weight: 12 },
  { arbitrary: command("give-up"), weight: 3 },
  { arbitrary: command("work"), weight: 12 },
  { arbitrary: command("seal"), weight: 1 },
) as fc.Arbitrary<Command>;

/** A failure prints its seed and path: `MODEL_SEED=… MODEL_PATH=…` replays it, `MODEL_RUNS=…` runs longer. */
export function describeFamilyModel(name: string, open: OpenData, runs: number): void {
  const { MODEL_SEED, MODEL_RUNS, MODEL_PATH } = process.env;
  const seed = Number(MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const numRuns = Number(MODEL_RUNS ?? runs);
  test(`children, undos and a batch on the ${name} store do as the model (MODEL_SEED=${seed})`, {
    timeout: 60_000 + numRuns * 1_000,
  }, async () => {
    const lists = fc.array(commands, { minLength: 10, maxLength: 50 });
    const property = fc.asyncProperty(lists, (list) => live(open, list));
    await fc.assert(property, { seed, numRuns, endOnFailure: false, ...(MODEL_PATH && { path: MODEL_PATH }) });
  });
}

async function live(open: OpenData, list: readonly Command[]): Promise<void> {
  const rig = await Rig.open(open, { leaseMs: 24 * HOUR_MS, plans: [MAIL, REPORT, CHILD_KIND] });
  try {
    const batchId = await rig.store.createBatch({ tenant: "default", onEnd: { kind: "report", payload: "{}" } });
    const family = new Family(rig, await rig.running(), batchId);
    for (const each of list) {
      await family.run(each);
      await family.check();
    }
    await family.settleDown();
    await rig.checkSound();
  } finally {
    await rig.close();
  }
}

class Family {
  readonly #rig: Rig;
  readonly #model = new FamilyModel();
  readonly #batchId: string;
  #parent: ClaimedJob;
  readonly #held = new Map<string, ClaimedJob>();
  #steps = 0;

  constructor(rig: Rig, parent: ClaimedJob, batchId: string) {
    this.#rig = rig;
    this.#parent = parent;
    this.#batchId = batchId;
  }

  get #jobId(): string {
    return this.#parent.lease.jobId;
  }

  async run(command: Command): Promise<void> {
    const model = this.#model;
    const runs = model.parent === "running" && !model.undoing;
    switch (command.do) {
      case "start":
        return runs ? this.#start(command.count, command.mode) : undefined;
      case "step":
        return runs ? this.#step() : undefined;
      case "suspend":
        return runs && model.mode ? this.#suspend() : undefined;
      case "fail":
        return runs ? this.#fail() : undefined;
      case "cancel":
        return this.#cancelParent();
      case "claim":
        return model.parent === "running" ? undefined : this.#claim();
      case "give-up":
        return model.parent === "running" ? this.#giveUp() : undefined;
      case "undo":
        return model.parent === "running" && model.undoing ? this.#undo(command.count) : undefined;
      case "work":
        return this.#work();
      case "end":
        return this.#end(command.pick, command.how);
      case "add":
        return model.isSealed ? undefined : this.#add(command.count);
      case "seal":
        if (model.isSealed) return;
        assert.equal(await this.#rig.store.sealBatch(this.#batchId), "done");
        model.isSealed = true;
    }
  }

  /** The list is stored at the first call. A later attempt that calls again starts no child. */
  async #start(count: number, mode: "fail" | "collect"): Promise<void> {
    const model = this.#model;
    await start(this.#rig, this.#parent, count, { mode: model.mode ?? mode });
    if (model.mode) return;
    model.mode = mode;
    const ends = await endsOf(this.#rig, this.#parent);
    model.add(
      "child",
      ends.children.map(({ jobId }) => jobId),
    );
    assert.equal(ends.children.length, count);
  }

  async #step(): Promise<void> {
    const name = `step ${this.#steps++}`;
    assert.equal(await this.#rig.store.beginUndoable(this.#parent.lease), "written");
    const saved = await this.#rig.store.saveStep(this.#parent.lease, name, "1", { undo: "refund" });
    assert.notEqual(saved, "lease-lost");
    this.#model.undos.unshift(name);
  }

  async #suspend(): Promise<void> {
    const settled = await this.#rig.settle(this.#parent, {
      type: "waiting",
      waits: [{ type: "children", name: "parts" }],
    });
    const expected = this.#model.isJoined ? "ready" : "scheduled";
    assert.equal(settled.written === "written" && settled.standing, expected, "suspended");
    this.#model.parent = "waiting";
  }

  async #fail(): Promise<void> {
    await this.#rig.fail(this.#parent, { permanent: true });
    this.#model.fall("failed");
  }

  /** While it runs with undos, a cancellation waits for the attempt: the contract of undo has that. */
  async #cancelParent(): Promise<void> {
    const model = this.#model;
    if (model.hasEnded || model.undoing || (model.parent === "running" && model.undos.length > 0)) return;
    await this.#rig.store.cancel([this.#jobId], "x");
    model.fall("cancelled");
  }

  async #claim(): Promise<void> {
    const model = this.#model;
    const [job] = await this.#rig.claim(1);
    assert.equal(job?.lease.jobId, model.isClaimable ? this.#jobId : undefined, "claimable");
    if (!job) return;
    this.#parent = job;
    model.parent = "running";
    assert.equal(job.workflow?.undoing, model.undoing);
    if (model.undoing || !model.mode || !model.isJoined) return;
    const ends = await endsOf(this.#rig, job);
    assert.equal(ends.failed?.jobId, model.mode === "fail" ? model.failures[0]?.jobId : undefined, "the first failure");
    if (model.mode === "collect")
      assert.deepEqual(
        endWords(ends).map(stateIn),
        model.of("child").map(({ state }) => state),
      );
  }

  async #giveUp(): Promise<void> {
    await this.#rig.settle(this.#parent, { type: "released" });
    assert.equal(await this.#rig.store.storedSteps(this.#parent.lease), "lease-lost");
    this.#model.parent = "ready";
  }

  /** Runs so many undo handlers. After the last one the job ends as it was to end. */
  async #undo(count: number): Promise<void> {
    const model = this.#model;
    const left = await this.#rig.store.undosLeft(this.#parent.lease);
    assert.ok(left !== "lease-lost");
    assert.deepEqual(
      left.map(({ name }) => name),
      model.undos,
    );
    for (const name of model.undos.splice(0, count)) {
      assert.notEqual(await this.#rig.store.saveStep(this.#parent.lease, `undo:${name}`, "null"), "lease-lost");
    }
    if (model.undos.length > 0 || !model.undoing) return;
    await this.#rig.settle(this.#parent, { type: "undone" });
    model.parent = model.undoing;
    model.undoing = undefined;
  }

  async #work(): Promise<void> {
    const ready = this.#model.members.filter(({ state }) => state === "ready");
    const [job] = await claimChildren(this.#rig, 1);
    if (!job)
      return assert.ok(
        ready.every(({ isDoomed }) => isDoomed),
        "a member can be claimed",
      );
    const member = ready.find(({ jobId }) => jobId === job.lease.jobId);
    assert.ok(member, "it was ready");
    member.state = "running";
    this.#held.set(member.jobId, job);
  }

  async #end(pick: number, how: "complete" | "fail" | "release" | "cancel"): Promise<void> {
    const live = this.#model.members.filter((member) => !hasEnded(member));
    const member = live[pick % Math.max(1, live.length)];
    if (!member) return;
    if (how === "cancel") {
      await this.#rig.store.cancel([member.jobId], "x");
      return this.#model.end(member, "cancelled");
    }
    const job = this.#held.get(member.jobId);
    if (member.state !== "running" || !job) return;
    const settled = await this.#endBy(job, how);
    const isLost = settled.written === "lease-lost";
    assert.ok(!isLost || member.isDoomed, "only a doomed child is lost");
    if (isLost) this.#model.end(member, "cancelled");
    else if (how === "release") member.state = "ready";
    else this.#model.end(member, how === "complete" ? "completed" : "failed");
  }

  #endBy(job: ClaimedJob, how: "complete" | "fail" | "release") {
    if (how === "complete") return this.#rig.complete(job, job.payload);
    return how === "fail" ? this.#rig.fail(job, { permanent: true }) : this.#rig.settle(job, { type: "released" });
  }

  async #add(count: number): Promise<void> {
    const jobs = Array.from({ length: count }, (_, i) => ({ kind: "child", payload: String(i) }));
    const answer = await this.#rig.store.addToBatch(this.#batchId, { tenant: "default", jobs });
    assert.ok(answer.type === "accepted");
    this.#model.add("batch", answer.jobIds);
  }

  /** What a commit has left to do is done by the next beat. */
  async check(): Promise<void> {
    const { store } = this.#rig;
    const model = this.#model;
    await store.beat();
    for (const member of model.members) await this.#checkMember(member);
    assert.equal(await store.count({ kind: "child" }), model.members.length, "no child is submitted twice");
    const batch = await store.findBatch(this.#batchId);
    assert.deepEqual(batch?.counts, model.batchCounts);
    assert.equal(await store.count({ kind: "report" }), model.isBatchOver ? 1 : 0, "the callback");
    if (model.hasEnded) assert.equal(await this.#rig.standing(this.#jobId), model.parent);
  }

  async #checkMember(member: ModelMember): Promise<void> {
    const standing = await this.#rig.standing(member.jobId);
    if (member.isDoomed && !hasEnded(member) && standing === "cancelled") this.#model.end(member, "cancelled");
    assert.equal(standing, member.state, member.role);
  }

  /** Whatever happened, the family comes to its end, and no child outlives its parent. */
  async settleDown(): Promise<void> {
    const model = this.#model;
    for (let turn = 0; turn < 60 && !model.hasEnded; turn++) {
      await this.run({ do: "work" });
      await this.run({ do: "end", pick: turn, how: "complete" });
      await this.run({ do: "claim" });
      await this.run({ do: "fail" });
      await this.run({ do: "undo", count: 1 });
      await this.check();
    }
    assert.ok(model.hasEnded, "the parent ends");
    assert.deepEqual(
      model.of("child").filter((child) => !hasEnded(child)),
      [],
      "no child outlives its parent",
    );
  }
}

/** `c0 failed broken` is `failed`. */
function stateIn(words: string): string {
  return words.split(" ")[1] as string;
}
