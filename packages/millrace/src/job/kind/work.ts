import { AppError } from "../../lib/app-error.ts";
import type { Jsonified } from "../../lib/json/jsonified.ts";
import type { WorkOptions } from "../options/kind-options.ts";
import type {
  AnyModule,
  Contract,
  InlineStage,
  IsNotGiven,
  IsolatedStage,
  NotGiven,
  NoUndos,
  StageOutput,
} from "./builder.ts";
import { checkWork } from "./check-kind.ts";
import { chain, type SoleStage, withProcessor, workOf } from "./define-kind.ts";
import type {
  AnySchema,
  Kind,
  NoSignals,
  PayloadInput,
  PayloadOutput,
  SignalInputs,
  SignalSchemas,
  SignalValues,
} from "./kind.ts";

/** A contract with its first stages. Each `.stage()` receives what the previous stage returned. */
export interface ContractWork<S extends AnySchema, R extends AnySchema, Last, G extends SignalSchemas = NoSignals>
  extends Omit<Kind<PayloadInput<S>, Jsonified<PayloadOutput<R>>, SignalInputs<G>>, "mismatch"> {
  /** For the compiler only: `Millrace.open` does not accept the kind while the last stage returns another type. */
  readonly mismatch?: Last extends PayloadInput<R>
    ? undefined
    : { lastStageReturns: Last; contractResult: PayloadInput<R> };
  /** Adds a stage. Its processor receives what the previous stage returned. */
  stage<Output = NotGiven, Module extends AnyModule = never, Undos = NoUndos>(
    name: string,
    stage:
      | InlineStage<PayloadOutput<S>, Last, Output, SignalValues<G>, Undos>
      | IsolatedStage<Module, PayloadOutput<S>>,
  ): ContractWork<S, R, StageOutput<Output, Module>, G>;
}

/** No processor yet: `.stage(name, {...})` adds the stages. */
interface NoProcessor {
  stage?: never;
  run?: never;
  module?: never;
}

type DefinedWork<S extends AnySchema, R extends AnySchema, Output, Module, G extends SignalSchemas> = [
  IsNotGiven<Output>,
  [Module] extends [never] ? true : false,
] extends [true, true]
  ? ContractWork<S, R, PayloadOutput<S>, G>
  : Omit<ContractWork<S, R, StageOutput<Output, Module>, G>, "stage">;

/**
 * Adds processors to a contract, for worker processes. Processes that only submit need just the contract.
 *
 * - With `run`: the work is one stage. `stage` is the word shown while it runs (default: running).
 * - Without a processor: chain `.stage(name, {...})` for each stage.
 *
 * The last stage must return what the contract's `result` accepts.
 *
 * @example
 * ```ts
 * import { defineKind, Millrace, sqlite, work } from "millrace";
 * import { z } from "zod";
 *
 * // In a package that web and worker share:
 * const order = defineKind({
 *   name: "order",
 *   payload: z.object({ id: z.string() }),
 *   result: z.object({ receipt: z.string() }),
 * });
 *
 * // In the worker:
 * const orderWork = work(order)
 *   .stage("charge", { run: async (_ctx, { id }) => ({ id, paid: true }) })
 *   .stage("ship", { run: async (_ctx, { id }) => ({ receipt: `Shipped ${id}` }) });
 * const millrace = await Millrace.open({ store: sqlite("./data/jobs.db"), kinds: [orderWork] });
 * const job = await millrace.submit(order, { id: "o-7" });
 * console.log((await job.wait()).receipt);
 * await millrace.stop();
 * ```
 */
export function work<
  S extends AnySchema,
  R extends AnySchema,
  G extends SignalSchemas = NoSignals,
  Output = NotGiven,
  Module extends AnyModule = never,
  Undos = NoUndos,
>(
  contract: Contract<S, R, G>,
  options: WorkOptions<PayloadOutput<S>> &
    (
      | ({ stage?: string } & (
          | InlineStage<PayloadOutput<S>, PayloadOutput<S>, Output, SignalValues<G>, Undos>
          | IsolatedStage<Module, PayloadOutput<S>>
        ))
      | NoProcessor
    ) = {},
): DefinedWork<S, R, Output, Module, G> {
  if (contract?.result === undefined) {
    throw new AppError("kind-invalid", "work() takes a contract: a kind with a result schema.", {
      hint: "Define one with defineKind({ name, payload, result }).",
    });
  }
  const given = options as WorkOptions & SoleStage;
  const hasStage = Boolean(given.run || given.module);
  checkWork(contract as Kind, given, { hasStage });
  const kind: Kind = { ...(contract as Kind), ...workOf(given) };
  return (hasStage ? withProcessor(kind, given) : chain(kind)) as unknown as DefinedWork<S, R, Output, Module, G>;
}
