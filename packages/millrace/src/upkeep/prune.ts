import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log/log.ts";

/** 500 rows a pass: the write lock then lasts a few milliseconds, and claims come between two passes. */
const BATCH = 500;

export async function prune(store: Store, log: Log, stopped: () => boolean): Promise<number> {
  let deleted = 0;
  for (;;) {
    const pass = await store.prune({ limit: BATCH });
    deleted += pass.deleted;
    if (!pass.more || stopped()) break;
  }
  if (deleted > 0) log.info("cleanup", { deleted });
  return deleted;
}
