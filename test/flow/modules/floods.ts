// An isolated processor that prints as fast as its reader takes it, in lines and without them, until it is killed.

import { writeSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";

const bulk = Buffer.alloc(1_048_576, "z");

export default async function floods(): Promise<never> {
  for (;;) {
    for (let i = 0; i < 1_000; i++) console.log("flood %d", i);
    try {
      writeSync(2, bulk);
    } catch {
      // The pipe is full.
    }
    // Node writes the lines that found the pipe full when its loop turns. On a busy machine the reader is late for most of them.
    do await turn();
    while (process.stdout.writableLength > 0);
  }
}
