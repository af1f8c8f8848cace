// Random lives of a job that waits, from a seed, on the store and on the model. Its attempt is given up at any border between two
// commits, as by a crash, and goes on in another one.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ClaimedJob } from "../../../job/lease.ts";
import { type NewWait, plainName } from "../../../job/wait.ts";
import { HOUR_MS, type OpenData, Rig } from "../rig.ts";
import { eventOn, signalNamed, sleepFor, stored, wordsOf } from "../waits/support.ts";
import { WaitsModel } from "./waits-model.ts";

/** `go#2` is the second wait for the signal `go`: it may get what the first one gave back after a lost race. */
const WAITS: readonly NewWait[] = [
  sleepFor(1_000, "short"),
  sleepFor(60_000, "long"),
  signalNamed("go"),
  signalNamed("go#2"),
  signalNamed("stop", 5_000),
  signalNamed("late", 100),
  eventOn("paid", { key: 0 }),
  { ...eventOn("paid", { key: 0 }), name: "paid#2" },
  { ...eventOn("sent", { key: 1 }), timeoutMs: 20_000 },
];

type Command =
  | { do: "suspend" | "race"; picks: number[] }
  | { do: "signal"; name: string }
  | { do: "publish"; key: number; keepMs: number }
  | { do: "advance"; ms: number }
  | { do: "claim" | "give-up" | "cancel" };

const picks = fc.uniqueArray(fc.nat({ max: WAITS.length - 1 }), { minLength: 1, maxLength: 3 });
const commands: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("suspend" as const), picks }), weight: 8 },
  { arbitrary: fc.record({ do: fc.constant("race" as const), picks }), weight: 3 },
  {
    arbitrary: fc.record({ do: fc.constant("signal" as const), name: fc.constantFrom("go", "go", "stop", "late") }),
    weight: 6,
  },
  {
    arbitrary: fc.record({
      do: fc.constant("publish" as const),
      key: fc.nat({ max: 1 }),
      keepMs: fc.constantFrom(500, HOUR_MS),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.constantFrom(1, 99, 1_000, 30_000) }),
    weight: 6,
  },
  { arbitrary: fc.record({ do: fc.constant("claim" as const) }), weight: 12 },
  { arbitrary: fc.record({ do: fc.constant("give-up" as const) }), weight: 4 },
  { arbitrary: fc.record({ do: fc.constant("cancel" as const) }), weight: 1 },
);

