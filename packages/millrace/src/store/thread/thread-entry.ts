import { findOwnFile, ownFile } from "../../lib/runtime/own-file.ts";

/** A file to start as a thread, or its code as one CommonJS script. */
export type ThreadEntry = URL | string;

/** A module whose published copy holds the code of a store thread with everything that it imports. */
interface ThreadModule {
  readonly THREAD_CODE: string | undefined;
}

/**
 * The thread at this path below `src/`. In a bundle without the installed package there is no such file; the thread then runs
 * from the code that the build embeds. A bundler puts that into the bundle, because it is an ordinary import.
 */
export async function threadEntry(path: string, embedded: () => Promise<ThreadModule>): Promise<ThreadEntry> {
  return findOwnFile(path) ?? (await embedded()).THREAD_CODE ?? ownFile(path);
}
