// An isolated processor that prints as fast as it can, in lines and without them, until it is killed.

import { writeSync } from "node:fs";

const bulk = Buffer.alloc(1_048_576, "z");

export default function floods(): never {
  for (;;) {
    for (let i = 0; i < 1_000; i++) console.log("flood %d", i);
    try {
      writeSync(2, bulk);
    } catch {
      // The pipe is full.
    }
  }
}
