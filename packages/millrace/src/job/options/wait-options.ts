import type { OptionBag } from "../../lib/options/check.ts";
import { abortSignal, type OptionValues, other } from "../../lib/options/option.ts";

const WAIT_OPTIONS = {
  /**
   * Give up after this time, in milliseconds, with `wait-timeout`; the job itself keeps running. `Infinity` waits
   * without a limit. Default: 600,000, 10 minutes.
   */
  timeoutMs: other<number>("a number of milliseconds, 0 or more", (value) => typeof value === "number" && value >= 0),
  /** Ends the wait when it is aborted. Default: none. */
  signal: abortSignal(),
} as const;

/** How to wait for the end of a job. */
export interface WaitOptions extends OptionValues<typeof WAIT_OPTIONS> {}

export const WAIT: OptionBag = { what: "wait", options: WAIT_OPTIONS };
