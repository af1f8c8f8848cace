import type { StandardSchemaV1 } from "@standard-schema/spec";
import { AppError } from "./app-error.ts";

/** What a schema says against a value that went through JSON: the first issue as a sentence, all of them in `details`. */
export function schemaError(
  code: string,
  message: string,
  found: readonly StandardSchemaV1.Issue[],
  { hint }: { hint?: string } = {},
): AppError {
  const issues = found.map((issue) => ({ path: pathOf(issue), message: issue.message }));
  const [first] = issues;
  const where = first?.path ? ` at "${first.path}"` : "";
  const wantsDate = isDateIssue(found[0]);
  const why = wantsDate ? "the schema expects a Date, which JSON turns into a string." : first?.message;
  const nextStep = wantsDate ? "Use z.coerce.date() for a Date, or z.iso.datetime() for its string." : hint;
  return new AppError(code, `${message}${where}: ${why}`, {
    ...(nextStep !== undefined && { hint: nextStep }),
    details: { issues },
  });
}

/** zod's `expected: "date"` and valibot's `expected: "Date"`: no value can ever pass, since it is parsed after JSON. */
function isDateIssue(issue: StandardSchemaV1.Issue | undefined): boolean {
  return issue !== undefined && "expected" in issue && (issue.expected === "date" || issue.expected === "Date");
}

function pathOf(issue: StandardSchemaV1.Issue): string {
  return (issue.path ?? []).map((key) => String(typeof key === "object" ? key.key : key)).join(".");
}
