// From the call of submit to the first line of the processor, with nothing else to do. Between two processes the submitter is a
// child process on the same file; bunqueue's embedded mode knows one process only.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { now } from "../../contenders/contender.ts";
import { all, open, type Who } from "../../contenders/open.ts";
import { BENCH_DIR, type Case, type Figures, type Measure, percentile } from "../../harness.ts";

export const latency: Measure = {
  name: "latency",
  title: "submit to start when idle",
  unit: "ms",
  rounds: 1,
  cases: ({ quick }) => [
    ...all("millrace full", "millrace normal").flatMap((who) => [
      of(who, "one process", quick ? 50 : 500, 1),
      // At rest in between, and a trickle: what a process does to notice others may depend on how busy it is itself.
      of(who, "two processes", quick ? 20 : 150, 2, { gapMs: 200 }),
      of(who, "two processes, a job every 12 ms", quick ? 50 : 500, 2),
    ]),
    ...all("bunqueue durable").flatMap((who) => [
      of(who, "one process, its default poll", quick ? 20 : 100, 1),
      of(who, "one process, long poll", quick ? 20 : 500, 1, { pollMs: 10_000 }),
    ]),
    ...all("plainjob").flatMap((who) => [
      // Its worker polls once a second unless told otherwise, which makes a sample dear.
      of(who, "one process, its default poll", quick ? 3 : 15, 1, { gapMs: 300 }),
      of(who, "one process, poll 10 ms", quick ? 50 : 500, 1, { pollMs: 10 }),
      of(who, "two processes, poll 10 ms", quick ? 50 : 500, 2, { pollMs: 10 }),
    ]),
  ],
  async run(each, dir) {
    const {
      processes,
      samples,
      gapMs = 4,
    } = each.with as { processes: number; samples: number; gapMs?: number; pollMs?: number };
    const times: number[] = [];
    let arrived = () => {};
    const queue = await open(each.who, dir, {
      run({ at }) {
        times.push(now() - at);
        arrived();
      },
      ...(each.with["pollMs"] !== undefined && { pollMs: each.with["pollMs"] }),
    });
    const warmUp = Math.min(20, samples);
    if (processes === 1) {
      for (let n = 0; n < samples + warmUp; n++) {
        await pause(gapMs * (0.5 + Math.random()));
        const here = new Promise<void>((resolve) => {
          arrived = resolve;
        });
        await queue.submit({ n, at: now() });
        await here;
      }
    } else {
      await submitElsewhere(each.who, dir, [samples + warmUp, gapMs]);
      while (times.length < samples + warmUp) await pause(5);
    }
    await queue.close();
    return latencies(times.slice(warmUp === samples ? 0 : warmUp));
  },
};

function of(who: Who, setting: string, samples: number, processes: number, more: Record<string, number> = {}): Case {
  return { who, setting, with: { samples, processes, ...more } };
}

function latencies(times: number[]): Figures {
  return { p99: percentile(times, 0.99), p50: percentile(times, 0.5), max: Math.max(...times) };
}

/** Its answers do not matter, only when its jobs start here. */
async function submitElsewhere(who: Who, dir: string, countAndGap: [number, number]): Promise<void> {
  const script = join(BENCH_DIR, "measures/process/latency-submitter.ts");
  const args = [...process.execArgv, script, who, dir, ...countAndGap.map(String)];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  if (code !== 0) throw new Error(`the submitter ended with ${code}`);
}
