import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Outcome } from "../../job/lifecycle.ts";
import { messageOf } from "../../lib/app-error.ts";
import { type AttemptEnd, completedWith, endOf } from "../outcome.ts";
import { issuesText } from "./payload.ts";

/** Before the last stage of a contract's job completes: its result fits the contract, or the job fails for good. */
export async function checkResult(schema: StandardSchemaV1, end: AttemptEnd): Promise<AttemptEnd> {
  if (end === "lost" || end.type !== "completed") return end;
  try {
    const result = await schema["~standard"].validate(JSON.parse(end.output));
    return result.issues ? mismatch(issuesText(result.issues)) : completedWith(result.value);
  } catch (thrown) {
    const failed = endOf(thrown);
    return failed !== "lost" && failed.type === "failed" && failed.failure.permanent
      ? failed
      : mismatch(messageOf(thrown));
  }
}

function mismatch(reason: string): Outcome {
  const message = `The result does not fit the contract of the kind: ${reason}`;
  return { type: "failed", failure: { code: "result-mismatch", message, permanent: true } };
}