/** A failure prints its seed and path: `MODEL_SEED=… MODEL_PATH=…` replays it, `MODEL_RUNS=…` runs longer. */
export function describeWaitsModel(name: string, open: OpenData, runs: number): void {
  const { MODEL_SEED, MODEL_RUNS, MODEL_PATH } = process.env;
  const seed = Number(MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const numRuns = Number(MODEL_RUNS ?? runs);
  test(`a job that waits on the ${name} store does as the model (MODEL_SEED=${seed})`, {
    timeout: 60_000 + numRuns * 1_000,
  }, async () => {
    const lists = fc.array(commands, { minLength: 10, maxLength: 60 });
    const property = fc.asyncProperty(lists, (list) => live(open, list));
    await fc.assert(property, { seed, numRuns, endOnFailure: false, ...(MODEL_PATH && { path: MODEL_PATH }) });
  });
}

async function live(open: OpenData, list: readonly Command[]): Promise<void> {
  const rig = await Rig.open(open, { leaseMs: 24 * HOUR_MS });
  try {
    const job = new WaitingJob(rig, await rig.running());
    for (const command of list) await job.run(command);
    await rig.checkSound();
  } finally {
    await rig.close();
  }
}

class WaitingJob {
  readonly #rig: Rig;
  readonly #model: WaitsModel;
  #held: ClaimedJob;
  readonly #given: ClaimedJob[] = [];
  #count = 0;
  /** The attempt has read its waits, as code does at its first call. */
  #hasRead = true;

  constructor(rig: Rig, held: ClaimedJob) {
    this.#rig = rig;
    this.#held = held;
    this.#model = new WaitsModel(rig.clock.now());
  }

  get #jobId(): string {
    return this.#held.lease.jobId;
  }

  async run(command: Command): Promise<void> {
    const { store } = this.#rig;
    const isRunning = this.#model.state === "running";
    switch (command.do) {
      case "suspend":
        return isRunning && this.#hasRead ? this.#suspend(command.picks) : undefined;
      case "race":
        return isRunning && this.#hasRead ? this.#race(command.picks) : undefined;
      case "signal": {
        const value = JSON.stringify(++this.#count);
        const answer = await store.signal({ target: { jobId: this.#jobId }, name: command.name, value });
        return assert.equal(answer.type, this.#model.signal(command.name, value));
      }
      case "publish": {
        const { key, keepMs } = command;
        const fields = JSON.stringify({ key, n: ++this.#count });
        const topic = key === 0 ? "paid" : "sent";
        const { woken } = await store.publish({ tenant: "default", topic, fields, keepMs });
        return assert.equal(woken, this.#model.publish(key, fields, keepMs), "woken");
      }
      case "advance":
        this.#rig.clock.advance(command.ms);
        this.#model.now += command.ms;
        return;
      case "claim":
        return isRunning ? undefined : this.#claim();
      case "give-up":
        return isRunning ? this.#giveUp() : undefined;
      case "cancel":
        if (this.#model.state === "ended") return;
        await store.cancel([this.#jobId], "x");
        this.#model.state = "ended";
    }
  }

  /** Code never waits for what it has an answer to, nor for a wait that lost its race. */
  async #suspend(picked: readonly number[]): Promise<void> {
    const waits = this.#waits(picked).filter((wait) => {
      const state = this.#model.find(wait)?.state;
      return state === undefined || state === "open" || state === "dormant";
    });
    if (waits.length === 0) return;
    const { written } = await this.#rig.settle(this.#held, { type: "waiting", waits });
    assert.equal(written, "written");
    this.#model.suspend(waits);
    await this.#staleIsRefused();
  }

  async #race(picked: readonly number[]): Promise<void> {
    const members = this.#waits(picked);
    if (members.some((member) => this.#model.find(member)?.state === "closed")) return;
    const name = `race ${this.#model.races.length}`;
    const decided = this.#model.race(name, members);
    if (!decided) return;
    const closes = decided.closes.map(({ type, name: closed }) => ({ type, name: closed }));
    const race = { name, value: decided.value, closes };
    assert.equal(await this.#rig.store.decideRace(this.#held.lease, race), "written");
    assert.deepEqual(await this.#read(), this.#model.resume());
  }

  async #claim(): Promise<void> {
    const [job] = await this.#rig.claim(1);
    assert.equal(job !== undefined, this.#model.isClaimable, "claimable");
    if (!job) return;
    this.#held = job;
    this.#model.state = "running";
    assert.deepEqual(await this.#read(), this.#model.resume());
  }

  async #read(): Promise<string[]> {
    return (await stored(this.#rig, this.#held)).map(wordsOf).sort();
  }

  /** The attempt ends between two commits, and the job goes back. */
  async #giveUp(): Promise<void> {
    await this.#rig.settle(this.#held, { type: "released" });
    this.#model.state = "ready";
    await this.#staleIsRefused();
  }

  async #staleIsRefused(): Promise<void> {
    this.#given.push(this.#held);
    const [first] = this.#given;
    if (first) assert.equal(await this.#rig.store.resume(first.lease), "lease-lost");
  }

  /** Code cannot begin the second wait of a name before the first has its answer. */
  #waits(picked: readonly number[]): NewWait[] {
    const isOpen = (state: string | undefined) => state === undefined || state === "open" || state === "dormant";
    return picked
      .map((i) => WAITS[i] as NewWait)
      .filter(({ type, name }) => {
        const first = plainName(name);
        return first === name || !isOpen(this.#model.find({ type, name: first })?.state);
      });
  }
}
