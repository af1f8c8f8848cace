import type { Call } from "../../thread/calls.ts";
import type { Core } from "../core.ts";
import { POSTGRES_VERBS } from "../verbs.ts";

/** The one place where the name of a verb becomes a call of its function. */
export function runVerb(core: Core, { verb, args }: Call): Promise<unknown> {
  return (POSTGRES_VERBS[verb] as (core: Core, ...args: unknown[]) => Promise<unknown>)(core, ...args);
}
