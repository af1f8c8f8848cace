// Rolling deploys from a seed: versions of one kind come and go, with stages added, removed, renamed and reordered, with
// rollbacks and kills, while jobs are submitted and worked on. Every job must pass exactly the stages of the plan it got, and
// none may be left lying that a living worker has the stage for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOf, type StagePlan } from "../../../job/kind/plan.ts";
import type { ClaimedJob } from "../../../job/lease.ts";
import type { Store } from "../../store.ts";
import { LEASE_MS, type OpenData, planOf, Rig } from "../rig.ts";

export interface RollingOptions {
  deploys: number;
  seed: number;
  /** For the proof that the check sees it: what version 0.1.0 did at every registration. */
  advanceByNewest?: boolean;
}

/** `FAULT_SEED` replays a run. */
export function describeRolling(name: string, open: OpenData, count: number): void {
  const { FAULT_SEED } = process.env;
  const seed = Number(FAULT_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const timeout = 60_000 + count * 3_000;
  test(`on ${name} every job passes exactly its plan's stages over ${count} random deploys (FAULT_SEED=${seed})`, {
    timeout,
  }, async () => {
    assert.deepEqual(await roll(open, { deploys: count, seed }), []);
  });
  test(`on ${name} the same check sees jobs that advance by the newest plan`, { timeout }, async () => {
    const wrong = await roll(open, { deploys: 12, seed: 7, advanceByNewest: true });
    assert.ok(wrong.length > 0, "jobs left their plans unseen");
  });
}

/** What went wrong, in words. */
async function roll(open: OpenData, options: RollingOptions): Promise<string[]> {
  const rig = await Rig.open(open, { plans: [] });
  try {
    const rollout = new Rollout(rig, options);
    for (let i = 0; i < options.deploys && rollout.wrong.length === 0; i++) await rollout.deploy();
    if (rollout.wrong.length === 0) await rollout.finish();
    if (!options.advanceByNewest) await rig.checkSound();
    return rollout.wrong;
  } finally {
    await rig.close();
  }
}

interface Version {
  label: string;
  stages: StagePlan[];
}

interface Worker {
  store: Store;
  version: Version;
}

interface ObservedRun {
  plan: string[];
  /** The stages that completed, in order. */
  passed: string[];
}

const KIND = "flow";

class Rollout {
  readonly wrong: string[] = [];
  readonly #rig: Rig;
  readonly #random: () => number;
  readonly #sabotage: boolean;
  readonly #versions: Version[] = [];
  readonly #jobs = new Map<string, ObservedRun>();
  #workers: Worker[] = [];
  #names = 0;

  constructor(rig: Rig, { seed, advanceByNewest = false }: RollingOptions) {
    this.#rig = rig;
    this.#random = generator(seed);
    this.#sabotage = advanceByNewest;
  }

  /** New workers come, jobs go on meanwhile, old workers stop or die. */
  async deploy(): Promise<void> {
    const isRollback = this.#versions.length > 1 && this.#random() < 0.25;
    const version = isRollback ? this.#pick(this.#versions) : this.#nextVersion();
    const old = [...this.#workers];
    for (let i = 0; i < 2; i++) {
      await this.#start(version);
      await this.#traffic(version);
    }
    for (const worker of old) {
      if (worker.version.label === version.label && this.#random() < 0.5) continue;
      await this.#end(worker);
      await this.#traffic(version);
    }
    await this.#workOff();
    await this.#nothingLies();
  }

  /** With a worker of every version everything can be done, and is. */
  async finish(): Promise<void> {
    const old = [...this.#workers];
    for (const version of this.#versions) await this.#start(version);
    for (const worker of old) await this.#end(worker);
    await this.#workOff();
    for (const [jobId, { plan, passed }] of this.#jobs) {
      const { standing } = await this.#rig.find(jobId);
      if (standing !== "completed" || plan.join() !== passed.join())
        this.wrong.push(`${jobId} with the plan ${plan} is ${standing} after ${passed}`);
    }
  }

  #nextVersion(): Version {
    const before = this.#versions.at(-1)?.stages ?? ["a", "b", "c"].map((name) => stageOf(name));
    const version = { label: `v${this.#versions.length + 1}`, stages: this.#changed(before) };
    this.#versions.push(version);
    return version;
  }

  #changed(stages: readonly StagePlan[]): StagePlan[] {
    const next = stages.map(({ name }) => stageOf(name));
    const at = Math.floor(this.#random() * next.length);
    const change = this.#pick(["add", "remove", "rename", "reorder", "nothing"]);
    if (change === "add" && next.length < 6) next.splice(at, 0, stageOf(`s${++this.#names}`));
    if (change === "remove" && next.length > 1) next.splice(at, 1);
    if (change === "reorder") next.push(...next.splice(at, 1));
    if (change === "rename") {
      const renamedFrom = namesOf(stages[at] as StagePlan);
      next[at] = { ...stageOf(`s${++this.#names}`), renamedFrom };
    }
    return next;
  }

  async #start(version: Version): Promise<void> {
    const store = await this.#rig.another();
    await store.register([planOf(KIND, [], { stages: version.stages })], { deployment: version.label });
    this.#workers.push({ store, version });
    if (this.#sabotage)
      await this.#rig.data.rewriteLinks(
        KIND,
        version.stages.map(({ name }) => name),
      );
  }

  async #end(worker: Worker): Promise<void> {
    this.#workers = this.#workers.filter((each) => each !== worker);
    if (this.#random() < 0.5) return worker.store.close();
    // Killed: it says no more, and after a lease the others take it for dead.
    for (const step of [LEASE_MS / 2, LEASE_MS / 2 + 1]) {
      this.#rig.clock.advance(step);
      for (const { store } of this.#workers) await store.beat("[]");
    }
  }

  /** Some jobs come, and some of the work is done; what a worker holds when it ends is found again. */
  async #traffic(newest: Version): Promise<void> {
    for (let i = 0; i < 4; i++) {
      const { store } = this.#pick(this.#workers);
      const jobId = await this.#rig.submit({ kind: KIND }, store);
      const { stages } = await this.#rig.find(jobId, store);
      this.#jobs.set(jobId, { plan: [...stages], passed: [] });
      await this.#rightPlan(jobId, stages, newest);
    }
    for (let i = 0; i < 6; i++) {
      const worker = this.#pick(this.#workers);
      const jobs = await this.#claim(worker, this.#pick(worker.version.stages));
      for (const job of jobs) if (this.#random() < 0.7) await this.#complete(worker, job);
    }
  }

  /** The plan of the living worker with the highest number. */
  async #rightPlan(jobId: string, stages: readonly string[], newest: Version): Promise<void> {
    const wanted = newest.stages.map(({ name }) => name);
    const { deployments } = await this.#rig.store.deployments();
    const numbers = new Map(deployments.map(({ label, number = 0 }) => [label, number]));
    const living = [...this.#workers].sort(
      (a, b) => (numbers.get(b.version.label) ?? 0) - (numbers.get(a.version.label) ?? 0),
    );
    const highest = living[0]?.version ?? newest;
    const expected = highest.label === newest.label ? wanted : highest.stages.map(({ name }) => name);
    if (stages.join() !== expected.join())
      this.wrong.push(`${jobId} got the plan ${stages}; ${highest.label} is the newest that lives, with ${expected}`);
  }

  #claim({ store }: Worker, { name, renamedFrom }: StagePlan): Promise<ClaimedJob[]> {
    return this.#rig.claim(2, { kind: KIND, stage: name, ...(renamedFrom && { renamedFrom }) }, store);
  }

  async #complete({ store }: Worker, job: ClaimedJob): Promise<void> {
    const { jobId } = job.lease;
    const { stage } = await this.#rig.find(jobId, store);
    const settled = await this.#rig.complete(job, "null", store);
    if (settled.written === "written") this.#jobs.get(jobId)?.passed.push(stage);
  }

  /** All that the living can do, in several rounds, since jobs move from stage to stage and come back from the dead. */
  async #workOff(): Promise<void> {
    for (let quiet = 0; quiet < 2; ) {
      let worked = 0;
      for (const worker of this.#workers) {
        for (const stage of worker.version.stages) {
          for (const job of await this.#claim(worker, stage)) {
            await this.#complete(worker, job);
            worked++;
          }
        }
      }
      quiet = worked > 0 ? 0 : quiet + 1;
      if (worked > 0) continue;
      // Retries become due, and the dead are found. What a living worker holds stays with it until it ends.
      this.#rig.clock.advance(5_000);
      for (const { store } of this.#workers) await store.beat("[]");
    }
  }

  async #nothingLies(): Promise<void> {
    const served = new Set(this.#workers.flatMap(({ version }) => version.stages.flatMap(namesOf)));
    for (const job of await this.#rig.store.list({ kind: KIND, standings: ["ready", "suspect"], limit: 500 })) {
      if (served.has(job.stage)) this.wrong.push(`${job.id} lies at ${job.stage}, which a living worker serves`);
    }
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }
}

function stageOf(name: string): StagePlan {
  return { name, maxAttempts: 3, maxCrashes: 50, retry: { baseMs: 1, maxMs: 1 } };
}

/** The same numbers for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
