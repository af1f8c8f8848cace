// Ends this child and all it started when its parent is gone, even while its main loop spins.

import { readSync } from "node:fs";
import { Socket } from "node:net";
import { endGroup, LIFELINE_FD } from "./protocol.ts";

if (process.versions["bun"]) waitForEnd();
else listenForEnd();

/** Node waits for its threads at exit: one that blocks in a read would keep a processor that calls process.exit. */
function listenForEnd(): void {
  const lifeline = new Socket({ fd: LIFELINE_FD, readable: true, writable: false });
  lifeline.on("error", () => {});
  lifeline.on("close", endGroup);
  lifeline.resume();
}

/** Bun does not serve such a socket while the main loop spins, and waits for no thread. */
function waitForEnd(): void {
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
  endGroup();
}
