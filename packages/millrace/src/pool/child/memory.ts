// Watches its own process's memory on a thread of its own: the parent looks ten times a second, but not while its main loop
// is blocked, and this child's own loop may spin.

import { readFileSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { OVER_MEMORY } from "./protocol.ts";

const LOOK_MS = 20;
const PAGES_PER_MIB = 256;

const { memoryMb } = workerData as { memoryMb: number };

// The parent ends the rest of the group when it hears how this process ended.
setInterval(() => {
  if (residentMb() > memoryMb) process.kill(process.pid, OVER_MEMORY);
}, LOOK_MS);

function residentMb(): number {
  try {
    return Number(readFileSync("/proc/self/statm", "utf8").split(" ")[1]) / PAGES_PER_MIB;
  } catch {
    // Only Linux tells how much memory a process uses.
    return 0;
  }
}
