// An exception nobody catches (in a timer the processor set, say) ends that attempt only. The async context tells whose
// it was. Bun does not restore the context for an unhandled rejection: there it is put down to the attempt that runs
// alone; with several running it is reported and ends none of them.

import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";

type Ender = (thrown: unknown) => void;

const attempts = new AsyncLocalStorage<Ender>();
const running = new Set<Ender>();
let watching = false;

export function runWatched(end: Ender, run: () => Promise<void>): void {
  if (!watching) watch();
  running.add(end);
  void attempts.run(end, run);
}

export function attemptEnded(end: Ender): void {
  running.delete(end);
}

function watch(): void {
  watching = true;
  process.on("uncaughtException", (error) => endAttempt(error, attempts.getStore()));
  process.on("unhandledRejection", (reason) => endAttempt(reason, attempts.getStore() ?? onlyOne()));
}

function onlyOne(): Ender | undefined {
  return running.size === 1 ? running.values().next().value : undefined;
}

function endAttempt(thrown: unknown, end: Ender | undefined): void {
  if (end) return end(thrown);
  process.stderr.write(`Uncaught, outside any attempt: ${inspect(thrown)}\n`);
  if (running.size > 0) return;
  // Not ours: what the runtime would have done without us. Others who listen decide for themselves.
  if (process.listenerCount("uncaughtException") <= 1) process.exit(1);
}
