import type { StandardSchemaV1 } from "@standard-schema/spec";
import { JobFailure } from "../../job/failure.ts";

/** A payload is parsed again when it is claimed, since the code may have changed: a mismatch is a clear failure, not a crash. */
export function parsePayload(schema: StandardSchemaV1, payload: string): unknown | Promise<unknown> {
  const checked = schema["~standard"].validate(JSON.parse(payload));
  return checked instanceof Promise ? checked.then(parsedValue) : parsedValue(checked);
}

function parsedValue(checked: StandardSchemaV1.Result<unknown>): unknown {
  if (!checked.issues) return checked.value;
  throw new JobFailure(`The stored payload does not fit this version of the kind: ${issuesText(checked.issues)}`, {
    code: "payload-mismatch",
    permanent: true,
  });
}

/** Such as `url: expected string; size.width: must be positive`. */
export function issuesText(issues: readonly StandardSchemaV1.Issue[]): string {
  return issues
    .slice(0, 5)
    .map((issue) => {
      const path = issue.path?.map((key) => String(typeof key === "object" ? key.key : key)).join(".");
      return path ? `${path}: ${issue.message}` : issue.message;
    })
    .join("; ");
}
