import type { Kind } from "../../job/kind/kind.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import { messageOf } from "../../lib/app-error.ts";
import { issuesText } from "./payload.ts";

type Continuation = Extract<Outcome, { type: "continued" }>;

/**
 * Checks that the payload of the successor fits the kind, before a job continues as new. If not, the job fails for
 * good.
 */
export async function checkContinuation({ name, schema }: Kind, end: Continuation): Promise<Outcome> {
  try {
    const checked = await schema["~standard"].validate(JSON.parse(end.payload));
    return checked.issues ? mismatch(name, issuesText(checked.issues)) : end;
  } catch (thrown) {
    return mismatch(name, messageOf(thrown));
  }
}

function mismatch(kind: string, reason: string): Outcome {
  const message = `The payload passed to ctx.continueAsNew() does not fit the kind "${kind}": ${reason}`;
  return { type: "failed", failure: { code: "payload-mismatch", message, permanent: true } };
}
