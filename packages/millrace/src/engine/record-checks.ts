import { NAME, NAME_HINT } from "../job/kind/check-kind.ts";
import { isSchema } from "../job/options/kind-options.ts";
import { AppError } from "../lib/app-error.ts";
import { checkOptions, type OptionBag } from "../lib/options/check.ts";
import { anything } from "../lib/options/option.ts";
import type { RecordName } from "../store/verbs/records.ts";

/** A wrong schema has a sentence of its own, with the name of the space. */
const RECORDS: OptionBag = { what: "records", options: { schema: anything() } };

export function checkSpace(space: string, options: { schema?: unknown }): void {
  if (typeof space !== "string" || !NAME.test(space)) {
    throw new AppError("invalid-request", `Invalid space name "${space}".`, {
      hint: NAME_HINT,
    });
  }
  checkOptions(RECORDS, options);
  const { schema } = options;
  if (schema === undefined || isSchema(schema)) return;
  throw new AppError("invalid-request", `The schema of the space "${space}" must be a Standard Schema.`, {
    hint: "Use zod, valibot or arktype: millrace.records(space, { schema: z.object({ … }) })",
  });
}

/** The error of a conflict. `current` is the version in the store; 0 means that there is no record. */
export function conflictError({ space, key }: RecordName, current: number, expected: number | undefined): AppError {
  const record = `The record "${key}" in the space "${space}"`;
  const message =
    current === 0
      ? `${record} does not exist.`
      : expected === 0
        ? `${record} already exists, with version ${current}.`
        : `${record} has version ${current}, not ${expected}.`;
  return new AppError("record-conflict", message, {
    hint: "Another writer changed it. Read it again, or use update().",
    details: { version: current },
  });
}
