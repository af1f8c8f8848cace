import type { Config } from "../config.ts";
import type { Health } from "../http/app.ts";
import type { Log } from "../telemetry/log.ts";

export interface Engine {
  health(): Promise<Health>;
  /** Stops claiming, and lets running work finish for `graceMs`. Asked again, the shorter grace counts. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

/** The engine that `serve` runs, with the kinds that ship. */
export async function openEngine(_config: Config, _log: Log): Promise<Engine> {
  return { health: async () => ({ status: "ok" }), stop: async () => {} };
}
