import { AsyncLocalStorage } from "node:async_hooks";

const steps = new AsyncLocalStorage<string>();
const transactions = new AsyncLocalStorage<string>();

/** Runs the function of a step, so that what it calls knows the step. */
export function runInStep<T>(name: string, run: () => T): T {
  return steps.run(name, run);
}

/** The step whose function makes this call. Undefined outside of steps. */
export function currentStep(): string | undefined {
  return steps.getStore();
}

/** Runs the function of `ctx.transaction()`. */
export function runInTransaction<T>(name: string, run: () => T): T {
  return transactions.run(name, () => runInStep(name, run));
}

/** The `ctx.transaction()` whose function makes this call. Undefined outside of them. */
export function currentTransaction(): string | undefined {
  return transactions.getStore();
}
