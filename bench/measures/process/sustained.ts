// Submits and processes for a minute while retention deletes what is done. Submissions follow consumption: a few thousand jobs
// always wait, so neither side starves. Counted are processor calls; at most 500 of them are not yet settled. "left" is what retention had not yet deleted at the end: it keeps up if that is little.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { payloads, type Queue } from "../../contenders/contender.ts";
import { all, open } from "../../contenders/open.ts";
import type { Case, Measure } from "../../harness.ts";

const BATCH = 500;
const WAITING = 5_000;
const MB = 1_048_576;

export const sustained: Measure = {
  name: "sustained",
  title: "submit and process with retention deleting as fast",
  unit: "jobs/s",
  rounds: 1,
  cases: ({ quick }) =>
    all("millrace full", "millrace normal", "bunqueue").map((who): Case => {
      const seconds = quick ? 10 : who === "bunqueue" ? 20 : 60;
      return { who, setting: `500 processors, ${seconds} s`, with: { seconds } };
    }),
  async run(each, dir) {
    const seconds = each.with["seconds"] as number;
    let submitted = 0;
    let done = 0;
    let ending = false;
    let submitting = false;
    const options = { processors: 500, deleteFinished: true };
    const queue: Queue = await open(each.who, dir, {
      ...options,
      run() {
        done++;
        if (!submitting && submitted - done < WAITING) void refill();
      },
    });
    async function refill(): Promise<void> {
      submitting = true;
      while (!ending && submitted - done < WAITING) {
        await queue.submitMany(payloads(submitted, BATCH));
        submitted += BATCH;
      }
      submitting = false;
    }

    void refill();
    await pause(Math.min(3_000, seconds * 100));
    const halves = [await watch((seconds * 1_000) / 2), await watch((seconds * 1_000) / 2)];
    // bunqueue only counts what it has completed, not what it still keeps.
    const left = each.who === "bunqueue" ? {} : { left: await queue.completed() };
    ending = true;
    const { rss } = process.memoryUsage();
    await queue.close();
    const [first, second] = halves as [Watched, Watched];
    return {
      "jobs/s": (first.perSecond + second.perSecond) / 2,
      "second half": second.perSecond,
      "WAL max MB": Math.max(first.walMb, second.walMb),
      "file MB": sizeMb(dir, ""),
      "RSS MB": rss / MB,
      ...left,
    };

    async function watch(ms: number): Promise<Watched> {
      const start = performance.now();
      const before = done;
      let walMb = 0;
      while (performance.now() - start < ms) {
        await pause(50);
        walMb = Math.max(walMb, sizeMb(dir, "-wal"));
      }
      return { perSecond: ((done - before) * 1_000) / (performance.now() - start), walMb };
    }
  },
};

interface Watched {
  perSecond: number;
  walMb: number;
}

function sizeMb(dir: string, ending: string): number {
  const names = readdirSync(dir).filter((name) => name.endsWith(`.db${ending}`));
  return names.reduce((sum, name) => sum + statSync(join(dir, name)).size, 0) / MB;
}
