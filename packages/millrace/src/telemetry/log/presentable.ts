/** The fields of a log line: any values by name. Names such as `password` are redacted, at any depth. */
export type Fields = Readonly<Record<string, unknown>>;

const REDACTED = "[redacted]";

// Names are compared without case, dashes and underscores, so that X-Api-Key, api_key and apiKey are one.
const SECRET_NAMES = new Set([
  "apikey",
  "xapikey",
  "authorization",
  "cookie",
  "setcookie",
  "credentials",
  "databaseurl",
  "passphrase",
  "password",
  "privatekey",
  "secret",
  "token",
  "accesstoken",
  "refreshtoken",
  "sessiontoken",
]);

// Deeper than this is cut: log fields are flat facts, and a cycle must end somewhere.
const MAX_DEPTH = 4;

/** Fields as they may stand in a log line: no secrets, errors as plain data. `error` is a string in every line. */
export function presentable(fields: Fields, show: { readonly withStack: boolean }): Record<string, unknown> {
  const plain = plainObject(fields, show, 1);
  if (!show.withStack) delete plain["stack"];
  if (!(fields["error"] instanceof Error)) return plain;
  const { message, ...about } = plain["error"] as { message: string };
  return { ...about, ...plain, error: message };
}

function plainObject(fields: object, show: { readonly withStack: boolean }, depth: number): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[name];
    plain[name] = isSecret(name, value) ? REDACTED : plainValue(value, show, depth);
  }
  return plain;
}

function plainValue(value: unknown, show: { readonly withStack: boolean }, depth: number): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return "[deep]";
  if (value instanceof Error) return plainError(value, show, depth);
  if (Array.isArray(value)) return value.map((item) => plainValue(item, show, depth + 1));
  return plainObject(value, show, depth + 1);
}

function plainError(error: Error, show: { readonly withStack: boolean }, depth: number): Record<string, unknown> {
  const plain: Record<string, unknown> = { message: error.message };
  if ("code" in error && error.code !== undefined) plain["code"] = error.code;
  if (error.cause !== undefined) plain["cause"] = plainValue(error.cause, show, depth + 1);
  if (show.withStack && error.stack) plain["stack"] = error.stack;
  return plain;
}

// A number or a boolean reveals no secret, and the token of a lease is useful in a log.
function isSecret(name: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === "number" || typeof value === "boolean") return false;
  const known = judged.get(name);
  if (known !== undefined) return known;
  const secret = SECRET_NAMES.has(name.replace(/[-_]/g, "").toLowerCase());
  // Names are few, but the data of a user may bring new ones.
  if (judged.size < 1_000) judged.set(name, secret);
  return secret;
}

const judged = new Map<string, boolean>();
