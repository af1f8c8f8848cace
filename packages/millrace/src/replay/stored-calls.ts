// What a job has stored for one stage, as its attempt would read it, and which of it the code has come to.

import type { Stage } from "../job/kind/kind.ts";
import type { ExportedJob } from "../job/report/exported-job.ts";
import type { StoredWait } from "../job/wait.ts";
import type { Step } from "../store/verbs/attempts.ts";

/** Steps that the engine stores by itself. */
const OWN_STEPS = /^(released|undo):/;

export class StoredCalls {
  readonly steps: readonly Step[];
  readonly waits: readonly StoredWait[];
  readonly #unreached = new Set<string>();

  constructor(job: ExportedJob, { name: stage, renamedFrom = [] }: Pick<Stage, "name" | "renamedFrom">) {
    const isOfStage = (each: { stage: string }) => each.stage === stage || renamedFrom.includes(each.stage);
    this.steps = job.steps
      .filter(isOfStage)
      .map(({ name, value }) => ({ stage, name, value: JSON.stringify(value), savedAt: 0 }));
    this.waits = job.waits.filter(isOfStage).map(({ type, name, state, since, until, answeredAt, value }) => {
      const stored: StoredWait = {
        type,
        name,
        state,
        since: Date.parse(since),
        ...(until !== undefined && { until: Date.parse(until) }),
        ...(answeredAt !== undefined && { answeredAt: Date.parse(answeredAt) }),
        ...(value !== undefined && { value: JSON.stringify(value) }),
      };
      return this.#watched(stored);
    });
    for (const { name } of this.steps) if (!OWN_STEPS.test(name)) this.#unreached.add(wordsOf("step", name));
  }

  hasStep(names: readonly string[]): boolean {
    const stored = this.steps.find(({ name }) => names.includes(name));
    if (stored) this.#unreached.delete(wordsOf("step", stored.name));
    return stored !== undefined;
  }

  /** Stored steps and waits that the code did not come to. */
  get unreached(): string[] {
    return [...this.#unreached];
  }

  /** A wait is looked up by its type and name; its state and value are read only when the code comes to it. */
  #watched(wait: StoredWait): StoredWait {
    const words = wordsOf(wait.type, wait.name);
    this.#unreached.add(words);
    return new Proxy(wait, {
      get: (target, key) => {
        if (key === "state" || key === "value") this.#unreached.delete(words);
        return Reflect.get(target, key);
      },
    });
  }
}

export function wordsOf(type: string, name: string): string {
  return `${type} "${name}"`;
}
