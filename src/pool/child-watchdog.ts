// Ends this child and all it started when its parent is gone, even while its main loop spins.

import { readSync } from "node:fs";
import { LIFELINE_FD } from "./child-protocol.ts";

const buffer = Buffer.alloc(1);
const sleeper = new Int32Array(new SharedArrayBuffer(4));

for (;;) {
  try {
    if (readSync(LIFELINE_FD, buffer, 0, 1, null) === 0) break;
  } catch (error) {
    // The pipe may be non-blocking: then look again twenty times a second.
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") break;
    Atomics.wait(sleeper, 0, 0, 50);
  }
}
// The child leads a process group of its own, so this reaches its children too.
process.kill(-process.pid, "SIGKILL");
