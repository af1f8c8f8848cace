import { AppError } from "../lib/app-error.ts";
import type { Jsonified } from "../lib/jsonified.ts";
import {
  type AnyModule,
  type AnySchema,
  type Contract,
  chain,
  checkOptions,
  checkWork,
  type Given,
  type In,
  type InlineStage,
  type IsolatedStage,
  JOB_OPTIONS,
  type Kind,
  type NotGiven,
  type Out,
  type WorkOptions,
} from "./kind.ts";

/** A contract with its first stages: each `.stage()` receives what the stage before it returned. */
export interface ContractWork<S extends AnySchema, R extends AnySchema, Last>
  extends Omit<Kind<In<S>, Jsonified<Out<R>>>, "mismatch"> {
  /** For the compiler only: `Millrace.open` does not accept the kind while the last stage returns another type. */
  readonly mismatch?: Last extends In<R> ? undefined : { lastStageReturns: Last; contractResult: In<R> };
  stage<Output = NotGiven, Module extends AnyModule = never>(
    name: string,
    stage: InlineStage<Out<S>, Last, Output> | IsolatedStage<Module>,
  ): ContractWork<S, R, Given<Output, Module>>;
}

/**
 * Adds processors to a contract, for worker processes. Chain `.stage(name, {...})`; the last stage must return what the
 * contract's `result` accepts. Processes that only submit need just the contract.
 */
export function work<S extends AnySchema, R extends AnySchema>(
  contract: Contract<S, R>,
  options: WorkOptions = {},
): ContractWork<S, R, Out<S>> {
  if (contract?.result === undefined) {
    throw new AppError("kind-invalid", "work() takes a contract: a kind with a result schema.", {
      hint: "Define one with defineKind({ name, payload, result }).",
    });
  }
  checkOptions(`work("${contract.name}")`, options, JOB_OPTIONS);
  checkWork(contract.name, options);
  const { retention = {}, inputFailures = [], keep, maxCrashes, pinned = false } = options;
  const kind: Kind = { ...(contract as Kind), retention, inputFailures, keep, maxCrashes, pinned };
  return chain(kind) as unknown as ContractWork<S, R, Out<S>>;
}
