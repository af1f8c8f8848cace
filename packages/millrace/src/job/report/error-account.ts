// An error as data: what it is called, its own code, and what lies behind it. Bounded, since a chain may be endless.

/** An error behind another one, as stored with a failure. */
export interface ErrorAccount {
  /** The class of the error, such as `TypeError`. */
  name: string;
  /** The message of the error. */
  message: string;
  /** The error's own code, such as `ECONNREFUSED`. */
  code?: string;
  /** The cause of this error, and its causes. */
  cause?: ErrorAccount;
  /** The first errors inside an `AggregateError`. */
  errors?: ErrorAccount[];
}

const MAX_WORD = 100;
const MAX_MESSAGE = 1_000;
/** Errors kept of one failure, beside the one that was thrown: about 13 kB at most. */
const MOST_ERRORS = 12;
const DEEPEST = 8;

/** The errors behind the one that was thrown. */
export function behind(error: unknown): Pick<ErrorAccount, "cause" | "errors"> {
  return partsOf(error, { left: MOST_ERRORS }, 0);
}

function partsOf(error: unknown, room: { left: number }, depth: number): Pick<ErrorAccount, "cause" | "errors"> {
  if (typeof error !== "object" || error === null || depth >= DEEPEST) return {};
  const cause = read(error, "cause");
  const inner = read(error, "errors");
  // zod, AggregateError and several clients have `errors`; only errors among them are accounts of what went wrong.
  const errors = Array.isArray(inner) ? inner.filter((each) => each instanceof Error) : [];
  const kept: Pick<ErrorAccount, "cause" | "errors"> = {};
  if (cause !== undefined && room.left > 0) kept.cause = accountOf(cause, room, depth + 1);
  if (errors.length > 0 && room.left > 0) {
    kept.errors = [];
    for (const each of errors) if (room.left > 0) kept.errors.push(accountOf(each, room, depth + 1));
  }
  return kept;
}

function accountOf(error: unknown, room: { left: number }, depth: number): ErrorAccount {
  room.left--;
  const code = codeOf(error);
  return {
    name: nameOf(error) ?? "Error",
    message: clip(error instanceof Error ? String(read(error, "message")) : describe(error), MAX_MESSAGE),
    ...(code !== undefined && { code }),
    ...partsOf(error, room, depth),
  };
}

/** What an error calls itself, by `name` or by its class. */
export function nameOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const name = read(error, "name");
  // A class that extends Error without setting `name` is still called by its own.
  const own = name === "Error" ? (read(error, "constructor") as { name?: unknown } | undefined)?.name : name;
  return typeof own === "string" && own !== "" ? clip(own, MAX_WORD) : undefined;
}

export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const code = read(error, "code");
  return typeof code === "string" || typeof code === "number" ? clip(String(code), MAX_WORD) : undefined;
}

/** A getter of an error may throw itself, and must not take the account along. */
export function read(error: object, name: string): unknown {
  try {
    return (error as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** The account as an error again, for callers that wait for the job. */
export function toError({ name, message, code, cause, errors }: ErrorAccount): Error {
  const options = cause && { cause: toError(cause) };
  const error = errors ? new AggregateError(errors.map(toError), message, options) : new Error(message, options);
  error.name = name;
  return code === undefined ? error : Object.assign(error, { code });
}

/** Whatever was thrown, as words. */
export function describe(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (thrown === undefined || thrown === null)
    return `The processor threw ${thrown}, which has no message. Throw an Error.`;
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return String(thrown);
  }
}

/** A lone surrogate or U+0000 in a message must not make the failure itself unstorable. */
export function clip(text: string, max: number): string {
  const clean = text.replaceAll("\u0000", "\uFFFD").toWellFormed();
  return clean.length > max ? `${clean.slice(0, max).toWellFormed()}…` : clean;
}
