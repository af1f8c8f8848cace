// What a store is asked, as data: how calls reach a store's core, in its own thread or in this one.

import type { ErrorData } from "../../lib/app-error.ts";
import type { Store } from "../store.ts";

/** Every verb of the contract that is asked for and answered. */
export type Verb = Exclude<keyof Store, "open" | "close" | "clock" | "pollMs" | "claimAtOnce">;

export interface Call {
  verb: Verb;
  args: unknown[];
}

export type Reply = { ok: unknown } | { error: ErrorData };

export type Args<V extends Verb> = Parameters<Store[V]>;
export type Answer<V extends Verb> = Awaited<ReturnType<Store[V]>>;

/** Somebody who carries out calls on the core: a thread, or the same thread. */
export interface Callee {
  call<V extends Verb>(verb: V, ...args: Args<V>): Promise<Answer<V>>;
  close(): Promise<void>;
}
