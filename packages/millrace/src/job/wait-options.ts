/** How to wait for the end of a job. */
export interface WaitOptions {
  /**
   * Give up after this time, in milliseconds, with `wait-timeout`; the job itself keeps running. `Infinity` waits
   * without a limit. Default: 600,000, 10 minutes.
   */
  timeoutMs?: number;
  /** Ends the wait when it is aborted. Default: none. */
  signal?: AbortSignal;
}
