// Loaded first in the Node processes that tests start. Node writes what it has compiled as it exits, but most of these processes
// are killed: without this every server of a test compiles the whole engine again, 0.6 s of processor time for each.

import { flushCompileCache } from "node:module";

// Loading takes its time on a busy machine, and some modules are loaded by the first request.
for (const afterMs of [500, 2_000, 8_000]) setTimeout(() => flushCompileCache?.(), afterMs).unref();
