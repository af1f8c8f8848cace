// time-limit: 300 s
// Limits on running jobs while the processes that race for them are killed: never one job over a limit, and none forgotten.

import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Millrace, postgres, sqlite } from "../../../packages/millrace/src/index.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../support/postgres.ts";
import { type Program, RUNTIME, root, run, temporaryFolder } from "../../support/program.ts";
import { rounds } from "../../support/torture.ts";
import { until } from "../../support/until.ts";
import { KINDS, LIMITS, PER_KEY, TOTAL } from "../support/keys/limited-kinds.ts";
import { seeded } from "../support/seed.ts";

const KILLS = rounds("FAULT_KILLS", 4, 100);
const KEYS = ["a", "b", "c"];

removeDatabasesAfterwards();

const STORES: [on: string, place: (t: TestContext) => string | Promise<string>][] = [
  ["a file", (t) => join(temporaryFolder(t), "jobs.db")],
  ["PostgreSQL", freshDatabase],
];

for (const [on, placeOf] of STORES) {
  test(`on ${on} no limit on running jobs is exceeded and no key forgotten over ${KILLS} SIGKILLs`, {
    timeout: 120_000 + KILLS * 5_000,
  }, async (t) => {
    const { seed, random } = seeded();
    console.log(`keys.test: FAULT_SEED=${seed} FAULT_KILLS=${KILLS}`);
    const place = await placeOf(t);
    const file = join(temporaryFolder(t), "lines");
    appendFileSync(file, "");
    const lines = () => readFileSync(file, "utf8").split("\n").slice(0, -1);
    const millrace = await Millrace.open({
      store: place.startsWith("postgres:") ? postgres(place) : sqlite(place),
      kinds: KINDS(async () => {}),
      limits: LIMITS,
      work: false,
      log: false,
    });
    t.after(() => millrace.stop());
    const workers = await Promise.all([0, 1, 2].map(() => start(t, { place, file, lines })));

    const killing = new AbortController();
    const submitting = submitUntil(killing.signal, { millrace, lines });
    for (let killed = 0; killed < KILLS; killed++) {
      const before = lines().length;
      await until("work goes on", () => lines().length > before + 10, 60_000);
      const victim = Math.floor(random() * workers.length);
      const { child } = workers[victim] as Program;
      // Said before the process is dead, since another one may have its jobs before this test has heard of its death.
      appendFileSync(file, `killed ${child.pid}\n`);
      child.kill("SIGKILL");
      await workers[victim]?.ended();
      workers[victim] = await start(t, { place, file, lines });
    }
    killing.abort();
    const submitted = await submitting;

    const count = (status: string) => millrace.count({ status });
    await until("every job has ended", async () => (await count("completed")) === submitted, 120_000);
    assert.deepEqual(violations(lines()), []);
    console.log(`keys.test: on ${on} ${submitted} jobs, ${lines().length} lines`);
  });
}

/** A few jobs of each kind wait at any time. How many there were. */
async function submitUntil(
  over: AbortSignal,
  { millrace, lines }: { millrace: Millrace; lines: () => string[] },
): Promise<number> {
  let submitted = 0;
  for (let n = 0; !over.aborted; n++) {
    const key = KEYS[n % KEYS.length] as string;
    for (const kind of ["keyed", "sharing", "ordered"]) {
      const requests = [{ kind, payload: { key, n }, options: {} }];
      await millrace.submitRequests({ tenant: "default", requests });
      submitted++;
    }
    const ended = () => lines().filter((line) => line.startsWith("end")).length;
    while (!over.aborted && submitted - ended() > 60) await pause(20);
  }
  return submitted;
}

interface WorkerPlace {
  place: string;
  file: string;
  lines: () => string[];
}

async function start(t: TestContext, { place, file, lines }: WorkerPlace): Promise<Program> {
  const program = run(t, [...RUNTIME, join(root, "test/faults/support/keys/worker.ts"), place, file]);
  await until("the worker works", () => lines().includes(`works ${program.child.pid}`), 60_000);
  return program;
}

/** What must never happen, in the words of the lines. */
function violations(lines: readonly string[]): string[] {
  const found: string[] = [];
  const running = new Map<string, { kind: string; key: string; pid: string }>();
  const ended = new Map<string, number>();
  const dead = new Set<string>();
  const count = (is: (job: { kind: string; key: string }) => boolean) => [...running.values()].filter(is).length;
  for (const line of lines) {
    const words = line.split(" ");
    if (words[0] === "killed") {
      const pid = words[1] as string;
      dead.add(pid);
      for (const [name, job] of running) if (job.pid === pid) running.delete(name);
      continue;
    }
    const [what, kind = "", key = "", n = "", pid = ""] = words;
    if (dead.has(pid) || (what !== "begin" && what !== "end" && what !== "fail")) continue;
    const name = `${kind} ${key} ${n}`;
    if (what === "begin") {
      if (running.has(name)) found.push(`${name} ran twice at once`);
      running.set(name, { kind, key, pid });
      if (count((job) => job.kind === "keyed" && job.key === key) > PER_KEY) found.push(`${line}: over its key`);
      if (count((job) => job.kind === "keyed") > TOTAL) found.push(`${line}: over its total`);
      if (count((job) => job.kind !== "ordered") > LIMITS.gpu.total) found.push(`${line}: over the shared limit`);
      const last = ended.get(key) ?? -1;
      const isNext = Number(n) === last || Number(n) === (last < 0 ? KEYS.indexOf(key) : last + KEYS.length);
      if (kind === "ordered" && !isNext) found.push(`${line}: after ${last}`);
      if (kind === "ordered" && count((job) => job.kind === "ordered" && job.key === key) > 1)
        found.push(`${line}: two of an ordered key`);
    } else {
      running.delete(name);
      if (what === "end" && kind === "ordered") ended.set(key, Number(n));
    }
  }
  return found;
}
