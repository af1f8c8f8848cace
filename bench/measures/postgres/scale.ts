// One backlog, worked off by 1, 2 and 4 processes on one server: jobs a second, and what the database's share of the CPU is.

import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { payloads } from "../../contenders/contender.ts";
import { open } from "../../contenders/open.ts";
import { BENCH_DIR, type Case, type Measure } from "../../harness.ts";
import { cpuSeconds, withServer } from "./server.ts";

const BATCH = 1_000;

export const postgresScale: Measure = {
  name: "postgres-scale",
  title: "PostgreSQL: no-op jobs by several worker processes of 100 processors each",
  unit: "jobs/s",
  rounds: 1,
  cases: ({ quick }) =>
    [1, 2, 4].map(
      (processes): Case => ({
        who: "millrace postgres",
        setting: `${processes} ${processes === 1 ? "process" : "processes"}`,
        against: { who: "millrace postgres", setting: "1 process" },
        with: { processes, count: quick ? 10_000 : 100_000 },
      }),
    ),
  run: (each, dir) =>
    withServer(dir, async (server) => {
      const { processes, count } = each.with as { processes: number; count: number };
      const submitter = await open("millrace postgres", dir);
      for (let n = 0; n < count; n += BATCH) await submitter.submitMany(payloads(n, BATCH));
      await submitter.close();
      const look = new pg.Client({ connectionString: server.url });
      await look.connect();
      const finished = async () =>
        (await look.query("SELECT count(*)::int AS n FROM millrace.finished")).rows[0].n as number;
      const workers = Array.from({ length: processes }, () => startWorker(dir));
      try {
        // The clock starts when all are at work.
        await Promise.all(workers.map(({ atWork }) => atWork));
        const [before, cpuBefore, since] = [await finished(), cpuSeconds(server), performance.now()];
        if (before > count * 0.9) throw new Error("the backlog was done before all were at work");
        while ((await finished()) < count) await pause(20);
        const seconds = (performance.now() - since) / 1_000;
        const cpu = cpuSeconds(server) - cpuBefore;
        const done = count - before;
        return { "jobs/s": done / seconds, "database cores": cpu / seconds, "database us/job": (cpu * 1e6) / done };
      } finally {
        for (const { child } of workers) child.kill("SIGKILL");
        await look.end();
      }
    }),
};

function startWorker(dir: string): { child: ChildProcess; atWork: Promise<void> } {
  const script = join(BENCH_DIR, "measures/postgres/scale-worker.ts");
  const child = spawn(process.execPath, [...process.execArgv, script, dir], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const atWork = new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`a worker ended with ${code}`)));
  });
  atWork.catch(() => {});
  return { child, atWork };
}
