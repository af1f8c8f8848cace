// Checks of kinds and stages. All problems of a definition are reported together, where it is defined, each with a correction.

import { AppError } from "../../lib/app-error.ts";
import { problemsIn, refuse, unknownHint, unknownNames } from "../../lib/options/check.ts";
import { anyText, isObject, type OptionTable } from "../../lib/options/option.ts";
import { type Concurrency, concurrencyProblems, KIND_CONCURRENCY } from "../options/concurrency-options.ts";
import { CONTRACT_OPTIONS, type ContractOptions, isSchema, WORK_OPTIONS } from "../options/kind-options.ts";
import { STAGE_OPTIONS, STAGE_WORK } from "../options/stage-options.ts";
import type { AnySchema, Kind } from "./kind.ts";

const STAGE: OptionTable = { ...STAGE_WORK, ...STAGE_OPTIONS };
const KIND: OptionTable = { ...CONTRACT_OPTIONS, ...WORK_OPTIONS, concurrency: KIND_CONCURRENCY };
/** A kind with a processor of its own is also its only stage. */
const KIND_WITH_STAGE: OptionTable = { ...KIND, stage: anyText(), ...STAGE };
const WORK_WITH_STAGE: OptionTable = { ...WORK_OPTIONS, stage: anyText(), ...STAGE };

/** Names of kinds, stages and spaces of records. */
export const NAME = /^[a-z][a-z0-9-]{0,63}$/;
export const NAME_HINT = "Use lower-case letters, digits and dashes, starting with a letter, at most 64 characters.";

export function checkName(what: string, name: unknown): void {
  if (typeof name === "string" && NAME.test(name)) return;
  throw new AppError("kind-invalid", `Invalid ${what} name "${name}".`, { hint: NAME_HINT });
}

/** `hasStage`: the kind has a processor of its own. */
export function checkKind(name: string, options: object, { hasStage }: { hasStage: boolean }): void {
  const given = definedIn(options);
  if (!hasStage) refuseStageOptions(name, KIND, given);
  refuseKind(name, `kind "${name}"`, hasStage ? KIND_WITH_STAGE : KIND, { payload: null, ...given });
  refuseConcurrency(name, given);
}

function refuseConcurrency(name: string, { concurrency }: { concurrency?: Concurrency<never> }): void {
  const problems = concurrency ? concurrencyProblems(concurrency) : [];
  refuse(
    "kind-invalid",
    problems.map((problem) => `The kind "${name}": ${problem}`),
  );
}

/** A kind with a result schema has neither processors nor their options. */
export function checkContract(name: string, { result, ...options }: { result?: unknown }): void {
  if (!isSchema(result)) throw new AppError("kind-invalid", `result of the kind "${name}" must be a Standard Schema.`);
  const given = definedIn(options);
  const misplaced = Object.keys(given).find((option) => !(option in CONTRACT_OPTIONS));
  if (misplaced !== undefined) {
    throw new AppError("kind-invalid", `"${misplaced}" does not belong to the contract "${name}".`, {
      hint: "A kind with a result schema has no processor. Pass this option to work(contract, ...) or to its .stage(name, ...).",
    });
  }
  refuseKind(name, `kind "${name}"`, CONTRACT_OPTIONS, { payload: null, ...given });
}

/** The options that a contract's work adds to it. `hasStage`: a processor is among them. */
export function checkWork(
  { name, concurrencyKey: key }: Pick<Kind, "name" | "concurrencyKey">,
  options: object,
  { hasStage }: { hasStage: boolean },
): void {
  const given: { concurrency?: object } = definedIn(options);
  if (!hasStage) refuseStageOptions(name, WORK_OPTIONS, given);
  refuseKind(name, `work("${name}")`, hasStage ? WORK_WITH_STAGE : WORK_OPTIONS, given);
  refuseConcurrency(name, given.concurrency ? { concurrency: { ...given.concurrency, ...(key && { key }) } } : {});
}

function refuseStageOptions(name: string, table: OptionTable, given: object): void {
  const misplaced = Object.keys(given).find((each) => each in STAGE && !(each in table));
  if (misplaced === undefined) return;
  throw new AppError("kind-invalid", `"${misplaced}" is an option of a stage, not of kind "${name}".`, {
    hint: `Write .stage(name, { ${misplaced} }), or give the kind a run function of its own.`,
  });
}

function refuseKind(name: string, what: string, table: OptionTable, given: object): void {
  const ofKind = Object.fromEntries(Object.entries(given).filter(([each]) => each in KIND));
  refuse(
    "kind-invalid",
    [
      ...unknownNames(what, table, given),
      ...[...problemsIn(KIND, ofKind), ...keyProblems(ofKind)].map((problem) => `The kind "${name}": ${problem}`),
    ],
    unknownHint(table, given) ?? hintFor(KIND, ofKind),
  );
}

/** A kind has one rule for submissions that have something in common. */
function keyProblems(given: Partial<ContractOptions<AnySchema>>): string[] {
  const { uniqueKey, ifUnique, debounce, throttle } = given;
  const problems: string[] = [];
  const rules = Object.entries({ uniqueKey, debounce, throttle }).filter(([, rule]) => rule !== undefined);
  const [first, second] = rules.map(([rule]) => rule);
  if (second !== undefined) problems.push(`Pass ${first} or ${second}, not both`);
  if (ifUnique !== undefined && uniqueKey === undefined) problems.push("ifUnique needs a uniqueKey");
  if (isObject(debounce)) {
    const { key, waitMs, maxWaitMs } = debounce;
    if (key === undefined) problems.push("debounce.key must be a function");
    if (waitMs === undefined) problems.push("debounce.waitMs must be a whole number above 0");
    else if (maxWaitMs !== undefined && maxWaitMs < waitMs) {
      problems.push("debounce.maxWaitMs must not be less than debounce.waitMs");
    }
  }
  return problems;
}

const RESERVED = new Set([
  ...["pending", "not-started", "completed", "failed", "cancelled"],
  ...["scheduled", "retrying", "held", "done"],
]);

export function checkStageName(kind: Kind, name: string): void {
  checkName("stage", name);
  if (RESERVED.has(name)) {
    const message = `"${name}" is not allowed as a stage name of "${kind.name}": it is a job status.`;
    throw new AppError("kind-invalid", message);
  }
  if (kind.stages.some((stage) => stage.name === name))
    throw new AppError("kind-invalid", `The kind "${kind.name}" has two stages with the name "${name}".`);
}

/** `ofKind`: the options are those of a whole kind, which were looked at before. */
export function checkStage(kind: string, name: string, options: object, { ofKind }: { ofKind: boolean }): void {
  const given = definedIn(options);
  const owner = `"${kind}/${name}"`;
  refuse(
    "kind-invalid",
    [...(ofKind ? [] : unknownNames(`stage ${owner}`, STAGE, given)), ...problemsIn(STAGE, given, ` of ${owner}`)],
    (ofKind ? undefined : unknownHint(STAGE, given)) ?? hintFor(STAGE, given),
  );
}

const HINTS: Readonly<Record<string, string>> = {
  payload: "Use a schema of zod, valibot or arktype. z.unknown() accepts anything.",
  use: "use: [async (ctx, next) => { … return next(); }]",
  module: 'new URL("./work.ts", import.meta.url)',
};

function hintFor(table: OptionTable, given: object): string | undefined {
  const wrong = Object.entries(given).find(([name, value]) => name in HINTS && !table[name]?.accepts(value));
  return wrong && HINTS[wrong[0]];
}

/** In plain JavaScript an option is often passed as undefined. */
function definedIn(options: object | undefined): object {
  return Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined));
}
