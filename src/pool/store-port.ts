import type { Lease } from "../job/lease.ts";
import type { Store } from "../store/store.ts";
import type { AttemptPort } from "./context.ts";

/** The store with a lease already in hand. */
export function storePort(store: Store, lease: Lease): AttemptPort {
  return {
    note: (note) => store.note(lease, note),
    storedSteps: () => store.storedSteps(lease),
    saveStep: (name, value) => store.saveStep(lease, name, value),
    take: (limiter, cost) => store.take(lease, limiter, cost),
    blockLimiter: (limiter, forMs) => store.blockLimiter(lease, limiter, forMs),
    keepArtifact: (artifact) => store.keepArtifact(lease, artifact),
  };
}
