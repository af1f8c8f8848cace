// Work that a transaction leaves for many jobs (left-work.ts does it).

import type { Core } from "../core.ts";

const LEAVE = "INSERT INTO left_work (what, ref, at) VALUES (?, ?, ?)";
const HAS_LEFT_WORK = "SELECT 1 FROM left_work LIMIT 1";

/** Adds work that is done at the end of the transaction. What is too much for it is left to the caretaker. */
export function leaveWork(core: Core, what: number, ref: number): void {
  core.statement(LEAVE).run(what, ref, core.clock.now());
  core.hasLeftWork = true;
}

/** Whether an earlier transaction has left work to do. */
export function hasLeftWork(core: Core): boolean {
  return core.statement(HAS_LEFT_WORK).get() !== undefined;
}
