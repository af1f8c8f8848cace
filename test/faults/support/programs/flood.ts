import { z } from "zod";
import { defineKind } from "../../../../packages/millrace/src/job/kind/define-kind.ts";
import type { Millrace } from "../../../../packages/millrace/src/millrace.ts";

/** Jobs that do nothing and leave nothing, as many as the machine can take. */
export class Flood {
  completed = 0;
  readonly kind = defineKind({
    name: "flood",
    payload: z.number(),
    keep: "none",
    processors: 200,
    run: () => {
      this.completed++;
      return null;
    },
  });
  #stopped = false;

  /** So many submitters, each with another hundred as soon as its last hundred was answered. */
  async start(millrace: Millrace, submitters: number): Promise<void> {
    const hundred = Array.from({ length: 100 }, (_, i) => i);
    const submitter = async () => {
      while (!this.#stopped) {
        await millrace.submitMany(this.kind, hundred);
        // Bounded, so that the end of the test does not wait for a backlog of minutes.
        while (!this.#stopped && (await waiting(millrace)) > 5_000)
          await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await Promise.all(Array.from({ length: submitters }, submitter));
  }

  stop(): void {
    this.#stopped = true;
  }
}

async function waiting(millrace: Millrace): Promise<number> {
  const kinds = await millrace.kinds();
  return kinds.find(({ kind }) => kind === "flood")?.stages[0]?.counts.ready ?? 0;
}
