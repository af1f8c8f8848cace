import type { z } from "zod";
import type { submissionOptions } from "../../api/common.ts";
import { SUBMIT_OPTIONS, type SubmitOptions } from "../../job/options/submit-options.ts";

type WireOptions = {
  readonly [Name in keyof typeof submissionOptions]: z.output<(typeof submissionOptions)[Name]> | undefined;
};

const ON_THE_WIRE = Object.entries(SUBMIT_OPTIONS).flatMap(([name, { rule, outside }]) =>
  outside ? [{ name, wire: "wire" in outside ? outside.wire : name, isDate: rule.is === "date" }] : [],
);

/** The options of a submission over HTTP, as the engine takes them. */
export function submitOptionsOf(asked: Partial<WireOptions>): SubmitOptions {
  const options: Record<string, unknown> = {};
  for (const { name, wire, isDate } of ON_THE_WIRE) {
    const value = asked[wire as keyof WireOptions];
    if (value !== undefined) options[name] = isDate ? new Date(value as string) : value;
  }
  return options;
}
