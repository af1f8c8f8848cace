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

/** The work on a contract under construction: each `.stage()` receives what the one before it returned. */
export interface ContractWork<S extends AnySchema, R extends AnySchema, Last>
  extends Omit<Kind<In<S>, Jsonified<Out<R>>>, "mismatch"> {
  /** Only for the compiler: an engine refuses the kind while the last stage returns something else. */
  readonly mismatch?: Last extends In<R> ? undefined : { lastStageReturns: Last; contractResult: In<R> };
  stage<Output = NotGiven, Module extends AnyModule = never>(
    name: string,
    stage: InlineStage<Out<S>, Last, Output> | IsolatedStage<Module>,
  ): ContractWork<S, R, Given<Output, Module>>;
}

/**
 * The processors of a contract, for the processes that work on it. Chain `.stage(name, {...})`; the last stage returns what
 * the contract's `result` accepts. Processes that only submit need the contract alone.
 */
export function work<S extends AnySchema, R extends AnySchema>(
  contract: Contract<S, R>,
  options: WorkOptions = {},
): ContractWork<S, R, Out<S>> {
  if (contract?.result === undefined) {
    throw new AppError("kind-invalid", "work takes a contract: a kind that was defined with a result schema.", {
      hint: "defineKind({ name, payload, result }) gives one.",
    });
  }
  checkOptions(`work("${contract.name}")`, options, JOB_OPTIONS);
  checkWork(contract.name, options);
  const { retention = {}, inputFailures = [], keep, maxCrashes, pinned = false } = options;
  const kind: Kind = { ...(contract as Kind), retention, inputFailures, keep, maxCrashes, pinned };
  return chain(kind) as unknown as ContractWork<S, R, Out<S>>;
}
