import type { SiteChange } from "./alert.ts";
import { CHANGE_KIND } from "./names.ts";

export type { SiteChange } from "./alert.ts";

/** What `onSiteChanged` needs of an engine. A `Millrace` is one. */
export interface HookedEngine {
  /** Subscribes to an event of jobs. */
  on(
    name: "completed",
    hook: (event: { readonly result: unknown }) => unknown,
    options: { readonly kind: string; readonly everywhere: boolean; readonly signal?: AbortSignal },
  ): () => void;
}

/**
 * Calls the hook when a track finds a change outside the noise, in any process on the store. Returns a function that ends the
 * subscription.
 */
export function onSiteChanged(
  engine: HookedEngine,
  hook: (change: SiteChange) => unknown,
  options: { readonly signal?: AbortSignal } = {},
): () => void {
  return engine.on("completed", ({ result }) => hook(result as SiteChange), {
    kind: CHANGE_KIND,
    everywhere: true,
    ...(options.signal && { signal: options.signal }),
  });
}
