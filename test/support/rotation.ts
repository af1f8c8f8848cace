/**
 * A number that changes every day, the same for all files of a run. Tests whose result does not depend on the runtime take turns
 * by it. The runner says it, and TEST_ROTATION sets it to repeat a run.
 */
export const rotation = Number(process.env["TEST_ROTATION"] ?? Math.floor(Date.now() / 86_400_000));

/** One of several, in turn: another on the next day, and another for the next index. */
export function inTurn<T>(choices: readonly T[], index: number): T {
  return choices[(index + rotation) % choices.length] as T;
}
