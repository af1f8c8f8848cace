import { loadConfig, readEnvironment } from "../config.ts";
import type { Engine } from "../http/engine.ts";
import type { ServedWorkloads } from "../http/workloads.ts";
import type { Kind } from "../job/kind/kind.ts";
import { AppError } from "../lib/app-error.ts";
import { checkWorkloads } from "./check.ts";
import { kindsOfAll, limitersOfAll, servedBy, startAll, stopAll } from "./compose.ts";
import type { Limiters, Workload } from "./workload.ts";

/** Options of `openWorkloads()`. */
export interface OpenWorkloadsOptions {
  /** The variables that their settings are read from. Default: `.env` and the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Workloads for an engine in your own process. */
export interface OpenedWorkloads extends ServedWorkloads {
  /** The kinds, for `Millrace.open({ kinds })`. */
  readonly kinds: Kind[];
  /** The limiters, for `Millrace.open({ limiters })`. */
  readonly limiters: Limiters;
  /** Calls `start` of each workload, once; `stop` follows when the engine stops. `createHandler` does this too. */
  start(engine: Engine): Promise<void>;
}

/**
 * Workloads for an engine and a handler in your own process.
 *
 * @example
 * import { defineWorkload, Millrace, sqlite } from "millrace";
 * import { createHandler } from "millrace/http";
 * import { openWorkloads } from "millrace/workload";
 *
 * const greetings = defineWorkload({ name: "greetings" });
 * const workloads = await openWorkloads([greetings]);
 * const { kinds, limiters } = workloads;
 * const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds, limiters });
 * const auth = () => ({ name: "me", tenant: "default", scopes: ["admin" as const] });
 * export const handler = createHandler(millrace, { auth, workloads });
 * await millrace.stop();
 */
export async function openWorkloads(
  workloads: readonly Workload[],
  { env = readEnvironment() }: OpenWorkloadsOptions = {},
): Promise<OpenedWorkloads> {
  checkWorkloads(workloads);
  const loaded = loadConfig(env, { workloads });
  if (!loaded.ok) {
    throw new AppError("options-invalid", `Invalid settings: ${loaded.problems.join(" ")}`);
  }
  const { config } = loaded;
  let started: Promise<void> | undefined;
  const start = async (engine: Engine) => {
    engine.stopping.addEventListener("abort", () => void stopAll(workloads), { once: true });
    await startAll(workloads, config, { engine, log: engine.log });
  };
  return {
    ...servedBy(workloads, config),
    kinds: await kindsOfAll(workloads, config),
    limiters: await limitersOfAll(workloads, config),
    start: (engine) => {
      started ??= start(engine);
      return started;
    },
  };
}
