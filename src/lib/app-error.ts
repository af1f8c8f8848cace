/** An error with a stable code, a sentence for people and the next step. */
export class AppError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }
}

export interface AppErrorOptions {
  hint?: string;
  cause?: unknown;
  details?: Record<string, unknown>;
}

/** A value that crossed a thread or process border as data. */
export interface ErrorData {
  code: string;
  message: string;
  hint?: string;
  details?: Record<string, unknown>;
}

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

export function fromErrorData(data: ErrorData): AppError {
  return new AppError(data.code, data.message, {
    ...(data.hint && { hint: data.hint }),
    ...(data.details && { details: data.details }),
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
