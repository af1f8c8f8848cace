/** Calls `stop` once, on Ctrl-C or when the process is asked to end. */
export function onShutdown(stop: () => Promise<unknown>): void {
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stop());
}
