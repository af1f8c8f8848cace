/** An error with a stable code, a sentence for people and the next step. */
export class AppError extends Error {
  /** A stable word for programs. The troubleshooting guide lists all of them. */
  readonly code: string;
  /** The next step, if there is one. */
  readonly hint: string | undefined;
  /** The facts behind the message, such as `jobId`, `retryAfterMs` or `problems`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }
}

/** Options of `new AppError()`. */
export interface AppErrorOptions {
  /** The next step, in one sentence. Default: none. */
  hint?: string;
  /** The error behind this one. Default: none. */
  cause?: unknown;
  /** The facts behind the message. Default: none. */
  details?: Record<string, unknown>;
}

/** An error as plain data, to send to another thread or process. */
export interface ErrorData {
  /** The code of the error. */
  code: string;
  /** The message of the error. */
  message: string;
  /** The next step. Default: none. */
  hint?: string;
  /** The facts behind the message. Default: none. */
  details?: Record<string, unknown>;
}

/** An error as plain data. An error without a code gets `internal`. */
export function toErrorData(error: unknown): ErrorData {
  if (error instanceof AppError) {
    return {
      code: error.code,
      message: error.message,
      ...(error.hint && { hint: error.hint }),
      details: error.details,
    };
  }
  return { code: "internal", message: messageOf(error) };
}

/** The error that `toErrorData()` described. */
export function fromErrorData(data: ErrorData): AppError {
  return new AppError(data.code, data.message, {
    ...(data.hint && { hint: data.hint }),
    ...(data.details && { details: data.details }),
  });
}

/** The message of an error, or of another thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
