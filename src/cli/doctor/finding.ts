/** One line of the doctor's report. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  /** The next step, where one is needed. */
  readonly todo?: string;
}

export const ok = (check: string, text: string): Finding => ({ check, state: "ok", text });
export const warn = (check: string, text: string, todo: string): Finding => ({ check, state: "warn", text, todo });
export const fail = (check: string, text: string, todo: string): Finding => ({ check, state: "fail", text, todo });
