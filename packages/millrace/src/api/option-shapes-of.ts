// Options as requests carry them, made with the zod of the caller: see shapes-of.ts.

import type { z as Zod } from "zod";
import type { SUBMIT_OPTIONS } from "../job/options/submit-options.ts";
import type { Option, OptionRule, OptionTable } from "../lib/options/option.ts";
import type { WireName } from "../lib/options/wire.ts";
import { unreachable } from "../lib/unreachable.ts";

type WireSchema<Value> = Zod.ZodOptional<
  Value extends number
    ? Zod.ZodInt
    : Value extends Date
      ? Zod.ZodISODateTime
      : Value extends string[]
        ? Zod.ZodArray<Zod.ZodString>
        : Value extends string
          ? Zod.ZodString
          : never
>;

/** The schemas of all options that can be set over HTTP, under their names there. */
type OptionShapes<Table extends OptionTable> = {
  [Name in keyof Table as WireName<Table, Name>]: Table[Name] extends Option<infer Value> ? WireSchema<Value> : never;
};

/** The schemas of the options of a submission. */
export interface SubmissionShapes extends OptionShapes<typeof SUBMIT_OPTIONS> {}

export interface ShapeParts {
  readonly Moment: Zod.ZodISODateTime;
  Text(most: number): Zod.ZodString;
}

export function optionShapes<Table extends OptionTable>(z: typeof Zod, table: Table, parts: ShapeParts) {
  const shapes = Object.entries(table).flatMap(([name, { rule, outside }]) =>
    outside ? [[outside.wire ?? name, shapeOf(z, rule, parts).optional().meta({ description: outside.about })]] : [],
  );
  return Object.fromEntries(shapes) as OptionShapes<Table>;
}

function shapeOf(z: typeof Zod, rule: OptionRule, { Moment, Text }: ShapeParts) {
  switch (rule.is) {
    case "whole":
      return z.int().min(rule.least).max(rule.most);
    case "date":
      return Moment;
    case "text":
      return Text(rule.most);
    case "texts":
      return z.array(Text(rule.chars)).max(rule.most);
    case "word":
      return z.enum(rule.words as [string]);
    case "switch":
      return z.boolean();
    case "group":
    case "other":
      throw new Error("a request carries no groups, functions or signals");
    default:
      return unreachable(rule);
  }
}
