import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";

interface Act {
  readonly caller: Caller;
  readonly traceId: string;
}

/** Who did what to whose things: the tenant is that of the thing, so that its own administrator finds the entry. */
export function audited(
  engine: Engine,
  { caller, traceId }: Act,
  what: string,
  about: { target?: string; tenant?: string },
): Promise<void> {
  return engine.admin.audit(caller.name, what, { ...about, traceId });
}
