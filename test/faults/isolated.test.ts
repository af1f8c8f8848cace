import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { until } from "../support/until.ts";
import type { Member } from "./support/crew.ts";
import { onEachStore } from "./support/stores.ts";

const LEASE_MS = 1_000;
const PROCESSORS = 3;
const settings = { leaseMs: LEASE_MS };
const PARENT = { settings, works: ["apart" as const], kindOptions: { processors: PROCESSORS } };

onEachStore(({ on, gather }) => {
  test(`on ${on} children that spin, and what they started, are gone 5 s after their parent was killed`, {
    timeout: 60_000,
  }, async (t) => {
    const crew = await gather(t);
    const parent = await crew.ready("parent", PARENT);
    const gate = crew.gate("pids");
    await parent.submit(
      "apart",
      Array.from({ length: PROCESSORS }, (_, i) => ({ key: `${i}`, gate, spins: "with-grandchild" as const })),
    );
    await until("all of them spin", () => pidsIn(gate).length === 2 * PROCESSORS, 20_000);
    const pids = [...pidsIn(gate), ...childrenOf(parent.pid)];
    crew.beforeItGoes(() => {
      for (const pid of pids) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    });
    assert.ok(pids.every(isAlive));
    const since = performance.now();
    await crew.kill(parent);
    await until("none is left", () => !pids.some(isAlive), 5_000);
    console.log(
      `isolated.test: ${new Set(pids).size} processes gone ${Math.round(performance.now() - since)} ms after their parent's death`,
    );
  });

  test(`on ${on} a child killed from outside in mid-job is replaced and its job completes`, {
    timeout: 60_000,
  }, async (t) => {
    const crew = await gather(t);
    const parent = await crew.ready("parent", PARENT);
    const gate = crew.gate("pids");
    const [jobId] = await parent.submit("apart", [{ key: "a", gate, spinMs: 30_000 }]);
    await until("it spins", () => pidsIn(gate).length === 1, 10_000);
    process.kill(pidsIn(gate)[0] as number, "SIGKILL");
    await crew.allFinished(10_000);
    const job = await parent.ask<{ state: string; crashes: number; retries: number }>({
      do: "find",
      jobId: jobId as string,
    });
    assert.equal(job.state, "completed");
    assert.equal(job.crashes, 1, "counted as a crash");
    assert.equal(job.retries, 0, "and not as a failed attempt");
    assert.deepEqual(await parent.stop(), { code: 0, signal: null }, parent.words);
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  });

  test(`on ${on} the deadline kills a child that spins, and all it started`, { timeout: 60_000 }, async (t) => {
    const crew = await gather(t);
    const parent = await crew.ready("parent", PARENT);
    const gate = crew.gate("pids");
    const [jobId] = await parent.submit("apart", [{ key: "a", gate, spins: "with-grandchild" }], {
      timeoutMs: 800,
      maxAttempts: 1,
    });
    await until("it spins", () => pidsIn(gate).length === 2, 10_000);
    await crew.allFinished(5_000);
    await until("none of its processes is left", () => !pidsIn(gate).some(isAlive), 10_000);
    const job = await parent.ask<{ state: string; failure: { code: string } }>({ do: "find", jobId: jobId as string });
    assert.equal(job.state, "failed");
    assert.equal(job.failure.code, "timed-out");
    await parent.submit("apart", [{ key: "b" }]);
    await crew.allFinished(10_000);
    assert.deepEqual(await parent.stop(), { code: 0, signal: null }, parent.words);
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS, deadLetters: new Set(["a"]) }), []);
  });

  test(`on ${on} SIGTERM ends the children too, and hands their jobs back`, { timeout: 60_000 }, async (t) => {
    const crew = await gather(t);
    const parent = await crew.ready("parent", { ...PARENT, settings: { ...settings, shutdownGraceMs: 300 } });
    const gate = crew.gate("pids");
    await parent.submit("apart", [{ key: "a", gate, spins: "alone" }]);
    await until("it spins", () => pidsIn(gate).length === 1, 10_000);
    assert.deepEqual(await parent.stop(), { code: 0, signal: null }, parent.words);
    assert.ok(!pidsIn(gate).some(isAlive));
    const [job] = [...(await crew.stored()).jobs.values()];
    assert.equal(job?.standing, "ready");
    assert.equal((job?.failures ?? 0) + (job?.crashes ?? 0), 0, "no attempt burned");
  });

  test(`on ${on} a hundred jobs in children, ten of which die, leave no zombie and no open file`, {
    timeout: 120_000,
  }, async (t) => {
    const crew = await gather(t);
    const parent = await crew.ready("parent", PARENT);
    // The first round starts the children and opens what stays open.
    await parent.submit(
      "apart",
      Array.from({ length: 10 }, (_, i) => ({ key: `warm ${i}` })),
    );
    await crew.allFinished(20_000);
    const before = await restingFiles(parent);
    await parent.submit(
      "apart",
      Array.from({ length: 100 }, (_, i) => ({ key: `${i}`, ...(i % 10 === 0 && { dies: "kill" as const }) })),
    );
    await crew.allFinished(60_000);
    const zombies = childrenOf(parent.pid).filter((pid) => stateOf(pid) === "Z");
    assert.deepEqual(zombies, []);
    const after = await restingFiles(parent);
    console.log(`isolated.test: ${before} open files before 100 jobs in children, ${after} after`);
    // Connections that are opened when they are first needed stay open: those of a pool, or of the readers of a file.
    const room = on === "PostgreSQL" ? 4 : 8;
    assert.ok(after <= before + room, `${after} open files, ${before} before`);
    assert.ok(childrenOf(parent.pid).length <= PROCESSORS);
    assert.deepEqual(await parent.stop(), { code: 0, signal: null }, parent.words);
    assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  });
});

/** The fewest of a few looks: a file that is opened and closed by the way is no leak. */
async function restingFiles(parent: Member): Promise<number> {
  const looks: number[] = [];
  for (let i = 0; i < 5; i++) looks.push(await parent.ask<number>({ do: "count-files" }));
  return Math.min(...looks);
}

function pidsIn(file: string): number[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => fieldsOf(pid)?.[1] === String(parent));
}

/** A zombie answers `kill -0`; /proc tells it from the living. */
function isAlive(pid: number): boolean {
  const state = stateOf(pid);
  return state !== undefined && state !== "Z" && state !== "X";
}

function stateOf(pid: number): string | undefined {
  return fieldsOf(pid)?.[0];
}

/** Of /proc/<pid>/stat what follows the name: state, parent ... */
function fieldsOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
