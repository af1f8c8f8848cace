export type FaultCode =
  | "bad-url"
  | "blocked-address"
  | "dns-failed"
  | "connect-failed"
  | "tls-failed"
  | "timed-out"
  | "too-many-redirects"
  | "bad-encoding"
  | "bad-answer";

/** Why a page could not be fetched, in words for the user who asked for it. */
export class FetchFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "FetchFault";
    this.code = code;
  }

  /** The same request may go through later. */
  get passing(): boolean {
    return PASSING.has(this.code);
  }
}

const PASSING = new Set<FaultCode>(["dns-failed", "connect-failed", "tls-failed", "timed-out", "bad-answer"]);
