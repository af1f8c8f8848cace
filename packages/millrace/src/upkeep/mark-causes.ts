import type { Store } from "../store/store.ts";

/** A batch writes whole rows, so it is smaller than one of deletions. */
const BATCH = 200;

/** Dead letters of older versions get the causes by which they are grouped. */
export async function markCauses(store: Store, stopped: () => boolean): Promise<void> {
  while ((await store.markCauses({ limit: BATCH })) === BATCH && !stopped());
}
