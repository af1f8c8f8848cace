// Commands with --watch that work on files.

import { Watcher } from "./dev/watch.ts";
import { onStopSignals } from "./signals.ts";

/**
 * Calls `work` with all files, and then with those whose contents have changed since it began, one call at a time, until Ctrl-C
 * or SIGTERM. Resolves when the call in progress has ended; a second Ctrl-C does not wait for it.
 */
export async function watchFiles(
  files: readonly string[],
  work: (files: readonly string[]) => Promise<void>,
): Promise<void> {
  const stop = onStopSignals();
  const pending = new Set<string>();
  let wake = Promise.withResolvers<"changed">();
  const watcher = new Watcher((found) => {
    for (const file of found) pending.add(file);
    wake.resolve("changed");
  });
  watcher.set(files);
  try {
    await Promise.race([work(files), stop.second]);
    while ((await Promise.race([wake.promise, stop.first])) === "changed") {
      wake = Promise.withResolvers();
      const found = [...pending];
      pending.clear();
      await Promise.race([work(found), stop.second]);
    }
  } finally {
    watcher.stop();
  }
}
