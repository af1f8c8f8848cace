/** Where a transaction stops. */
export interface Stop {
  order: number;
  /** Which of the works in crash-work.ts it does. */
  work: number;
  /** The statement, counted from `BEGIN`, which is 0. */
  at: number;
  /** Before it is sent, while it runs, or after its answer. */
  when: "before" | "sent" | "answered";
}
