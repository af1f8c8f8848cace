import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Outcome } from "../job/lifecycle.ts";
import { messageOf } from "../lib/app-error.ts";
import { issuesText, MAX_RESULT_BYTES, outcomeOf } from "./process.ts";
import { storableText } from "./storable.ts";

type Ended = (outcome: Outcome | "lost") => void;

/** Before the last stage of a contract's job completes: its result is what the contract says, or the job fails for good. */
export function checkingResult(schema: StandardSchemaV1, ended: Ended): Ended {
  return (outcome) => {
    if (outcome === "lost" || outcome.type !== "completed") return ended(outcome);
    void checked(schema, outcome.output).then(ended);
  };
}

async function checked(schema: StandardSchemaV1, output: string): Promise<Outcome | "lost"> {
  try {
    const result = await schema["~standard"].validate(JSON.parse(output));
    if (result.issues) return mismatch(issuesText(result.issues));
    return { type: "completed", output: storableText(result.value, "result", MAX_RESULT_BYTES) };
  } catch (thrown) {
    const outcome = outcomeOf(thrown);
    return outcome !== "lost" && outcome.type === "failed" && outcome.failure.permanent
      ? outcome
      : mismatch(messageOf(thrown));
  }
}

function mismatch(reason: string): Outcome {
  const message = `The result does not fit the contract of the kind: ${reason}`;
  return { type: "failed", failure: { code: "result-mismatch", message, permanent: true } };
}
