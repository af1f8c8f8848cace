/** At most `count` starts in any `perMs` milliseconds, across all processes. */
export interface Pace {
  /** The number of starts. */
  count: number;
  /** The period, in milliseconds. */
  perMs: number;
}
