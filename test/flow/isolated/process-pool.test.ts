// runtimes: bun, node or node22
// Child processes without a store: answers, faults, deadlines, aborts, and the end of all of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { type PoolAnswer, ProcessPool, type ProcessPoolOptions } from "../../../packages/millrace/src/isolated.ts";
import { processIdentity } from "../../../packages/millrace/src/lib/runtime/process-identity.ts";
import { run, temporaryFolder } from "../../support/program.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import type { Order } from "../modules/work.ts";

const module = new URL("../modules/work.ts", import.meta.url);
type Doubled = { n: number; pid: number };

class Work {
  readonly pool: ProcessPool;

  constructor(t: TestContext, options: Partial<ProcessPoolOptions> = {}) {
    this.pool = new ProcessPool({ module, ...options });
    t.after(() => this.pool.close());
  }

  order(order: Order, options?: Parameters<ProcessPool["run"]>[1]): Promise<PoolAnswer> {
    return this.pool.run(order, options);
  }

  async double(n: number): Promise<Doubled> {
    return (await this.order({ do: "double", n })).result as Doubled;
  }
}

describe("a pool of processes", () => {
  test("gives back what the module returned, and reuses its processes", async (t) => {
    const work = new Work(t, { processes: 2 });
    const first = await work.double(1);
    assert.equal(first.n, 2);
    assert.equal((await work.double(2)).pid, first.pid);
    const many = await Promise.all([3, 4, 5, 6].map((n) => work.double(n)));
    assert.deepEqual(
      many.map(({ n }) => n),
      [6, 8, 10, 12],
    );
    assert.ok(new Set(many.map(({ pid }) => pid)).size <= 2, "no more processes than were allowed");
  });

  test("a deadline ends the process, and the next call gets another one", async (t) => {
    const work = new Work(t);
    const { pid } = await work.double(1);
    await assert.rejects(work.order({ do: "spin" }, { timeoutMs: scaled(300) }), {
      name: "JobFailure",
      code: "timed-out",
    });
    assert.notEqual((await work.double(2)).pid, pid);
  });

  test("an aborted call rejects with the signal's reason, waiting or running, and its process ends", async (t) => {
    const work = new Work(t);
    const pids = join(temporaryFolder(t), "pids");
    const [running, waiting, never] = [new AbortController(), new AbortController(), AbortSignal.abort("too late")];
    const first = work.order({ do: "spin", pids }, { signal: running.signal });
    const second = work.order({ do: "double", n: 1 }, { signal: waiting.signal });
    const pid = Number(await until("the process tells its id", () => read(pids)));
    waiting.abort(new Error("not any more"));
    await assert.rejects(second, /not any more/);
    running.abort(new Error("stop this"));
    await assert.rejects(first, /stop this/);
    await until("the process is gone", () => isGone(pid));
    await assert.rejects(work.order({ do: "double" }, { signal: never }), (reason) => reason === "too late");
    assert.equal((await work.double(4)).n, 8);
  });

  test("a call whose process dies is tried once more, and then fails", async (t) => {
    const work = new Work(t);
    await assert.rejects(work.order({ do: "die" }), { code: "crashed", message: /exited with code 7/ });
    assert.equal((await work.double(1)).n, 2);
  });

  test("above its memory a process ends, and the call says so", async (t) => {
    const work = new Work(t, { memoryMb: 300 });
    await assert.rejects(work.order({ do: "grow" }), { code: "out-of-memory" });
  });

  test("what the module throws comes with its cause", async (t) => {
    const work = new Work(t);
    const thrown = await work.order({ do: "caused" }).catch((error) => error);
    assert.equal(thrown.name, "JobFailure");
    assert.ok(thrown.cause instanceof Error);
    await assert.rejects(
      work.order({ do: "defer", n: 1 }, { timeoutMs: scaled(5_000) }),
      /cannot be deferred, held or continued as new/,
    );
  });

  test("a module that does not load fails those who wait, and invalid options are refused", async (t) => {
    const broken = new Work(t, { module: new URL("../modules/absent.ts", import.meta.url) });
    await assert.rejects(broken.double(1), { code: "processor-broken", message: /absent\.ts does not start/ });
    assert.throws(() => new ProcessPool({ module, processes: 0 }), { code: "invalid-request" });
    await assert.rejects(new Work(t).order({ do: "double" }, { timeoutMs: -1 }), { code: "invalid-request" });
  });

  test("an idle process ends, and close() ends all of them and rejects what is open", async (t) => {
    const short = new Work(t, { idleMs: 1 });
    const { pid } = await short.double(1);
    await until("the idle process is gone", () => isGone(pid));
    const work = new Work(t);
    const last = (await work.double(1)).pid;
    const open = assert.rejects(work.order({ do: "wait" }), { code: "pool-closed" });
    await work.pool.close();
    await open;
    assert.ok(isGone(last));
    await assert.rejects(work.double(1), { code: "pool-closed" });
  });
});

test("idle processes do not keep the program alive, a call does, and they end with it", async (t) => {
  const program = run(t, [process.execPath, "test/flow/scripts/pool.ts"]);
  const { code } = await program.ended();
  assert.equal(code, 0, program.stderr());
  const [pid = 0, n] = program.stdout().trim().split(" ").map(Number);
  assert.equal(n, 42);
  await until("the process of the pool is gone", () => isGone(pid));
});

function isGone(pid: number): boolean {
  return processIdentity(pid) === undefined;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
