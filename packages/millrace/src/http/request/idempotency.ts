import { AppError } from "../../lib/app-error.ts";
import { requestFingerprint } from "../../submit/submit.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The `Idempotency-Key` of a request, with a fingerprint of its route and body. Empty if there is no key. */
export function idempotencyOfBody(request: Request, route: string, body: unknown) {
  return idempotencyOf(request, () => requestFingerprint(route, body));
}

/** The `Idempotency-Key` with the fingerprint of the request, for a submission; nothing when there is no key. */
export function idempotencyOf(
  request: Request,
  fingerprint: () => string,
): { idempotency?: { key: string; fingerprint: string } } {
  const key = request.headers.get("idempotency-key");
  if (key === null) return {};
  if (!KEY.test(key)) {
    throw new AppError("invalid-request", "The Idempotency-Key must have 1 to 255 visible ASCII characters.", {
      details: { issues: [{ path: "Idempotency-Key", message: "must have 1 to 255 visible ASCII characters" }] },
    });
  }
  return { idempotency: { key, fingerprint: fingerprint() } };
}
