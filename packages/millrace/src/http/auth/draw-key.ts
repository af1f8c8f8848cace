// Keys where an <img> tag or a client that sends no header of its own can put them: after the first part of the path, or in
// HTTP Basic. Only routes that need the scope `draw` take them, and only keys with that scope alone.

const IN_PATH = /^(\/[a-z]+)\/(mr_[a-z0-9]{12}_[A-Za-z0-9_-]{43})(?=\/|$)/;
const KEY = /^mr_[a-z0-9]{12}_[A-Za-z0-9_-]{43}$/;

export interface KeyedPath {
  /** The path without the key, so that routes, logs and messages never see it. */
  readonly path: string;
  readonly key?: string;
}

/** Splits `/pictures/<key>/a/b` into `/pictures/a/b` and its key. */
export function withoutKey(path: string): KeyedPath {
  const [whole, before, key] = IN_PATH.exec(path) ?? [];
  if (whole === undefined || before === undefined || key === undefined) return { path };
  return { path: before + path.slice(whole.length), key };
}

/** The user or the password that has the shape of a key. Empty: HTTP Basic without a key. Undefined: no HTTP Basic. */
export function keyInBasic(request: Request): string | undefined {
  const [basic, encoded = ""] =
    /^Basic(?:\s+([A-Za-z0-9+/]*={0,2}))?\s*$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (basic === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  const parts = colon === -1 ? [text] : [text.slice(0, colon), text.slice(colon + 1)];
  return parts.find((part) => KEY.test(part)) ?? "";
}
