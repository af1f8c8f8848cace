// A call of the contract as data, on its way to the code that carries it out: in a thread of its own, or in this one.

import type { ErrorData } from "../../lib/app-error.ts";
import type { Verb } from "../verbs/table.ts";

export interface Call {
  verb: Verb;
  args: unknown[];
}

export type CallReply = { ok: unknown } | { error: ErrorData };

/** Carries out calls: a store thread, or the same code in the thread of the caller. */
export interface CallHandler {
  call(verb: Verb, args: unknown[]): Promise<unknown>;
  close(): Promise<void>;
}
