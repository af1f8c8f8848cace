// How long the disk under the files takes to make 4 kB durable: what `full` pays per commit.

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Measure, percentile } from "../harness.ts";

const WRITES = 200;

export const disk: Measure = {
  name: "disk",
  title: "pwrite 4 kB + fsync",
  unit: "ms",
  cases: () => [{ who: "millrace full", setting: "the disk itself", with: {} }],
  async run(_each, dir) {
    const file = openSync(join(dir, "fsync"), "w");
    const page = Buffer.alloc(4_096, 1);
    const times: number[] = [];
    for (let i = 0; i < WRITES; i++) {
      const start = performance.now();
      writeSync(file, page, 0, page.length, i * page.length);
      fsyncSync(file);
      times.push(performance.now() - start);
    }
    closeSync(file);
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
  },
};
