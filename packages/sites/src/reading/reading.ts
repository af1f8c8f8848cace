// All that a stranger wrote is read on one thread: pages, robots.txt, sitemaps, structured data, answers of models. The
// functions are linear or bounded, and beyond that the thread has a time limit. The main loop only moves bytes.

import { packageFile } from "millrace/isolated";
import { OffLoop } from "../off-loop/off-loop.ts";
import type { VERBS } from "./verbs.ts";

/** Far above what a page takes (reading stops after 1.5 s by itself), since a busy machine may stretch it. */
const LIMIT_MS = 30_000;
const MEMORY_MB = 512;
const THREAD = {
  package: "@millrace/sites",
  here: import.meta.url,
  near: "./thread.ts",
  path: "reading/thread.ts",
};

export const reading = new OffLoop<typeof VERBS>(() => packageFile(THREAD), {
  limitMs: LIMIT_MS,
  memoryMb: MEMORY_MB,
});
