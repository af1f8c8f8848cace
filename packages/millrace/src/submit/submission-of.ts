import type { Kind } from "../job/kind/kind.ts";
import type { SubmitOptions } from "../job/options/submit-options.ts";
import { AppError } from "../lib/app-error.ts";
import type { SubmitRequests } from "./intake.ts";

/** A submission of one kind, as code writes it, in the form that submissions by name have. */
export function submissionOf(
  kind: Pick<Kind, "name">,
  payloads: readonly unknown[],
  options: SubmitOptions,
): SubmitRequests {
  if (typeof kind?.name !== "string") {
    throw new AppError("kind-unknown", "submit() needs a kind as its first argument.", {
      hint: "Pass the kind itself, not its name.",
    });
  }
  if (!Array.isArray(payloads)) throw new AppError("invalid-request", "payloads must be an array.");
  const { idempotencyKey, tenant = "default", ...rest } = options;
  return {
    tenant,
    requests: payloads.map((payload) => ({ kind: kind.name, payload, options: rest })),
    ...(idempotencyKey !== undefined && { idempotency: { key: idempotencyKey } }),
  };
}
