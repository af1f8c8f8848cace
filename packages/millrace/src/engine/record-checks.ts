import { NAME, NAME_HINT } from "../job/kind/check-kind.ts";
import { AppError } from "../lib/app-error.ts";
import { checkInteger, checkNames, checkText } from "../lib/check.ts";
import type { RecordName } from "../store/verbs/records.ts";
import type { ListRecordsOptions } from "./records.ts";

const LONGEST_KEY = 255;

export function checkSpace(space: string, options: { schema?: unknown }): void {
  if (typeof space !== "string" || !NAME.test(space)) {
    throw new AppError("invalid-request", `Invalid space name "${space}".`, {
      hint: NAME_HINT,
    });
  }
  checkNames("records", options, ["schema"]);
  const { schema } = options as { schema?: { "~standard"?: { validate?: unknown } } };
  if (schema === undefined || typeof schema?.["~standard"]?.validate === "function") return;
  throw new AppError("invalid-request", `The schema of the space "${space}" must be a Standard Schema.`, {
    hint: "Use zod, valibot or arktype: millrace.records(space, { schema: z.object({ … }) })",
  });
}

export function checkListOptions(options: ListRecordsOptions, most: number): void {
  checkNames("list", options, ["tenant", "prefix", "after", "limit"]);
  // An empty prefix is the start of every key.
  if (options.prefix !== "") checkText("prefix", options.prefix, LONGEST_KEY);
  checkText("after", options.after, LONGEST_KEY);
  checkInteger("limit", options.limit, 1, most);
}

/** `current` is the version in the store; 0: there is no record. */
export function conflictError({ space, key }: RecordName, current: number, expected: number | undefined): AppError {
  const record = `The record "${key}" in the space "${space}"`;
  const message =
    current === 0
      ? `${record} does not exist.`
      : expected === 0
        ? `${record} exists already, with version ${current}.`
        : `${record} has version ${current}, not ${expected}.`;
  return new AppError("record-conflict", message, {
    hint: "Another writer changed it. Read it again, or use update().",
    details: { version: current },
  });
}
