const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

// One press of Ctrl-C reaches the whole group of processes, and npm passes it on once more. Signals within this time
// count as one.
const SAME_WISH_MS = 500;

export interface StopSignals {
  readonly first: Promise<string>;
  /** Resolves at a second signal, which means: stop without waiting. */
  readonly second: Promise<string>;
}

export function onStopSignals(now: () => number = () => performance.now()): StopSignals {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  let firstAt: number | undefined;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      firstAt ??= now();
      first.resolve(signal);
      if (now() - firstAt > SAME_WISH_MS) second.resolve(signal);
    });
  }
  return { first: first.promise, second: second.promise };
}
