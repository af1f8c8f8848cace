import type { Processor, StepRun, UndoHandler } from "../../job/context.ts";
import { JobFailure } from "../../job/failure.ts";
import type { Stage } from "../../job/kind/kind.ts";
import { isObject, type Option, other } from "../../lib/options/option.ts";
import type { JobContext } from "../context/context.ts";

export const UNDO_HANDLERS: Option<Readonly<Record<string, UndoHandler>>, undefined> = other(
  "an object of functions",
  (value) => isObject(value) && Object.values(value).every((each) => typeof each === "function"),
);

/** Runs the undo handlers of a stage, one after another, each as a step. */
export function undoProcessor(handlers: Stage["undo"] = {}): Processor<unknown, unknown, unknown> {
  return async (given) => {
    const ctx = given as unknown as JobContext;
    for (const { name, handler, value } of await ctx.undosLeft()) {
      const undo = Object.hasOwn(handlers, handler) ? handlers[handler] : undefined;
      if (!undo) {
        const message = `The stage "${ctx.stage}" has no undo handler "${handler}".`;
        throw new JobFailure(message, { code: "undo-missing", permanent: true });
      }
      await ctx.undo(name, (step: StepRun) => undo(given as never, JSON.parse(value) as never, step));
    }
    return null;
  };
}
