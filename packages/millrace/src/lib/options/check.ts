// What a program passes in is checked where it comes in, against the description of the bag. All problems are listed at once.

import { AppError } from "../app-error.ts";
import { unknownOption } from "../did-you-mean.ts";
import { isObject, type Option, type OptionTable } from "./option.ts";

/** A bag of options: who takes it, and what may be in it. */
export interface OptionBag {
  /** The end of the sentence "Unknown option … for": `a submission`. */
  readonly what: string;
  readonly options: OptionTable;
  /** Groups of options of which at most one can be passed. */
  readonly exclusive?: readonly (readonly [string, string])[];
}

export function checkOptions({ what, options, exclusive = [] }: OptionBag, values: unknown): void {
  if (!isObject(values)) throw new AppError("invalid-request", `The options for ${what} must be an object.`);
  if (areValid(options, exclusive, values)) return;
  refuse(
    "invalid-request",
    [...unknownNames(what, options, values), ...problemsIn(options, values), ...together(exclusive, values)],
    unknownHint(options, values),
  );
}

/** A fast check without words for what is wrong: options are checked at every submission, and nearly always valid. */
function areValid(options: OptionTable, exclusive: readonly (readonly [string, string])[], values: object): boolean {
  let given = 0;
  for (const name in values) {
    const value = (values as Record<string, unknown>)[name];
    const described = Object.hasOwn(options, name) ? options[name] : undefined;
    if (described === undefined || described.rule.is === "group") return false;
    if (value !== undefined && !described.accepts(value)) return false;
    given++;
  }
  return given < 2 || together(exclusive, values).length === 0;
}

/** Checks one value that is passed by itself, and returns it. `name` begins the sentence about a wrong value. */
export function checked<Value>(name: string, option: Option<Value>, value: unknown): Value {
  if (!option.accepts(value)) throw new AppError("invalid-request", `${name} must be ${option.must(value)}.`);
  return value as Value;
}

/** Throws all problems as one error. Each is a sentence without its period, or a question. */
export function refuse(code: string, problems: readonly string[], hint?: string): void {
  if (problems.length === 0) return;
  throw new AppError(code, sentences(problems), hint === undefined ? {} : { hint });
}

export function sentences(problems: readonly string[]): string {
  return problems.map((each) => (each.endsWith("?") ? each : `${each}.`)).join(" ");
}

/** A mistyped option must be refused: its author would believe that it works. */
export function unknownNames(what: string, options: OptionTable, values: object): string[] {
  const known = Object.keys(options);
  return namesNotIn(options, values).map((name) => unknownOption(name, what, known, SYNONYMS).replace(/\.$/, ""));
}

export function unknownHint(options: OptionTable, values: object): string | undefined {
  if (namesNotIn(options, values).length === 0) return undefined;
  return `Known options: ${Object.keys(options).join(", ")}.`;
}

function namesNotIn(options: OptionTable, values: object): string[] {
  const unknown: string[] = [];
  for (const name in values) if (!Object.hasOwn(options, name)) unknown.push(name);
  return unknown;
}

/** The problems of the values of known options. `of` follows the name in each sentence: ` of "mail/running"`. */
export function problemsIn(options: OptionTable, values: object, of = ""): string[] {
  const problems: string[] = [];
  for (const name in values) {
    const described = Object.hasOwn(options, name) ? options[name] : undefined;
    const value = (values as Record<string, unknown>)[name];
    if (described === undefined || value === undefined) continue;
    const { rule, must, accepts } = described;
    if (!accepts(value)) problems.push(`${name}${of} must be ${must(value)}`);
    else if (rule.is === "group") problems.push(...problemsInGroup(name, rule, value as object, of));
  }
  return problems;
}

function problemsInGroup(
  name: string,
  { options, whole }: { readonly options: OptionTable; readonly whole: boolean },
  values: object,
  of: string,
): string[] {
  const missing = whole
    ? Object.keys(options).filter((each) => (values as Record<string, unknown>)[each] === undefined)
    : [];
  const inside = Object.fromEntries(Object.entries(options).map(([each, option]) => [`${name}.${each}`, option]));
  const given = Object.fromEntries(Object.entries(values).map(([each, value]) => [`${name}.${each}`, value]));
  return [
    ...unknownNames(`${name}${of}`, options, values),
    ...missing.map((each) => `${name}.${each}${of} must be ${options[each]?.must(undefined)}`),
    ...problemsIn(inside, given, of),
  ];
}

function together(exclusive: readonly (readonly [string, string])[], values: object): string[] {
  const has = (name: string) => (values as Record<string, unknown>)[name] !== undefined;
  return exclusive.filter(([a, b]) => has(a) && has(b)).map(([a, b]) => `Pass ${a} or ${b}, not both`);
}

/** Our words for options of other libraries. */
const SYNONYMS: Readonly<Record<string, string>> = {
  concurrency: "processors",
  attempts: "maxAttempts",
  retries: "maxAttempts",
  maxRetries: "maxAttempts",
  retryLimit: "maxAttempts",
  backoff: "retry",
  handler: "run",
  process: "run",
  schema: "payload",
  input: "payload",
  state: "status",
  jobId: "idempotencyKey",
  startAfter: "runAt",
  startDelay: "delayMs",
  singletonKey: "idempotencyKey",
  tz: "timeZone",
};
