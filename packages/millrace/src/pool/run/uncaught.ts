// An exception nobody catches (in a timer the processor set, say) ends that attempt only. The async context tells whose
// it was. Bun does not restore the context for an unhandled rejection: there it is put down to the attempt that runs
// alone; with several running it is reported and ends none of them. What is not an attempt's is the program's own
// affair: it gets what the runtime would have done without us.

import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";

type Ender = (thrown: unknown) => void;

const onBun = process.versions["bun"] !== undefined;
const attempts = new AsyncLocalStorage<Ender>();
const running = new Set<Ender>();
let watchers = 0;

export function runWatched(end: Ender, run: () => Promise<void>): void {
  running.add(end);
  void attempts.run(end, run);
}

export function attemptEnded(end: Ender): void {
  running.delete(end);
}

/** While any pool of this process works; call what it returns to leave the program as it was. */
export function watchUncaught(): () => void {
  if (watchers++ === 0) {
    process.on("uncaughtException", onException);
    process.on("unhandledRejection", onRejection);
  }
  let watching = true;
  return () => {
    if (!watching) return;
    watching = false;
    if (--watchers > 0) return;
    process.off("uncaughtException", onException);
    process.off("unhandledRejection", onRejection);
  };
}

function onException(thrown: unknown): void {
  const end = attempts.getStore();
  if (end) end(thrown);
  else leaveToTheProgram("uncaughtException", thrown);
}

function onRejection(thrown: unknown): void {
  const end = attempts.getStore() ?? (onBun && running.size === 1 ? running.values().next().value : undefined);
  if (end) return end(thrown);
  if (onBun && running.size > 1) report(thrown);
  else leaveToTheProgram("unhandledRejection", thrown);
}

/** Others who listen decide; where nobody does, the runtime would have ended the process. */
function leaveToTheProgram(event: "uncaughtException" | "unhandledRejection", thrown: unknown): void {
  if (process.listenerCount(event) > 1) return;
  report(thrown);
  process.exit(1);
}

function report(thrown: unknown): void {
  process.stderr.write(`Uncaught, outside any attempt: ${inspect(thrown)}\n`);
}
