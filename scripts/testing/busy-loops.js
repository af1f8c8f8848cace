// Programs that take all the processor time they get, so that tests run as on a machine with other load.

import { spawn } from "node:child_process";

/** A tight loop cannot hear a signal handler of its own, so it looks whether its parent is still there. */
const LOOP = `const parent = process.ppid;
  for (;;) { const until = Date.now() + 50; while (Date.now() < until); if (process.ppid !== parent) process.exit(); }`;

/**
 * Starts this many loops. They end with `stop`, or when this process is gone.
 * @param {number} count
 */
export function busyLoops(count) {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ["-e", LOOP], { stdio: "ignore" }));
  // The runner ends by itself when its tests are done.
  for (const loop of loops) loop.unref();
  return {
    stop() {
      for (const loop of loops) loop.kill("SIGKILL");
    },
  };
}
