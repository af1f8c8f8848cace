// Random commands from a seed, run on the store and on the model; every answer must agree, and every job at the end.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Lease } from "../../../job/lease.ts";
import type { Store } from "../../store.ts";
import { type OpenData, planOf, Rig } from "../rig.ts";
import { commands, type ModelCommand } from "./commands.ts";
import { assertSame, withoutId, wordOf } from "./compare.ts";
import { MODEL, Model, type ModelJob, type ModelLease } from "./model.ts";

/** A failure prints its seed and path: `MODEL_SEED=… MODEL_PATH=… ` replays it, `MODEL_RUNS=…` runs longer. */
export function describeModel(name: string, open: OpenData, runs = 100): void {
  const { MODEL_SEED, MODEL_RUNS, MODEL_PATH } = process.env;
  const seed = Number(MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const numRuns = Number(MODEL_RUNS ?? runs);
  const timeout = 60_000 + numRuns * 500;
  test(`the ${name} store answers as the model does (MODEL_SEED=${seed})`, { timeout }, async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(0, 2),
      fc.array(commands, { minLength: 20, maxLength: 120 }),
      (cap, list) => runBoth(open, cap, list),
    );
    await fc.assert(property, { seed, numRuns, endOnFailure: false, ...(MODEL_PATH && { path: MODEL_PATH }) });
  });
}

async function runBoth(open: OpenData, cap: number, list: ModelCommand[]): Promise<void> {
  const stages = ["fetch", "form"].map((name) => ({
    name,
    maxAttempts: MODEL.attempts,
    maxCrashes: MODEL.crashes,
    retry: { baseMs: MODEL.baseMs, maxMs: 300_000 },
  }));
  const limits = { maxConcurrentPerTenant: cap, tenantOverflow: "queue" as const };
  const rig = await Rig.open(open, { plans: [planOf("report", [], { stages })], limits });
  try {
    const both = new StoreAndModel(rig, [rig.store, await rig.another()], cap);
    for (const command of list) await both.run(command);
    await both.compare();
    await rig.checkSound();
  } finally {
    await rig.close();
  }
}

class StoreAndModel {
  readonly #rig: Rig;
  readonly #stores: Store[];
  readonly #model: Model;
  readonly #leases: { lease: Lease; known: ModelLease }[] = [];
  readonly #ids: string[] = [];
  #steps = 0;

  constructor(rig: Rig, stores: Store[], cap: number) {
    this.#rig = rig;
    this.#stores = stores;
    this.#model = new Model(rig.clock.now(), cap);
    for (const holder of [0, 1]) this.#model.alive(holder);
    // Whoever opens waits two seconds before it takes anybody for dead.
    this.#advance(2_000);
  }

  async run(command: ModelCommand): Promise<void> {
    const store = this.#stores[command.by] as Store;
    switch (command.type) {
      case "submit":
        return this.#submit(store, command);
      case "claim":
        return this.#claim(store, command);
      case "settle":
        return this.#settle(store, command);
      case "write":
        return this.#write(store, command);
      case "advance":
        return this.#advance(command.ms);
      case "beat":
        return this.#beat(store, command.by);
      case "drain":
        await store.drain();
        return this.#model.drain(command.by);
      case "pause":
        assert.equal(await store.setPaused("report", command.paused), "done");
        this.#model.paused = command.paused;
        return;
      case "prune":
        await store.prune({ limit: 10_000 });
        return this.#model.prune();
      default:
        return this.#control(store, command);
    }
  }

