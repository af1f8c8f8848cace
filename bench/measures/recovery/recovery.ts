// A process with all its jobs running is killed, and another one is started: how long until all of them run again. Each job takes a
// second, as most real ones take longer than a claim.

import { once } from "node:events";
import type { Case, Figures, Measure } from "../../harness.ts";
import { withServer } from "../postgres/server.ts";
import { dbOf, onBothStores, startWorker, submitted } from "./recovery-kind.ts";

export const recovery: Measure = {
  name: "recovery",
  title: "From the start of the next process until all jobs of a killed one run again",
  unit: "ms",
  cases: ({ quick }) => {
    const jobs = quick ? 100 : 1_000;
    return onBothStores(`${jobs.toLocaleString("en-US")} jobs of 1 s`, { jobs });
  },
  run: (each, dir) =>
    each.who === "millrace postgres" ? withServer(dir, () => measure(each, dir)) : measure(each, dir),
};

async function measure(each: Case, dir: string): Promise<Figures> {
  const jobs = each.with["jobs"] as number;
  const db = dbOf(each, dir);
  const millrace = await submitted(
    db,
    Array.from({ length: jobs }, (_, number) => ({ number })),
  );
  const victim = await allStarted(db, jobs, 3_600_000);
  const died = once(victim.child, "exit");
  victim.child.kill("SIGKILL");
  await died;
  const heir = await allStarted(db, jobs, 1_000);
  heir.child.kill("SIGKILL");
  await millrace.stop({ graceMs: 0 });
  return { ms: heir.lastMs, "first ms": heir.firstMs };
}

async function allStarted(db: string, jobs: number, jobMs: number) {
  const since = performance.now();
  const startedMs = new Map<number, number>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const child = startWorker({ db, processors: jobs, jobMs }, (report) => {
    if (!("started" in report)) return;
    if (!startedMs.has(report.started)) startedMs.set(report.started, performance.now() - since);
    if (startedMs.size === jobs) resolve();
  });
  await promise;
  const all = [...startedMs.values()];
  return { child, firstMs: Math.min(...all), lastMs: Math.max(...all) };
}
