// An uncaught exception, for example in a timer that the processor set, ends its own attempt only. The async context says which
// attempt that is. Bun does not restore the context for an unhandled rejection. There the only running attempt ends; with several
// running, the rejection is logged and none of them ends. An exception outside of all attempts belongs to the program, and the
// runtime handles it as if Millrace were not there.

import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";

type AttemptEnder = (thrown: unknown) => void;

const onBun = process.versions["bun"] !== undefined;
const attempts = new AsyncLocalStorage<AttemptEnder>();
const running = new Set<AttemptEnder>();
/** When an attempt of this process was last suspended, by the monotonic clock. Its code may still run beside its waits. */
let suspendedAt = Number.NEGATIVE_INFINITY;
/** For this long a rejection without a context may come from a suspended attempt. */
const SUSPENDED_MS = 600_000;
let watchers = 0;

export function runWatched(end: AttemptEnder, run: () => Promise<void>): void {
  running.add(end);
  void attempts.run(end, run);
}

export function attemptEnded(end: AttemptEnder): void {
  running.delete(end);
}

/**
 * Notes that an attempt has ended whose code may still run: a rejection without a context is then put down to no
 * attempt.
 */
export function attemptSuspended(): void {
  suspendedAt = performance.now();
}

/** Watches while any pool of this process works. Call the returned function to leave the program as it was. */
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
  if (end) endOrReport(end, thrown);
  else leaveToTheProgram("uncaughtException", thrown);
}

function onRejection(thrown: unknown): void {
  const end =
    attempts.getStore() ??
    (onBun && running.size === 1 && performance.now() - suspendedAt > SUSPENDED_MS
      ? running.values().next().value
      : undefined);
  if (end) return endOrReport(end, thrown);
  if (onBun && (running.size > 1 || performance.now() - suspendedAt <= SUSPENDED_MS)) report(thrown);
  else leaveToTheProgram("unhandledRejection", thrown);
}

/** The code of an attempt that has ended may still run. What it throws is reported, and ends no other attempt. */
function endOrReport(end: AttemptEnder, thrown: unknown): void {
  if (running.has(end)) return end(thrown);
  if (!isAbort(thrown)) process.stderr.write(`Uncaught, in an attempt that has ended: ${inspect(thrown)}\n`);
}

/** Whether it is the abort of the attempt's signal, which the code did not handle. */
function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && ["AbortError", "LeaseLost", "Suspended"].includes(thrown.name);
}

/** Other listeners decide. Without any, the runtime would have ended the process. */
function leaveToTheProgram(event: "uncaughtException" | "unhandledRejection", thrown: unknown): void {
  if (process.listenerCount(event) > 1) return;
  report(thrown);
  process.exit(1);
}

function report(thrown: unknown): void {
  process.stderr.write(`Uncaught, outside any attempt: ${inspect(thrown)}\n`);
}