  #advance(ms: number): void {
    this.#rig.clock.advance(ms);
    this.#model.now += ms;
  }

  async #submit(store: Store, { spec, key }: Extract<ModelCommand, { type: "submit" }>): Promise<void> {
    const { tenant, ...job } = spec;
    const expected = this.#model.answerTo(spec, key);
    const submission = { tenant, jobs: [{ kind: "report", payload: "{}", ...job }] };
    const [answer] = await store.submit([{ ...submission, ...(key && { idempotency: key }) }]);
    assert.ok(answer);
    const id = answer.type === "refused" ? answer.jobId : answer.jobIds[0];
    assert.deepEqual(
      { type: answer.type, ...(answer.type === "refused" && { code: answer.code }) },
      withoutId(expected),
    );
    if (expected.id !== undefined) assert.equal(id, expected.id);
    if (answer.type !== "accepted") return;
    this.#model.accept(id as string, spec, key);
    this.#ids.push(id as string);
  }

  /** Which tenant's turn it is the model leaves open; how many, and which jobs of a tenant, it does not. */
  async #claim(
    store: Store,
    { by, stage, room, suspects, suspectsFirst, grouped, timeoutMs }: Extract<ModelCommand, { type: "claim" }>,
  ): Promise<void> {
    await store.renew([]);
    await this.#beat(store, by);
    const slots = Array.from({ length: room }, (_, i) => i);
    const stageName = ["fetch", "form"][stage] as string;
    const claimable = this.#model.claimable(stage);
    const group = grouped && { group: { running: this.#model.runningSuspects(by) } };
    const { jobs } = await store.claim({
      ...{ kind: "report", stage: stageName, slots, timeoutMs },
      ...{ suspects, suspectsFirst, ...group },
    });
    const [grouping, ready] = [jobs.filter((job) => job.crashes >= 2), jobs.filter((job) => job.crashes < 2)];
    const left = new Map<string, number>();
    const roomOf = (tenant: string) => left.get(tenant) ?? claimable.room(tenant);
    const allowed = grouped ? Math.min(suspects, this.#model.groupRoom(by, claimable.suspects)) : suspects;
    const half = suspectsFirst ? Math.ceil(room / 2) : Math.floor(room / 2);
    const expected: string[] = [];
    const expectSuspects = (most: number) => {
      for (const job of claimable.suspects) {
        if (expected.length >= most || expected.includes(job.id) || roomOf(job.tenant) <= 0) continue;
        expected.push(job.id);
        left.set(job.tenant, roomOf(job.tenant) - 1);
      }
    };
    // While others wait too, suspects have half of the room at first, and what the others leave of the rest.
    expectSuspects(Math.min(allowed, claimable.ready.size > 0 ? half : room));
    const atFirst = expected.length;
    const most = [...claimable.ready].map(([tenant, list]) => ({
      tenant,
      list,
      most: Math.max(0, Math.min(list.length, roomOf(tenant))),
    }));
    const total = most.reduce((sum, each) => sum + each.most, 0);
    assert.equal(ready.length, Math.min(total, room - atFirst), "how many");
    const taken = most.map(({ tenant, list, most: bound }) => {
      const mine = ready.filter((job) => job.tenant === tenant).map((job) => job.lease.jobId);
      assert.deepEqual(
        mine,
        list.slice(0, mine.length).map((job) => job.id),
        "the first of each tenant",
      );
      return { count: mine.length, bound };
    });
    for (const a of taken)
      for (const b of taken) assert.ok(a.count <= b.count + 1 || b.count === b.bound, "equal shares");
    for (const job of ready) left.set(job.tenant, roomOf(job.tenant) - 1);
    expectSuspects(Math.min(allowed, room - ready.length));
    assert.deepEqual(
      grouping.map((job) => job.lease.jobId),
      expected,
      "suspects",
    );
    for (const { lease, attempt } of jobs) {
      const job = this.#model.find(lease.jobId) as ModelJob;
      this.#leases.push({ lease, known: this.#model.take(job, by, timeoutMs) });
      assert.equal(attempt, job.attempt);
    }
  }

  async #settle(store: Store, { which, stale, outcome }: Extract<ModelCommand, { type: "settle" }>): Promise<void> {
    const held = this.#lease(which, stale);
    if (!held) return;
    const expected = this.#model.holds(held.known);
    const { written } = await store.settle(held.lease, outcome);
    assert.equal(written, expected ? "written" : "lease-lost");
    if (expected) this.#model.settle(held.known, outcome);
  }

  async #write(store: Store, { which, stale, what }: Extract<ModelCommand, { type: "write" }>): Promise<void> {
    const held = this.#lease(which, stale);
    if (!held) return;
    const { lease, known } = held;
    const expected = this.#model.holds(known);
    const written = expected ? "written" : "lease-lost";
    if (what === "note") {
      assert.equal(
        await store.note(lease, { progress: { value: 0.5 }, logs: [{ at: 1, level: "info", message: "m" }] }),
        written,
      );
    } else if (what === "step") {
      const name = `step ${this.#steps++}`;
      const saved = await store.saveStep(lease, name, "1");
      assert.equal(saved === "lease-lost" ? saved : "written", written);
      if (!expected) return;
      known.job.steps.push(name);
      known.savedStep = true;
      // Stores tell the steps of two attempts apart by the time, so the next attempt must start in a later millisecond.
      this.#advance(1);
    } else {
      // Only the holder's own process renews its leases.
      assert.deepEqual(await (this.#stores[known.holder] as Store).renew([lease]), expected ? [lease] : []);
      this.#model.alive(known.holder);
    }
  }

  async #beat(store: Store, by: number): Promise<void> {
    await store.renew([]);
    const answer = await store.beat();
    const expected = this.#model.beat(by);
    assert.deepEqual(answer.expired.map(({ jobId }) => jobId).sort(), expected.expired.sort(), "expired");
    assert.deepEqual(answer.overdue.sort(), expected.overdue.sort(), "overdue");
  }

  async #control(store: Store, { type, which }: Extract<ModelCommand, { which: number }>): Promise<void> {
    const id = this.#pick(this.#ids, which);
    if (id === undefined) return;
    const job = this.#model.find(id);
    if (type === "cancel") {
      const [answer] = await store.cancel([id], "x");
      assert.equal(wordOf(answer), job ? this.#model.cancel(job) : "not-found");
    } else if (type === "release") {
      assert.equal(
        wordOf(await store.release(id)),
        job ? (this.#model.release(job) ? "done" : "conflict") : "not-found",
      );
    } else if (type === "forget") {
      assert.equal(
        wordOf((await store.forget([id]))[0]),
        job ? (this.#model.forget(job) ? "done" : "conflict") : "not-found",
      );
    } else if (type === "revive" || type === "revive-start") {
      await this.#revive(store, id, job, type === "revive-start");
    }
  }

  async #revive(store: Store, id: string, job: ModelJob | undefined, fromStart: boolean): Promise<void> {
    const from = fromStart ? "start" : "failed-stage";
    const answer = await store.revive(id, { from, ...(job?.uniqueKey && { uniqueKey: job.uniqueKey }) });
    if (!job) return assert.equal(answer, "not-found");
    const conflict = this.#model.reviveConflict(job);
    assert.ok(typeof answer === "object");
    if ("revived" in answer) {
      assert.equal(conflict, undefined);
      this.#model.revive(job, answer.revived, fromStart);
      this.#ids.push(answer.revived);
    } else assert.equal(answer.jobId ?? "conflict", conflict);
  }

  compare(): Promise<void> {
    return assertSame(this.#stores, this.#ids, this.#model);
  }

  #lease(which: number, stale: boolean) {
    const outdated = this.#leases.filter(({ known }) => known.job.state === "running" && !this.#model.holds(known));
    return this.#pick(stale && outdated.length > 0 ? outdated : this.#leases, which);
  }

  #pick<T>(list: T[], which: number): T | undefined {
    return list[Math.floor(which * list.length)];
  }
}
