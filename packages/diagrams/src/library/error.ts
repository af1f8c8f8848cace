import { AppError } from "millrace/processor";
import type { Format } from "../api/formats.ts";

/**
 * - `render-failed`: the diagram has a fault; `line` and `column` say where, if the engine tells.
 * - `include-missing`: the diagram includes a file that is not there.
 * - `render-timeout`: it took longer than `timeoutMs`.
 * - `invalid-request`: the source or an option is not valid.
 * - `out-of-memory`, `crashed`: the renderer ended while it drew this diagram.
 * - `renderer-failed`: the engine could not draw, such as one that is not installed.
 * - `renderer-broken`: no renderer process starts on this machine.
 * - `renderers-closed`: the renderers were closed before the diagram was drawn.
 */
export type RenderErrorCode =
  | "render-failed"
  | "include-missing"
  | "render-timeout"
  | "invalid-request"
  | "out-of-memory"
  | "crashed"
  | "renderer-failed"
  | "renderer-broken"
  | "renderers-closed";

/** What a `RenderError` knows beside its code and message. */
export interface RenderErrorOptions {
  /** The language of the source. */
  readonly format?: Format | undefined;
  /** Where the fault is, counted from 1. */
  readonly line?: number | undefined;
  /** Where the fault is, counted from 1. */
  readonly column?: number | undefined;
  /** The line of the fault with a caret below it. */
  readonly excerpt?: string | undefined;
  /** The likely cause, or what to write instead. */
  readonly advice?: string | undefined;
  /** What to do about it. */
  readonly hint?: string | undefined;
  /** The error behind it. */
  readonly cause?: unknown;
}

/** A diagram was not drawn. `code` says why, `message` is one sentence for the author of the diagram. */
export class RenderError extends AppError {
  declare readonly code: RenderErrorCode;
  /** The language of the source. */
  readonly format: Format | undefined;
  /** Counted from 1. */
  readonly line: number | undefined;
  /** Counted from 1. */
  readonly column: number | undefined;
  /** The line of the fault with a caret below it, for a monospaced font. */
  readonly excerpt: string | undefined;
  /** One sentence for the author: the likely cause, or what to write instead. */
  readonly advice: string | undefined;

  constructor(
    code: RenderErrorCode,
    message: string,
    { format, line, column, excerpt, advice, hint, cause }: RenderErrorOptions = {},
  ) {
    super(code, message, { ...(hint !== undefined && { hint }), ...(cause !== undefined && { cause }) });
    this.name = "RenderError";
    this.format = format;
    this.line = line;
    this.column = column;
    this.excerpt = excerpt;
    this.advice = advice;
  }
}
