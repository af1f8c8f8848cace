import type { StoreVerbs } from "../store.ts";
import { VERBS, type Verb } from "./table.ts";

const NAMES = Object.keys(VERBS) as Verb[];

abstract class CallForwarder {
  constructor() {
    for (const verb of NAMES) Object.assign(this, { [verb]: (...args: unknown[]) => this.call(verb, args) });
  }

  /** Carries out one call. */
  protected abstract call(verb: Verb, args: unknown[]): Promise<unknown>;
}

/** The base of a store: one method for each verb, which hands its name and arguments to `call`. */
export const VerbMethods = CallForwarder as abstract new () => CallForwarder & StoreVerbs;
