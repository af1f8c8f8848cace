import type { StoredType } from "../job/wait.ts";
import { AppError } from "../lib/app-error.ts";

const MAX_NAME_CHARS = 200;

/** Names the waits of one attempt: the second call with the same name is `paid#2`, so that a loop works without indexes. */
export class WaitNames {
  readonly #calls = new Map<string, number>();

  /**
   * The name of the next call. `isUnanswered` tells whether the wait of the call before, by its name, is still
   * unanswered.
   */
  next(type: StoredType, name: string, call: string, isUnanswered: (name: string) => boolean): string {
    checkWaitName(name, call);
    const key = `${type} ${name}`;
    const count = this.#calls.get(key) ?? 0;
    if (count > 0 && isUnanswered(numbered(name, count))) {
      throw new AppError("wait-name-reused", `${call} was called again before its first call was answered.`, {
        hint: "Branches that run in parallel could swap their answers. Give each wait its own name.",
      });
    }
    this.#calls.set(key, count + 1);
    return numbered(name, count + 1);
  }
}

function numbered(name: string, count: number): string {
  return count === 1 ? name : `${name}#${count}`;
}

export function checkWaitName(name: unknown, call: string): asserts name is string {
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME_CHARS || /[#\0]/.test(name)) {
    throw new AppError("invalid-request", `${call} needs a name of 1 to ${MAX_NAME_CHARS} characters without "#".`);
  }
}
