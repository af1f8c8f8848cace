// The flags of commands that submit jobs, made from the options of a submission.

import { SUBMIT_OPTIONS } from "../../job/options/submit-options.ts";
import type { Option, OptionRule, OptionTable, OutsideCode } from "../../lib/options/option.ts";
import type { WireValues } from "../../lib/options/wire.ts";
import type { Values } from "./command.ts";
import { duration, moment, whole } from "./flags.ts";

interface TextFlag {
  readonly type: "string";
  readonly value: string;
  readonly doc: string;
}
interface ListFlag extends TextFlag {
  readonly multiple: true;
}

type FlagName<O> = O extends Option<unknown, infer Outside extends OutsideCode> ? Outside["flag"]["name"] : never;

/** The flags that set options, each under its own name. */
type OptionFlags<Table extends OptionTable> = {
  readonly [Name in keyof Table as FlagName<Table[Name]>]: Table[Name] extends Option<string[]> ? ListFlag : TextFlag;
};

/** The flags that set the options of a submission. */
export interface SubmissionFlags extends OptionFlags<typeof SUBMIT_OPTIONS> {}

/** The flags of commands that submit jobs. */
export const SUBMISSION: SubmissionFlags = flagsOf(SUBMIT_OPTIONS);

/** The options of a submission as a request carries them. */
export interface SubmissionBody extends WireValues<typeof SUBMIT_OPTIONS> {}

type FlagValues = Values<Pick<SubmissionFlags, keyof SubmissionFlags>>;

/** The values of the `SUBMISSION` flags as the API takes them. Throws a `UsageError` for invalid ones. */
export function submissionOf(flags: FlagValues, now = Date.now()): SubmissionBody {
  const values: Record<string, unknown> = {};
  for (const [name, { rule, outside }] of Object.entries<Option>(SUBMIT_OPTIONS)) {
    const given = outside && flags[outside.flag.name as keyof FlagValues];
    if (given !== undefined) values[outside?.wire ?? name] = wireValue(rule, outside?.flag.name ?? name, given, now);
  }
  return values;
}

function flagsOf<Table extends OptionTable>(table: Table): OptionFlags<Table> {
  const flags = Object.values<Option>(table).flatMap(({ rule, outside }) => {
    if (!outside) return [];
    const { name, doc } = outside.flag;
    const multiple = rule.is === "texts" && { multiple: true };
    return [[name, { type: "string", ...multiple, value: placeholder(rule, name), doc }]];
  });
  return Object.fromEntries(flags);
}

function placeholder(rule: OptionRule, name: string): string {
  if (rule.is === "whole") return rule.unit === "ms" ? "<span>" : "<n>";
  return rule.is === "date" ? "<time>" : `<${name}>`;
}

function wireValue(rule: OptionRule, flag: string, given: string | string[], now: number): unknown {
  if (typeof given !== "string") return given;
  if (rule.is === "date") return moment(flag, given, now, 1);
  if (rule.is !== "whole") return given;
  return rule.unit === "ms" ? duration(flag, given) : whole(flag, given, { min: rule.least, max: rule.most });
}
