/** How to wait for the end of a job. */
export interface WaitOptions {
  /** Not finished by then: `wait-timeout`. The job goes on. Default: 10 minutes; `Infinity` for no limit. */
  timeoutMs?: number;
  signal?: AbortSignal;
}
