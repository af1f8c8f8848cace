import { AppError } from "../lib/app-error.ts";
import { requestFingerprint } from "../submit/submit.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The same for a route whose whole body is the request. */
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
      details: { issues: [{ path: "Idempotency-Key", message: "1 to 255 visible ASCII characters" }] },
    });
  }
  return { idempotency: { key, fingerprint: fingerprint() } };
}

/**
 * Where a key is not kept it is refused: whoever sends one relies on it. PUT and DELETE do the same once and twice by their
 * nature, and a second cancel or revival is a conflict that names what the first made.
 */
export function refuseIdempotencyKey(request: Request): void {
  if (request.method !== "POST" || !request.headers.has("idempotency-key")) return;
  throw new AppError("invalid-request", "This route takes no Idempotency-Key.", {
    hint: "It is for submissions, such as POST /jobs. Leave it out; when an answer was lost, look before you ask again.",
    details: { issues: [{ path: "Idempotency-Key", message: "is not taken here" }] },
  });
}
