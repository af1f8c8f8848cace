/** One line in the report of `millrace doctor`. */
export interface Finding {
  /** What was checked, in a word or two. */
  readonly check: string;
  /** "ok", "warn" or "fail". With one "fail" the command exits with 1. */
  readonly state: "ok" | "warn" | "fail";
  /** What was found. */
  readonly text: string;
  /** The next step, if one is needed. Default: none. */
  readonly todo?: string;
}

/** A finding that all is well. */
export const ok = (check: string, text: string): Finding => ({ check, state: "ok", text });
/** A finding that an operator should act on, with the next step. */
export const warn = (check: string, text: string, todo: string): Finding => ({ check, state: "warn", text, todo });
/** A finding that something does not work, with the next step. */
export const fail = (check: string, text: string, todo: string): Finding => ({ check, state: "fail", text, todo });
