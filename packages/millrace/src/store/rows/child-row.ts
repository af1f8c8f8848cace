import type { Failure } from "../../job/failure.ts";
import { childStateOf, ENDED_CANCELLED, ENDED_FAILED, FORGOTTEN } from "../children/codes.ts";
import type { EndedChild } from "../verbs/children.ts";

/** An edge, with what the row of its job says. */
export interface EndRow {
  id: number;
  job: number;
  key: string | null;
  state: number;
  failure: string | null;
  output: string | null;
}

export function endedChild({ job, key, state, failure, output }: EndRow, idOf: (key: number) => string): EndedChild {
  const hasFailed = state === ENDED_FAILED || state === ENDED_CANCELLED || state === FORGOTTEN;
  return {
    jobId: idOf(job),
    key: key ?? "",
    state: childStateOf(state),
    ...(output !== null && { result: output }),
    ...(hasFailed && { failure: failureOf(state, failure) }),
  };
}

function failureOf(state: number, stored: string | null): Failure {
  if (state === FORGOTTEN) return { code: "forgotten", message: "The job was deleted.", permanent: true };
  if (stored !== null) return JSON.parse(stored) as Failure;
  return { code: state === ENDED_CANCELLED ? "cancelled" : "processor-failed", message: "It failed.", permanent: true };
}
