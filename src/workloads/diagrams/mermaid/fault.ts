import type { Fault } from "../engine.ts";

export function faultOf(error: unknown, _source: string): Fault {
  return {
    message: error instanceof Error ? error.message : String((error as { message?: unknown })?.message ?? error),
  };
}
