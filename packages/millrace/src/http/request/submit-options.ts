import type { z } from "zod";
import type { submissionOptions } from "../../api/common.ts";
import type { SubmitOptions } from "../../submit/submit.ts";

type Asked = {
  readonly [Name in keyof typeof submissionOptions]: z.output<(typeof submissionOptions)[Name]> | undefined;
};

/** The options of a submission over HTTP, as the engine takes them. */
export function submitOptionsOf(asked: Partial<Asked>): SubmitOptions {
  const { priority, runAt, delayMs, maxRetries, timeoutMs, expiresInMs, tags } = asked;
  return {
    ...(priority !== undefined && { priority }),
    ...(runAt !== undefined && { runAt: new Date(runAt) }),
    ...(delayMs !== undefined && { delayMs }),
    ...(maxRetries !== undefined && { maxAttempts: maxRetries }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(expiresInMs !== undefined && { expiresInMs }),
    ...(tags !== undefined && { tags }),
  };
}
