// One job among many kills its process whenever it runs, and a supervisor starts the process again at once. What the others lose by it
// until it is a dead letter, and how long that takes.

import { once } from "node:events";
import type { Case, Figures, Measure } from "../../harness.ts";
import { withServer } from "../postgres/server.ts";
import { dbOf, onBothStores, startWorker, submitted } from "./recovery-kind.ts";

const JOB_MS = 100;

export const poison: Measure = {
  name: "poison",
  title: "Attempts that innocent jobs lose to one that kills its process",
  unit: "attempts",
  cases: ({ quick }) => {
    const jobs = quick ? 100 : 1_000;
    return onBothStores(`1 among ${jobs.toLocaleString("en-US")} jobs of ${JOB_MS} ms`, { jobs });
  },
  run: (each, dir) =>
    each.who === "millrace postgres" ? withServer(dir, () => measure(each, dir)) : measure(each, dir),
};

async function measure(each: Case, dir: string): Promise<Figures> {
  const jobs = each.with["jobs"] as number;
  const db = dbOf(each, dir);
  const guilty = Math.floor(Math.random() * jobs);
  const payloads = Array.from({ length: jobs }, (_, number) => ({
    number,
    ...(number === guilty && { poison: true }),
  }));
  const millrace = await submitted(db, payloads);
  const since = performance.now();
  const ended = new Set<number>();
  let starts = 0;
  let deaths = 0;
  for (;;) {
    const worker = startWorker({ db, processors: jobs, jobMs: JOB_MS }, (report) => {
      if ("ended" in report) ended.add(report.ended);
      else if (report.started !== guilty) starts++;
    });
    const died = once(worker, "exit");
    const done = allFinished(millrace);
    if ((await Promise.race([died.then(() => "died"), done.promise])) === "died") {
      done.stop();
      deaths++;
      continue;
    }
    worker.kill("SIGKILL");
    await died;
    break;
  }
  const dead = await millrace.count({ standings: ["failed"] });
  await millrace.stop({ graceMs: 0 });
  return {
    attempts: starts - (jobs - 1),
    deaths,
    "innocent dead letters": dead - 1,
    s: (performance.now() - since) / 1_000,
  };
}

function allFinished(millrace: Awaited<ReturnType<typeof submitted>>) {
  const { promise, resolve } = Promise.withResolvers<"done">();
  const standings = ["scheduled", "ready", "suspect", "held", "running"] as const;
  const timer = setInterval(async () => {
    if ((await millrace.count({ standings: [...standings] })) > 0) return;
    clearInterval(timer);
    resolve("done");
  }, 50);
  return { promise, stop: () => clearInterval(timer) };
}
