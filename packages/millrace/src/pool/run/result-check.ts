import type { StandardSchemaV1 } from "@standard-schema/spec";
import { JobFailure } from "../../job/failure.ts";
import { messageOf } from "../../lib/app-error.ts";
import { type AttemptEnd, endOf, resultText } from "../outcome.ts";
import { issuesText } from "./payload.ts";

/**
 * Checks that the result fits the contract, before the last stage of its job completes. If not, the job fails for good.
 */
export async function checkResult(schema: StandardSchemaV1, end: AttemptEnd): Promise<AttemptEnd> {
  if (end === "lost" || end.type !== "completed") return end;
  try {
    return { type: "completed", result: await checkedResult(schema, end.result) };
  } catch (thrown) {
    const failed = endOf(thrown);
    return failed !== "lost" && failed.type === "failed" && failed.failure.permanent
      ? failed
      : endOf(mismatch(messageOf(thrown)));
  }
}

/** The result as the contract makes it, as JSON text. Throws a failure for good if it does not fit. */
export function checkedResult(schema: StandardSchemaV1, result: string): string | Promise<string> {
  const checked = schema["~standard"].validate(JSON.parse(result));
  return checked instanceof Promise ? checked.then(resultOf) : resultOf(checked);
}

function resultOf(checked: StandardSchemaV1.Result<unknown>): string {
  if (checked.issues) throw mismatch(issuesText(checked.issues));
  return resultText(checked.value);
}

function mismatch(reason: string): JobFailure {
  const message = `The result does not fit the contract of the kind: ${reason}`;
  return new JobFailure(message, { code: "result-mismatch", permanent: true });
}
