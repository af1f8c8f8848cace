import type { Config } from "../config.ts";
import { AppError, messageOf } from "../lib/app-error.ts";
import type { Millrace } from "../millrace.ts";
import type { Log } from "../telemetry/log/log.ts";
import type { Workload } from "../workload/workload.ts";
import type { EngineOptions } from "./engine.ts";
import { openEngine } from "./engine.ts";
import { onStopSignals, type StopSignals } from "./signals.ts";

/** The part that stops with the engine: the server, if there is one. */
interface StoppableFront {
  stop(options: { readonly graceMs: number }): Promise<void>;
}

export interface RunningEngineCommand {
  readonly engine: Millrace;
  /** Settles when all is stopped, with the exit code. */
  untilStopped(front?: StoppableFront): Promise<number>;
}

/** An engine that lives until a signal comes, or until it cannot go on. */
export async function start(
  config: Config,
  options: Omit<EngineOptions, "onFatal"> & { readonly workloads?: readonly Workload[] },
): Promise<RunningEngineCommand> {
  // The listeners are added before the engine opens, so that a signal during a slow start is heard too.
  const signals = onStopSignals();
  const fatal = Promise.withResolvers<Error>();
  let engine: Millrace;
  try {
    engine = await openEngine(config, { ...options, onFatal: fatal.resolve });
  } catch (error) {
    const hint = error instanceof AppError && error.hint ? { hint: error.hint } : {};
    throw new AppError("not-opened", `could not open the store: ${messageOf(error)}`, { ...hint, cause: error });
  }
  const { log } = options;
  return {
    engine,
    untilStopped: (front) => untilStopped({ engine, front, signals, fatal: fatal.promise, log, config }),
  };
}

interface EngineLife {
  readonly engine: Millrace;
  readonly front: StoppableFront | undefined;
  readonly signals: StopSignals;
  readonly fatal: Promise<Error>;
  readonly log: Log;
  readonly config: Config;
}

async function untilStopped({ engine, front, signals, fatal, log, config }: EngineLife): Promise<number> {
  const why = await Promise.race([signals.first, fatal]);
  const failed = why instanceof Error;
  const graceMs = config.shutdownGraceMs;
  log.info("stopping", { ...(failed ? { error: why } : { signal: why }), graceMs });
  void signals.second.then((signal) => {
    log.warn("drain cut short", { signal });
    void engine.stop({ hurry: true });
    void front?.stop({ graceMs: 0 });
  });
  const drained = Promise.all([front?.stop({ graceMs }), engine.stop({ graceMs })]);
  if (!failed) await drained;
  // A store that failed, or processors that hang, may never finish. Their leases expire, and a supervisor restarts the process.
  else await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, graceMs + 2_000))]);
  log.info("stopped");
  return failed ? 1 : 0;
}

export function runtimeName(): string {
  return process.versions["bun"] ? `bun ${process.versions["bun"]}` : `node ${process.versions.node}`;
}
