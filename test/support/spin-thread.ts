// The thread of test/flow/off-loop.test.ts: one function that never returns, and some that do.

import { serveOffLoop } from "../../packages/sites/src/off-loop/thread.ts";

export const VERBS = {
  spin: (): never => {
    for (;;);
  },
  double: (value: number) => value * 2,
  fail: (): never => {
    throw new Error("It broke.");
  },
  exit: () => process.exit(3),
};

serveOffLoop(VERBS);
