import { type CurrentWaitType, WAIT_TYPES } from "../../job/wait.ts";

export interface WaitFilter {
  type: CurrentWaitType;
  /** The name in the code. Missing: any. */
  name?: string;
}

/** `signal` or `signal:paid`. Undefined for an unknown type. */
export function parseWaitFilter(text: string): WaitFilter | undefined {
  const at = text.indexOf(":");
  const type = WAIT_TYPES.find((each) => each === (at < 0 ? text : text.slice(0, at)));
  return type && { type, ...(at >= 0 && { name: text.slice(at + 1) }) };
}
