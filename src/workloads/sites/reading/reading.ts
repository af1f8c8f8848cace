// All that a stranger wrote is read on one thread: pages, robots.txt, sitemaps, structured data, answers of models. The
// functions are linear or bounded, and beyond that the thread has a time limit. The main loop only moves bytes.

import { OffLoop } from "../../../lib/off-loop.ts";
import type { VERBS } from "./verbs.ts";

/** Far above what a page takes (reading stops after 1.5 s by itself), since a busy machine may stretch it. */
const LIMIT_MS = 30_000;
const MEMORY_MB = 512;

export const reading = new OffLoop<typeof VERBS>(new URL("./thread.ts", import.meta.url), {
  limitMs: LIMIT_MS,
  memoryMb: MEMORY_MB,
});
