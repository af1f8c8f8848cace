// The dashboard in a real browser: until it can be read, what it loads, and how it keeps up with a busy server.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findRuntime } from "../../../packages/millrace/bin/runtimes.js";
import type { Who } from "../../contenders/open.ts";
import { BENCH_DIR, type Figures, type Measure } from "../../harness.ts";
import { startByLauncher } from "../../http/servers.ts";

export const dashboard: Measure = {
  name: "dashboard",
  title: "The dashboard: first load on loopback, and the page while 200 jobs a second change",
  unit: "ms",
  rounds: 1,
  cases: ({ quick }) => [
    { who: "millrace full" as Who, setting: "in Chromium", with: { loads: quick ? 2 : 7, seconds: quick ? 2 : 8 } },
  ],
  async run(each, dir) {
    const server = await startByLauncher(dir, ["--load", join(BENCH_DIR, "../test/ui/support/kinds.ts")]);
    try {
      const args = [server.url, String(each.with["loads"]), String(each.with["seconds"])];
      const node = findRuntime({ root: join(BENCH_DIR, ".."), wanted: "node" });
      if ("problem" in node) throw new Error(node.problem);
      const { stdout } = await promisify(execFile)(node.path, [join(BENCH_DIR, "dashboard/watch.ts"), ...args]);
      return JSON.parse(stdout) as Figures;
    } finally {
      await server.stop();
    }
  },
};
