import { AppError } from "millrace/processor";
import type { Report } from "../api/report.ts";

/** What an `AnalyseError` knows beside its code and message. */
export interface AnalyseErrorOptions {
  /** What to do about it. */
  readonly hint?: string | undefined;
  /** The part of the report that exists. */
  readonly report?: Report | undefined;
  /** The error behind it. */
  readonly cause?: unknown;
}

/**
 * A site was not analysed. `code` says why:
 * - `invalid-request`: the URL or an option is not valid.
 * - `blocked-address`: the address is private, or its port is not 80 or 443; see `allow` and `ports`.
 * - `site-unreachable`, `site-unreadable`: the first page did not come, or has nothing to read.
 * - `robots-denied`: robots.txt of the site does not allow it.
 * - `prompts-doubtful`: the prompts may be wrong for the site, and `onDoubt` is not `continue`. No model was asked.
 * - `models-failed`: no model gave enough answers. `report` has what came.
 */
export class AnalyseError extends AppError {
  /** What there is of the report, where the models failed. */
  readonly report: Report | undefined;

  constructor(code: string, message: string, { hint, report, cause }: AnalyseErrorOptions = {}) {
    super(code, message, { ...(hint !== undefined && { hint }), ...(cause !== undefined && { cause }) });
    this.name = "AnalyseError";
    this.report = report;
  }
}
