import { AppError } from "../lib/app-error.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** As long as a database takes to fail over; after that the attempt fails, and is tried again later. */
const PATIENCE_MS = 60_000;

/**
 * Asks a store that is away for the moment again, with growing pauses: an attempt should not be counted as failed because
 * the database was restarted under it. Only for what may be done twice, since the answer may be all that was lost.
 */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      const passing = error instanceof AppError && error.code === "store-unavailable";
      if (!passing || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
