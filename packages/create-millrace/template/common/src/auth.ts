import { createHash, timingSafeEqual } from "node:crypto";
import type { Identity } from "millrace/http";
import { required } from "./env.ts";

const password = required("DASHBOARD_PASSWORD");

/** Says who sends a request to the dashboard. Replace this with the sign-in of your application. */
export function identify(request: Request): Identity | undefined {
  const [scheme, credentials = ""] = (request.headers.get("authorization") ?? "").split(" ");
  if (scheme !== "Basic") return undefined;
  const [name, ...rest] = Buffer.from(credentials, "base64").toString().split(":");
  if (!isEqual(rest.join(":"), password)) return undefined;
  return { name: name || "admin", tenant: "*", scopes: ["admin"] };
}

// Hashes have the same length, so the comparison takes the same time for every password.
function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(sha256(a), sha256(b));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
