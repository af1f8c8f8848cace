import { AppError } from "./app-error.ts";

/**
 * The same promise with methods that report a missing `await`. Without them the caller reads "x.submit is not a
 * function". It stays a native promise, so awaiting it costs no more.
 */
export function needsAwait<T>(promise: Promise<T>, call: string, methods: readonly string[]): Promise<T> {
  const tell = () => {
    throw new AppError("await-missing", `${call} returns a Promise. Add await before it.`);
  };
  return Object.defineProperties(promise, Object.fromEntries(methods.map((name) => [name, { value: tell }])));
}
